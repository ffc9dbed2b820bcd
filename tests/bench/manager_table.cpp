// The table of docs/manager.md: section VI of Kim, Larson and Chiu by event simulation, from all ten starts.
//   manager_table [SEEDS]
// AUTO and MANUAL: the paper's stepwise search with the measured graph and with equation 12.
#include "prediction/stepwise_manager.hpp"
#include "tests/prediction/manager_simulation.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

constexpr int intervals = 150; // the paper's MANUAL needs 68

using Sum = std::vector<Place>;

double sum_s(const Sum &sum, const std::vector<double> &s) {
    double seconds = 0;
    for (const Place c : sum)
        seconds += s[c];
    return seconds;
}

std::vector<AllowedCounts> any_counts(std::int64_t total) {
    std::vector<AllowedCounts> allowed;
    for (const char *name : {"cpl", "atm", "ocn", "land", "ice"})
        allowed.push_back(multiples(name, 1, total, 1));
    return allowed;
}

// Equation 12: the largest of three sums.
IterationModel equation_12(const MeasuredInterval &) {
    return {[](const std::vector<double> &s) {
                return std::max({sum_s({cpl, atm, land}, s), sum_s({cpl, atm, ice}, s), sum_s({ocn}, s)});
            },
            {}};
}

// The same three sums as estimators (the paper's section V: the manual model has several): the measured cycle tells
// which of them it is.
IterationModel nearest_sum(const MeasuredInterval &measured) {
    std::shared_ptr<const Sum> nearest;
    for (const Sum &sum : {Sum{cpl, atm, land}, Sum{cpl, atm, ice}, Sum{ocn}}) {
        if (!nearest || std::abs(sum_s(sum, measured.computing_s) - measured.cycle_s) <
                            std::abs(sum_s(*nearest, measured.computing_s) - measured.cycle_s))
            nearest = std::make_shared<const Sum>(sum);
    }
    return {[nearest](const std::vector<double> &s) { return sum_s(*nearest, s); }, {}};
}

ManagedRun run_one(const std::string &method, const CouplingGraph &day, const BenchmarkStart &start,
                   std::int64_t total, double noise, unsigned seed) {
    IterationModel graph = iteration_model(day);
    const auto measured_graph = [&graph](const MeasuredInterval &) { return graph; };
    if (method == "cpl_lb") {
        RunTimeManager manager(any_counts(total), total);
        return simulate(manager, day, measured_graph, start.counts, noise, seed, intervals);
    }
    if (method == "AUTO") {
        StepwiseManager manager(any_counts(total), total);
        return simulate(manager, day, measured_graph, start.counts, noise, seed, intervals);
    }
    StepwiseManager manager(any_counts(total), total, StepwiseManager::Trust::plain);
    const ModelOf model = method == "MANUAL" ? ModelOf(equation_12) : ModelOf(nearest_sum);
    return simulate(manager, day, model, start.counts, noise, seed, intervals);
}

// The means over the seeds.
struct Row {
    double first_s = 0, final_s = 0, reallocations = 0, undone = 0, found = 0, manager_s = 0, model_s = 0;
};

Row mean_of(const std::string &method, const CouplingGraph &day, const BenchmarkStart &start, std::int64_t total,
            double noise, unsigned seeds) {
    Row row;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        const ManagedRun run = run_one(method, day, start, total, noise, seed);
        row.first_s = run.first_s;
        row.final_s += run.final_s / seeds;
        row.reallocations += 1.0 * run.state.reallocations / seeds;
        row.undone += 1.0 * run.state.undone / seeds;
        row.found += 2.0 * run.last_reallocation / seeds;
        row.manager_s += run.manager_s / seeds;
        row.model_s += run.model_s / seeds;
    }
    return row;
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

void print_start(const BenchmarkStart &start, const std::string &method, double noise, const Row &row) {
    std::printf("| %s | %s | %.0f | %.2f | %.2f | %.1f | %.1f | %.0f | %.2f | %.3f |\n", start.name.c_str(),
                method.c_str(), 100 * noise, row.first_s, row.final_s, row.reallocations, row.found,
                100 * share(row.undone, row.reallocations), share(row.first_s - row.final_s, row.reallocations),
                100 * share(row.manager_s, row.model_s));
}

// The least and the most of the five starts.
void print_range(std::int64_t total, const std::string &method, double noise, const std::vector<Row> &rows) {
    const auto range = [&](const char *format, auto value) {
        double least = value(rows[0]), most = least;
        for (const Row &row : rows) {
            least = std::min(least, value(row));
            most = std::max(most, value(row));
        }
        std::printf(format, least, most);
    };
    std::printf("| %lld | %s | %.0f ", static_cast<long long>(total), method.c_str(), 100 * noise);
    range("| %.2f to %.2f ", [](const Row &r) { return r.final_s; });
    range("| %.1f to %.1f ", [](const Row &r) { return r.reallocations; });
    range("| %.0f to %.0f ", [](const Row &r) { return 100 * share(r.undone, r.reallocations); });
    range("| %.2f to %.2f ", [](const Row &r) { return share(r.first_s - r.final_s, r.reallocations); });
    range("| %.3f to %.3f |\n", [](const Row &r) { return 100 * share(r.manager_s, r.model_s); });
}

} // namespace

int main(int argc, char **argv) { // NOLINT(bugprone-exception-escape): a bench that fails may end so
    const unsigned seeds = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 20;
    const CouplingGraph day = benchmark_day();
    std::vector<std::function<void()>> ranges;
    std::puts(
        "| start | manager | noise % | first s | final s | reallocations | at cycle | undone % | s / reallocation "
        "| overhead % |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const std::int64_t total : {208, 124}) {
        for (const double noise : {0.0, 0.01, 0.03}) {
            for (const char *method : {"cpl_lb", "AUTO", "MANUAL", "nearest sum"}) {
                std::vector<Row> rows;
                for (const BenchmarkStart &start : benchmark_starts(total)) {
                    rows.push_back(mean_of(method, day, start, total, noise, noise > 0 ? seeds : 1));
                    print_start(start, method, noise, rows.back());
                }
                std::fflush(stdout);
                ranges.emplace_back([=] { print_range(total, method, noise, rows); });
            }
        }
    }
    std::puts(
        "\n| processes | manager | noise % | final s | reallocations | undone % | s / reallocation | overhead % |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const auto &print : ranges)
        print();
    for (const std::int64_t total : {208, 124}) {
        const BalanceAnswer best = balance(benchmark_problem(day, total), Objective::time);
        std::printf("%lld processes: the best of the curves is %.3f s (%s)\n", static_cast<long long>(total),
                    best.seconds, best.proven_optimal ? "proven" : "not proven");
    }
    return 0;
}
