// Scaling laws and random numbers of the simulator.
#include "tests/simulator/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

namespace cpl_lb::simulator {
namespace {

std::string words(const char *form, double a, double b = 0, double c = 0, double d = 0) {
    char text[200];
    std::snprintf(text, sizeof text, form, a, b, c, d); // NOLINT: the forms stand below
    return text;
}

} // namespace

Law ideal(double work_s) {
    return {words("%.6g / p", work_s), [=](double p) { return work_s / p; }};
}

Law amdahl(double work_s, double serial_s) {
    return {words("%.6g / p + %.6g", work_s, serial_s), [=](double p) { return work_s / p + serial_s; }};
}

Law power(double a, double b, double c, double k) {
    return {words("%.6g / p + %.6g p^%.6g + %.6g", a, b, c, k),
            [=](double p) { return a / p + b * std::pow(p, c) + k; }};
}

// No kink: real components bend over about a factor of two.
Law plateau(double work_s, double last) {
    return {words("%.6g / p, flat from %.6g on", work_s, last),
            [=](double p) { return work_s * std::pow(std::pow(p, -4) + std::pow(last, -4), 0.25); }};
}

Law cache(double work_s, double at, double share_saved) {
    return {words("%.6g / p, from %.6g on %.6g less", work_s, at, share_saved), [=](double p) {
                const double fits = 1 / (1 + std::pow(at / p, 3)); // 0 with few processes, 1 with many
                return work_s / p * (1 - share_saved * fits);
            }};
}

Law blocks(double work_s, double serial_s, int blocks) {
    return {words("%.6g / p in %.0f blocks, + %.6g", work_s, blocks, serial_s),
            [=](double p) { return work_s / blocks * std::ceil(blocks / p) + serial_s; }, true};
}

Course spin_up(double more, std::int64_t steps) {
    return {words("%.3g times at first, forgotten in %.0f steps", 1 + more, static_cast<double>(steps)),
            [=](std::int64_t step) {
                return 1 + more * std::exp(-3 * static_cast<double>(step) / static_cast<double>(steps));
            }};
}

Course drift(double more, std::int64_t steps) {
    return {words("%.3g times in the end", 1 + more),
            [=](std::int64_t step) { return 1 + more * static_cast<double>(step) / static_cast<double>(steps - 1); }};
}

Course regimes(std::vector<double> weights, std::int64_t steps) {
    std::string name;
    for (const double weight : weights)
        name += (name.empty() ? "" : ", then ") + words("%.3g", weight);
    return {name + " times", [weights = std::move(weights), steps](std::int64_t step) {
                const auto count = static_cast<std::int64_t>(weights.size());
                return weights[static_cast<std::size_t>(std::min(step * count / steps, count - 1))];
            }};
}

Course slow_until(std::int64_t step, double weight) {
    return {words("%.3g times until step %.0f", weight, static_cast<double>(step)),
            [=](std::int64_t at) { return at < step ? weight : 1; }};
}

Course day_and_night(double by_day, std::int64_t steps) {
    return {words("%.3g times by day, of %.0f steps", by_day, static_cast<double>(steps)),
            [=](std::int64_t step) { return step % steps < steps / 2 ? by_day : 1; }};
}

Course heavier_every(std::int64_t steps, double weight) {
    return {words("%.3g times every %.0f steps", weight, static_cast<double>(steps)),
            [=](std::int64_t step) { return step % steps == 0 ? weight : 1; }};
}

Course stalled(std::int64_t step, double weight) {
    return {words("%.3g times in step %.0f", weight, static_cast<double>(step)),
            [=](std::int64_t at) { return at == step ? weight : 1; }};
}

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Random::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

double Random::uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1p-53;
}

double Random::log_uniform(double low, double high) {
    return low * std::pow(high / low, uniform(0, 1));
}

double Random::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return radius * std::cos(2 * std::numbers::pi * uniform(0, 1));
}

std::int64_t Random::whole(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
}

} // namespace cpl_lb::simulator
