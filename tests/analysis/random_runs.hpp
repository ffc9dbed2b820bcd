// Random runs with few distinct times, so that ties, touching and interleaving happen all the time.
#pragma once

#include "analysis/share_calculator.hpp"
#include "tests/analysis/literals.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace cpl_lb::property {

using namespace cpl_lb::literals;

inline constexpr int run_length_ns = 240;
inline constexpr std::int32_t highest_counterpart = 3;

struct RandomRun {
    ComponentLiteral component;
    Window window;
    Interval run{0, run_length_ns};

    [[nodiscard]] Share sum() const {
        Share total;
        for (const Row &row : component.rows) {
            total += share_of(component.table, row, window, run, highest_counterpart);
        }
        return total;
    }
    [[nodiscard]] ComponentBalance balance() const { return cpl_lb::balance_of(component.table, window, run, sum()); }
};

class RandomRuns {
public:
    explicit RandomRuns(unsigned seed) : random_(seed) {}

    RandomRun next() {
        std::vector<std::vector<Recorded>> processes(static_cast<std::size_t>(below(5)) + 1);
        // Some runs in one common order with regular steps, some without any order.
        const bool regular = below(2) == 0;
        for (auto &process : processes)
            process = regular ? regular_process() : wild_process();
        RandomRun run;
        run.component = component_of(processes);
        for (Row &row : run.component.rows)
            row.away = away();
        run.window = find_window(run.component.table);
        return run;
    }
    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

private:
    static constexpr double ns = 1e-9;

    std::vector<Recorded> wild_process() {
        constexpr std::array kinds = {Kind::put, Kind::get, Kind::get,  Kind::put,  Kind::map,  Kind::out,
                                      Kind::rst, Kind::trn, Kind::undf, Kind::part, Kind::term, Kind::sync};
        std::vector<Recorded> list;
        for (int n = below(30); n > 0; --n) {
            const int start = below(200);
            list.push_back({kinds[static_cast<std::size_t>(below(static_cast<int>(kinds.size())))], below(2),
                            below(4), start * ns, (start + below(40)) * ns});
        }
        std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.start_s < b.start_s; });
        return list;
    }
    // Each step: a GET, a PUT with a MAP inside, sometimes an OUT; every process a bit later or not.
    std::vector<Recorded> regular_process() {
        std::vector<Recorded> list;
        for (int step = 0; step < 200 - 30; step += 25) {
            const int t = step + below(4);
            list.push_back({Kind::get, 1, 2, t * ns, (t + below(9)) * ns});
            if (below(8) > 0) list.push_back({Kind::put, 1, 3, (t + 9) * ns, (t + 16) * ns});
            list.push_back({Kind::map, 1, 0, (t + 10 + below(3)) * ns, (t + 13 + below(3)) * ns});
            if (below(3) == 0) list.push_back({Kind::out, 1, 0, (t + 17) * ns, (t + 19) * ns});
        }
        return list;
    }
    std::vector<Interval> away() {
        std::vector<Interval> list;
        for (int t = below(60); below(4) > 0 && t < 180; t += 20 + below(40))
            list.push_back({t, t + 1 + below(20)});
        return list;
    }
    std::mt19937 random_;
};

} // namespace cpl_lb::property
