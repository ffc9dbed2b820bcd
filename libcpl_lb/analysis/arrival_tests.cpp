// Permutes and counts. The random numbers are the same each time, so that a run always has one result.
#include "analysis/arrival_tests.hpp"

#include "data/time.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

class Numbers { // splitmix64 (Steele, Lea and Flood 2014)
public:
    std::uint64_t below(std::uint64_t end) {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return (z ^ (z >> 31U)) % end;
    }
    template <class Element>
    void shuffle(std::span<Element> list) {
        for (std::size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[below(i)]);
    }

private:
    std::uint64_t state_ = 1;
};

constexpr std::size_t most_orders = 9999, least_orders = 99, most_moves = 2'000'000;
// Multiples of the variance that chance gives. Below `hardly` the processes do not differ. Above `beyond_doubt` they
// do, even where few processes and exchanges have too few orders for a test.
constexpr double hardly = 2, beyond_doubt = 50;

std::size_t orders_for(std::size_t values) {
    return std::clamp(most_moves / std::max<std::size_t>(values, 1), least_orders, most_orders);
}

// The sum of the squares of the processes' sums. columns: one for each batch, of all processes.
double between_processes(const std::vector<std::vector<float>> &columns, std::vector<double> &sums) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const std::vector<float> &column : columns)
        for (std::size_t p = 0; p < column.size(); ++p)
            sums[p] += static_cast<double>(column[p]);
    double squares = 0;
    for (const double sum : sums)
        squares += sum * sum;
    return squares;
}

// The variance of the processes' means, as a multiple of what the variance inside them gives (F of an analysis of
// variance).
double times_chance(const std::vector<std::vector<float>> &columns, double between) {
    double all = 0;
    for (const std::vector<float> &column : columns)
        for (const float value : column)
            all += static_cast<double>(value) * static_cast<double>(value);
    const auto count = static_cast<double>(columns.size());
    const double inside = std::max(all - between / count, 1e-12 * all);
    return between / count * (count - 1) / inside;
}

// Whether as few as 1 in `one_in` of the orders give a value as large.
template <class Value>
bool rarer_than(std::size_t one_in, std::size_t orders, double observed, Value value_of_order) {
    std::size_t as_large = 0;
    for (std::size_t order = 0; order < orders; ++order) {
        if (value_of_order() >= observed) ++as_large;
        if ((as_large + 1) * one_in > orders + 1 && as_large > 0) return false;
    }
    return true;
}

// Columns less their means; a process that took no part stands at the mean.
std::vector<std::vector<float>> centred_columns(std::span<const float> batches, std::size_t width) {
    std::vector<std::vector<float>> columns;
    const std::size_t processes = batches.size() / width;
    for (std::size_t b = 0; b < width; ++b) {
        double sum = 0, count = 0;
        for (std::size_t p = 0; p < processes; ++p) {
            const auto value = static_cast<double>(batches[p * width + b]);
            if (!is_known(value)) continue;
            sum += value;
            count += 1;
        }
        if (count < 2) continue;
        std::vector<float> column(processes);
        for (std::size_t p = 0; p < processes; ++p) {
            const auto value = static_cast<double>(batches[p * width + b]);
            column[p] = is_known(value) ? static_cast<float>(value - sum / count) : 0.0F;
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

struct OfNode {
    double sum = 0, count = 0;
};

double between_nodes(std::span<const double> late, std::span<const std::int32_t> nodes, std::vector<OfNode> &of) {
    std::fill(of.begin(), of.end(), OfNode());
    for (std::size_t p = 0; p < late.size(); ++p) {
        OfNode &node = of[static_cast<std::size_t>(nodes[p])];
        node.sum += late[p];
        node.count += 1;
    }
    double squares = 0;
    for (const OfNode &node : of)
        if (node.count > 0) squares += node.sum * node.sum / node.count;
    return squares;
}

} // namespace

bool processes_differ(std::span<const float> batches, std::size_t batches_of_process) {
    std::vector<std::vector<float>> columns = centred_columns(batches, batches_of_process);
    if (columns.size() < batches_of_process / 2) return false;
    std::vector<double> sums(columns.front().size());
    const double observed = between_processes(columns, sums);
    const double times = times_chance(columns, observed);
    if (times < hardly || times > beyond_doubt) return times > beyond_doubt;
    Numbers numbers;
    return rarer_than(1000, orders_for(batches.size()), observed, [&] {
        for (std::vector<float> &column : columns)
            numbers.shuffle(std::span(column));
        return between_processes(columns, sums);
    });
}

bool nodes_differ(std::span<const double> late, std::span<const std::int32_t> nodes) {
    double mean = 0;
    for (const double one : late)
        mean += one / static_cast<double>(late.size());
    std::vector<double> values;
    for (const double one : late)
        values.push_back(one - mean);
    std::vector<OfNode> of(static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1);
    const double observed = between_nodes(values, nodes, of);
    Numbers numbers;
    return rarer_than(100, orders_for(late.size()), observed, [&] {
        numbers.shuffle(std::span(values));
        return between_nodes(values, nodes, of);
    });
}

} // namespace cpl_lb
