// Events as the tests of the coupling loop write them, and what holds for every balance. GET and PUT take part in
// field 1 of component 2 unless said otherwise.
#pragma once

#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>
#include <tuple>

namespace cpl_lb::literals {

inline Recorded get(double start_s, double stop_s, std::int32_t field = 1, std::int32_t from = 2) {
    return {Kind::get, field, from, start_s, stop_s};
}
inline Recorded put(double start_s, double stop_s, std::int32_t field = 1, std::int32_t to = 2) {
    return {Kind::put, field, to, start_s, stop_s};
}
inline Recorded map(double start_s, double stop_s) {
    return {Kind::map, 1, 0, start_s, stop_s};
}
inline Recorded out(double start_s, double stop_s) {
    return {Kind::out, 1, 0, start_s, stop_s};
}
inline Recorded rst(double start_s, double stop_s) {
    return {Kind::rst, 1, 0, start_s, stop_s};
}

inline void check_sum(const ComponentBalance &b) {
    CHECK(b.computing_s + b.waiting_s + b.away_s == Approx(b.loop_s));
    double for_whom = 0;
    for (const WaitingFor &w : b.waiting_for)
        for_whom += w.get_s + w.put_s;
    CHECK(for_whom == Approx(b.waiting_s).margin(1e-12));
    double waiting = 0;
    double computing = 0;
    double jitter = 0;
    for (const Step &step : b.steps) {
        waiting += step.waiting_s;
        computing += step.computing_s;
        jitter += step.jitter_s;
    }
    CHECK(waiting == Approx(b.waiting_s).margin(1e-12));
    CHECK(computing == Approx(b.computing_s).margin(1e-12));
    CHECK(jitter == Approx(b.jitter_s).margin(1e-12));
}

// Seconds; NaN: not looked at.
struct LoopFigures {
    double loop_s = unknown, computing_s = unknown, waiting_s = unknown, away_s = unknown, jitter_s = unknown,
           imbalance_s = unknown;
};

inline void check_loop(const ComponentBalance &b, const LoopFigures &expected) {
    const std::tuple<const char *, double, double> all[] = {
        {"loop", b.loop_s, expected.loop_s},          {"computing", b.computing_s, expected.computing_s},
        {"waiting", b.waiting_s, expected.waiting_s}, {"away", b.away_s, expected.away_s},
        {"jitter", b.jitter_s, expected.jitter_s},    {"imbalance", b.imbalance_s, expected.imbalance_s}};
    for (const auto &[name, found, right] : all) {
        INFO(name);
        if (is_known(right)) CHECK(found == Approx(right));
    }
    check_sum(b);
}

} // namespace cpl_lb::literals
