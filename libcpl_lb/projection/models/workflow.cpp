// Time and energy of codes in sequence and side by side, with the idle power of the one that ends first.
#include "projection/models/workflow.hpp"

#include "projection/models/loop_model.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace cpl_lb {
namespace {

// As a share of the length. Anything smaller is the rounding of sums.
constexpr double rounding_of_sums = 1e-9;

struct Allocation {
    double busy_s = 0, idle_W = unknown;
};

const std::string &allocation_of(const CodeCost &code) {
    return code.allocation.empty() ? code.name : code.allocation;
}

// Two codes of 1 s among others of none take 2 s when they follow each other, 1 s side by side.
bool side_by_side(const Concurrency &order, std::size_t codes, std::size_t a, std::size_t b) {
    std::vector<double> seconds(codes, 0.0);
    seconds[a] = seconds[b] = 1;
    return order.length_s(seconds) < 1.5;
}

void check_allocations(const Concurrency &order, const std::vector<CodeCost> &codes) {
    for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = a + 1; b < codes.size(); ++b) {
            if (allocation_of(codes[a]) == allocation_of(codes[b]) && side_by_side(order, codes.size(), a, b))
                throw ProjectionError(codes[a].name + " and " + codes[b].name +
                                      " share an allocation and cannot run side by side");
        }
    }
}

} // namespace

WorkflowCost workflow_cost(const Concurrency &order, const std::vector<CodeCost> &codes) {
    check_allocations(order, codes);
    std::vector<double> seconds;
    seconds.reserve(codes.size());
    for (const CodeCost &code : codes)
        seconds.push_back(code.seconds);
    WorkflowCost cost;
    cost.seconds = order.length_s(seconds);
    cost.joules = cost.idle_J = 0;
    std::map<std::string, Allocation> allocations;
    for (const CodeCost &code : codes) {
        Allocation &a = allocations.try_emplace(allocation_of(code), Allocation{0, code.idle_W}).first->second;
        a.busy_s += code.seconds;
        cost.joules += code.joules;
    }
    for (const auto &[name, a] : allocations)
        if (a.busy_s < cost.seconds * (1 - rounding_of_sums)) cost.idle_J += a.idle_W * (cost.seconds - a.busy_s);
    cost.joules += cost.idle_J;
    return cost;
}

std::vector<std::size_t> best_of(const std::vector<WorkflowCost> &answers) {
    std::vector<std::size_t> order(answers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto energy = [&](std::size_t i) { return answers[i].joules; };
    const bool known = std::ranges::all_of(order, [&](std::size_t i) { return is_known(energy(i)); });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (answers[a].seconds != answers[b].seconds) return answers[a].seconds < answers[b].seconds;
        return known && energy(a) < energy(b);
    });
    std::vector<std::size_t> best;
    for (const std::size_t i : order)
        if (best.empty() || (known && energy(i) < energy(best.back()))) best.push_back(i);
    return best;
}

} // namespace cpl_lb
