// With dates a period is a day; without, it is the distance at which the arrivals are most alike.
#include "analysis/moving_rule.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t most_lags = 256;     // the longest period without dates, in exchanges
constexpr std::size_t shortest_window = 9; // of a running mean, unless a period is shorter
constexpr std::size_t least_of_period = 4; // exchanges in a period
constexpr std::size_t least_periods = 3;
constexpr std::int64_t day_of_dates_s = 86'400;

// The exchanges of a day, by their dates; 0: no dates, or not a whole number of them in a day.
double exchanges_of_a_day(std::span<const std::int64_t> dates, std::span<const std::uint32_t> places) {
    if (dates.empty()) return 0;
    const double passed_s = static_cast<double>(dates[places.back()]) - static_cast<double>(dates[places.front()]);
    return passed_s > 0 ? static_cast<double>(places.size() - 1) * day_of_dates_s / passed_s : 0;
}

// The period after which values are alike again; 0: none. products: sums over values 0, 1, 2, ... places apart.
std::size_t period_of(std::span<const WideNanoseconds> products, std::size_t values, std::size_t processes) {
    const auto alike = [&](std::size_t apart) {
        const double all = static_cast<double>(products[0]) / static_cast<double>(values);
        return all > 0 ? static_cast<double>(products[apart]) / static_cast<double>(values - apart) / all : 0;
    };
    std::size_t fallen = 1; // behind the first hill
    while (fallen < products.size() && alike(fallen) > 0)
        ++fallen;
    double best = 0;
    for (std::size_t apart = fallen; apart < products.size(); ++apart)
        best = std::max(best, alike(apart));
    const double chance = 5 / std::sqrt(static_cast<double>(values) * static_cast<double>(processes - 1));
    if (best < chance) return 0;
    for (std::size_t apart = std::max(fallen, least_of_period); apart + 1 < products.size(); ++apart)
        if (alike(apart) >= 0.9 * best && alike(apart) >= alike(apart - 1) && alike(apart) >= alike(apart + 1))
            return apart;
    return 0;
}

} // namespace

std::size_t lags_of(std::size_t values) {
    return std::min(values / least_periods, most_lags) + 1;
}

MovingRule moving_rule(const ChosenExchanges &chosen, std::span<const std::uint32_t> places,
                       std::span<const std::int64_t> dates, std::span<const WideNanoseconds> products,
                       std::size_t processes) {
    const std::size_t values = places.size();
    MovingRule rule;
    const double of_day = exchanges_of_a_day(dates, places);
    const auto period =
        of_day > 0 ? static_cast<std::size_t>(std::llround(of_day)) : period_of(products, values, processes);
    if (period >= least_of_period && period * least_periods <= values) {
        rule.window = period;
        rule.phases = std::min<std::size_t>(period, 0xffff);
        while (rule.window < shortest_window)
            rule.window += period;
        for (std::size_t n = 0; n < values; ++n) {
            const std::int64_t date = of_day > 0 ? dates[places[n]] % day_of_dates_s : 0;
            const std::size_t of_date =
                static_cast<std::size_t>((date + day_of_dates_s) % day_of_dates_s) * rule.phases / day_of_dates_s;
            rule.phase.push_back(static_cast<std::uint16_t>(of_day > 0 ? of_date : n % period));
        }
        const std::vector<ChosenExchange> &list = chosen.list;
        rule.period_s = to_seconds(list[places.back()].first - list[places.front()].first) *
                        static_cast<double>(period) / static_cast<double>(values - 1);
    } else {
        // Shorter than a known period, so that the course within a period shows.
        const std::size_t wanted = period > values / least_periods ? period / 8 : values / 16;
        rule.window = std::max(wanted, shortest_window) | 1U;
    }
    if (rule.window * 2 > values) return {};
    return rule;
}

double noise_taken(const MovingRule &rule, std::size_t values) {
    const double by_mean = 1 / static_cast<double>(rule.window);
    return by_mean + (1 - by_mean) * static_cast<double>(rule.phases) / static_cast<double>(values);
}

bool moves(const MovingRule &rule, const MovingSquares &squares, std::size_t values, std::size_t processes) {
    if (rule.window == 0 || squares.all == 0) return false;
    const double taken = static_cast<double>(squares.moving) / static_cast<double>(squares.all);
    const double degrees =
        (static_cast<double>(values) / static_cast<double>(rule.window) + static_cast<double>(rule.phases)) *
        static_cast<double>(processes - 1);
    return taken > noise_taken(rule, values) * (1 + 5 * std::sqrt(2 / degrees));
}

} // namespace cpl_lb
