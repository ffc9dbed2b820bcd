// How often what was predicted of a change is what the changed model does.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace cpl_lb::simulator {

struct Score {
    int all = 0, close = 0, wrong_sign = 0, unseen = 0, refused = 0, rings = 0, missed_rings = 0;
    double worst = 0;
    static constexpr double told_as_nothing = 0.0005; // tools/predict/what_if.cpp

    // ratios: of the time of a step, changed / unchanged
    void add(double predicted, double truth, std::uint64_t seed, const char *what) {
        ++all;
        const double off = std::abs(predicted - truth) / truth;
        worst = std::max(worst, off);
        if (off <= 0.03)
            ++close;
        else
            std::printf("%s %lu: %.4f predicted, %.4f true\n", what, static_cast<unsigned long>(seed), predicted,
                        truth);
        if (std::abs(truth - 1) <= 0.02) return;
        if (std::abs(predicted - 1) < told_as_nothing)
            ++unseen;
        else if ((predicted - 1) * (truth - 1) < 0)
            ++wrong_sign;
    }
};

inline void expect(const Score &score, const char *what) {
    std::printf(
        "%s: %d of %d within 3 %%, worst %.1f %%, %d with another sign, %d not seen, %d refused, %d rings told, "
        "%d not\n",
        what, score.close, score.all, 100 * score.worst, score.wrong_sign, score.unseen, score.refused, score.rings,
        score.missed_rings);
    INFO(what);
    CHECK(score.all >= 450);
    CHECK(score.close * 10 >= score.all * 9);
    CHECK(score.wrong_sign == 0);
    CHECK(score.unseen * 100 <= score.all);
}

} // namespace cpl_lb::simulator
