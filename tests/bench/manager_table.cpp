// docs/evidence/manager_benchmark.md: section VI of Kim, Larson and Chiu by event simulation, from all ten starts.
//   manager_table [SEEDS]
// AUTO and MANUAL: the paper's stepwise search with the measured graph and with equation 12.
#include "tests/prediction/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

constexpr int intervals = 150; // the paper's MANUAL needs 68

struct Method {
    const char *name;
    ManagerSearch search;
};
constexpr Method methods[] = {{"cpl_lb", ManagerSearch::direct},
                              {"AUTO", ManagerSearch::stepwise},
                              {"MANUAL", ManagerSearch::manual},
                              {"nearest sum", ManagerSearch::nearest}};

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The means over the seeds.
struct Row {
    double first_s = 0, final_s = 0, reallocations = 0, undone = 0, found = 0, manager_s = 0, model_s = 0;
};

Row mean_of(ManagerSearch search, const ManagedModel &model, const ProcessCounts &start, double noise,
            unsigned seeds) {
    Row row;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        const ManagedRun run = managed_run(model, search, start, noise, seed, intervals);
        row.first_s = run.first_s();
        row.final_s += run.final_s() / seeds;
        row.reallocations += 1.0 * run.state.reallocations / seeds;
        row.undone += 1.0 * run.state.undone / seeds;
        row.found += run.found_at() / seeds;
        for (std::size_t i = 0; i < run.last_move; ++i) {
            row.manager_s += run.intervals[i].manager_s / seeds;
            row.model_s += 2 * run.intervals[i].cycle_s / seeds;
        }
    }
    return row;
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

void print_start(const char *start, const std::string &method, double noise, const Row &row) {
    std::printf("| %s | %s | %.0f | %.2f | %.2f | %.1f | %.1f | %.0f | %.2f | %.3f |\n", start, method.c_str(),
                100 * noise, row.first_s, row.final_s, row.reallocations, row.found,
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
        ManagedModel model = benchmark_model(day, total);
        model.clock_s = seconds_now;
        for (const double noise : {0.0, 0.01, 0.03}) {
            for (const Method &method : methods) {
                std::vector<Row> rows;
                for (const kim::PrintedStart &start : kim::table_1(total == 208 ? 1 : 2)) {
                    rows.push_back(mean_of(method.search, model, counts_of(start), noise, noise > 0 ? seeds : 1));
                    print_start(start.name, method.name, noise, rows.back());
                }
                std::fflush(stdout);
                ranges.emplace_back([=] { print_range(total, method.name, noise, rows); });
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
