// Analyses the arrivals of one process. With dates a period is a day; without, it is the distance at which the
// arrivals are most alike.
#include "analysis/own_arrivals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cpl_lb {
namespace {

WideNanoseconds squared_ns(double time_s) {
    const Nanoseconds time = std::llround(time_s * 1e9);
    return static_cast<WideNanoseconds>(time) * time;
}

// The mean of the `window` values around each value. At the ends of the series the window is moved, not cut. An even
// window takes one value more, and its two outer values count half, so that a period of this length cancels.
class RunningMean {
public:
    explicit RunningMean(std::span<const double> values) : sum_(values.size() + 1), count_(values.size() + 1) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool known = is_known(values[i]);
            sum_[i + 1] = sum_[i] + (known ? values[i] : 0);
            count_[i + 1] = count_[i] + (known ? 1 : 0);
        }
    }
    [[nodiscard]] double at(std::size_t i, std::size_t window) const {
        const std::size_t size = sum_.size() - 1, half = window / 2;
        const std::size_t centre = std::clamp(i, half, size - 1 - half);
        const std::size_t first = centre - half, last = centre + half;
        double sum = sum_[last + 1] - sum_[first], count = count_[last + 1] - count_[first];
        if (window % 2 == 0) {
            for (const std::size_t end : {first, last}) {
                sum -= 0.5 * (sum_[end + 1] - sum_[end]);
                count -= 0.5 * (count_[end + 1] - count_[end]);
            }
        }
        return count > 0 ? sum / count : 0;
    }

private:
    std::vector<double> sum_, count_; // of the values before each
};

// The mean of each phase; 0 for a phase without values.
std::vector<double> means_of_phases(std::span<const double> values, const MovingRule &rule) {
    std::vector<double> mean(rule.phases), count(rule.phases);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!is_known(values[i])) continue;
        mean[rule.phase[i]] += values[i];
        count[rule.phase[i]] += 1;
    }
    for (std::size_t phase = 0; phase < rule.phases; ++phase)
        if (count[phase] > 0) mean[phase] /= count[phase];
    return mean;
}

// The part of a group's values that moves slowly. The rule must have a window.
std::vector<double> moving_part(std::span<const double> values, const MovingRule &rule) {
    const RunningMean mean(values);
    std::vector<double> moving(values.size()), rest(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        moving[i] = mean.at(i, rule.window);
        rest[i] = values[i] - moving[i];
    }
    if (rule.phases == 0) return moving;
    const std::vector<double> season = means_of_phases(rest, rule);
    for (std::size_t i = 0; i < values.size(); ++i)
        moving[i] += season[rule.phase[i]];
    return moving;
}

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

bool MovingRule::fits(std::size_t values) const {
    return window * 2 <= values && phase.size() == (phases > 0 ? values : 0) && (window > 0 || phases == 0) &&
           std::ranges::all_of(phase, [this](std::uint16_t one) { return one < phases; });
}

OwnArrivals::OwnArrivals(const ChosenExchanges &chosen, std::span<const Nanoseconds> starts) : chosen_(chosen) {
    Nanoseconds last = 0, all = 0;
    arrival_.reserve(chosen.list.size());
    last_.reserve(chosen.list.size());
    for (std::size_t i = 0; i < chosen.list.size(); ++i) {
        const ChosenExchange &e = chosen.list[i];
        arrival_.push_back(starts[i] == absent ? unknown : to_seconds(starts[i] - e.first));
        all += e.counted;
        last_.push_back(starts[i] != absent && starts[i] - e.first == e.jitter ? 1 : 0);
        if (last_.back() != 0) last += e.counted;
    }
    last_share_ = all > 0 ? static_cast<double>(last) / static_cast<double>(all) : 0;
}

void OwnArrivals::add_sums(std::span<ArrivalSum> sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (is_known(arrival_[i])) sums[i].add({std::llround(arrival_[i] * 1e9), 1});
}

void OwnArrivals::add_peaks(PlacesOfGroups groups, std::span<ArrivalSpread> peaks) const {
    for (const std::vector<std::uint32_t> &places : groups) {
        for (std::size_t n = 1; n + 1 < places.size(); ++n)
            peaks[places[n]].add(arrival_[places[n]] - 0.5 * (arrival_[places[n - 1]] + arrival_[places[n + 1]]));
    }
}

void OwnArrivals::settle(PlacesOfGroups groups, std::span<const double> mean, std::span<const std::uint8_t> unusual) {
    unusual_.assign(unusual.begin(), unusual.end());
    for (std::size_t i = 0; i < arrival_.size(); ++i)
        arrival_[i] -= mean[i];
    mean_.clear();
    for (const std::vector<std::uint32_t> &places : groups) {
        double sum = 0, count = 0;
        for (const std::uint32_t i : places) {
            if (unusual_[i] != 0 || !is_known(arrival_[i])) continue;
            sum += arrival_[i];
            count += 1;
        }
        mean_.push_back(count > 0 ? sum / count : unknown);
    }
}

// The values in order of time, minus `less`; NaN where the process took no part. An unusual value is replaced by the
// mean of the usual ones before and after it.
std::vector<double> OwnArrivals::usual_values(std::span<const std::uint32_t> places, double less) const {
    std::vector<double> values(places.size());
    const auto usual = [&](std::size_t n) { return unusual_[places[n]] == 0 && is_known(arrival_[places[n]]); };
    std::size_t before = places.size(), after = 0;
    for (std::size_t n = 0; n < places.size(); ++n) {
        const double own = arrival_[places[n]] - less;
        if (usual(n) || !is_known(own)) {
            if (usual(n)) before = n;
            values[n] = own;
            continue;
        }
        after = std::max(after, n);
        while (after < places.size() && !usual(after))
            ++after;
        double sum = 0, count = 0;
        for (const std::size_t near : {before, after}) {
            if (near == places.size()) continue;
            sum += arrival_[places[near]] - less;
            count += 1;
        }
        values[n] = count > 0 ? sum / count : unknown;
    }
    return values;
}

void OwnArrivals::add_products(PlacesOfGroups groups, std::uint32_t group, std::span<WideNanoseconds> sums) const {
    // Several sums side by side need not wait for each other. Zeros stand for the places before the first value.
    constexpr std::size_t together = 4;
    const std::vector<double> usual = usual_values(groups[group], mean_[group]);
    std::vector<double> values(together - 1 + usual.size());
    for (std::size_t n = 0; n < usual.size(); ++n)
        values[together - 1 + n] = is_known(usual[n]) ? usual[n] : 0;
    for (std::size_t apart = 0; apart < sums.size(); apart += together) {
        std::array<double, together> sum{};
        for (std::size_t i = apart + together - 1; i < values.size(); ++i)
            for (std::size_t k = 0; k < together; ++k)
                sum[k] += values[i] * values[i - apart - k];
        for (std::size_t k = 0; k < std::min(together, sums.size() - apart); ++k)
            sums[apart + k] += static_cast<WideNanoseconds>(sum[k] * 1e18);
    }
}

std::vector<float> OwnArrivals::record(PlacesOfGroups groups, std::span<const MovingRule> moving) const {
    double unusual = 0, last = 0;
    for (std::size_t i = 0; i < unusual_.size(); ++i) {
        unusual += unusual_[i];
        last += unusual_[i] * last_[i];
    }
    std::vector<float> record = {static_cast<float>(last_share_),
                                 static_cast<float>(unusual > 0 ? last / unusual : 0)};
    for (const double mean : mean_)
        record.push_back(static_cast<float>(mean));
    std::vector<double> lasting = arrival_;
    for (std::uint32_t g = 0; g < chosen_.groups; ++g) {
        const MovingRule &rule = moving[g];
        if (rule.phases == 0 || !is_known(mean_[g])) continue;
        const std::vector<std::uint32_t> &places = groups[g];
        const std::vector<double> season = means_of_phases(usual_values(places, mean_[g]), rule);
        const auto count = static_cast<double>(places.size());
        // Means of phases also take out some of the noise.
        const double noise = 1 / std::sqrt(1 - static_cast<double>(rule.phases) / count);
        for (std::size_t n = 0; n < places.size(); ++n)
            lasting[places[n]] = mean_[g] + noise * (lasting[places[n]] - mean_[g] - season[rule.phase[n]]);
    }
    const std::size_t count = lasting.size();
    for (std::size_t b = 0; b < arrival_batches; ++b) {
        double sum = 0, weights = 0;
        for (std::size_t i = b * count / arrival_batches; i < (b + 1) * count / arrival_batches; ++i) {
            if (unusual_[i] != 0 || !is_known(lasting[i])) continue;
            const auto weight = static_cast<double>(chosen_.list[i].counted);
            sum += weight * lasting[i];
            weights += weight;
        }
        record.push_back(weights > 0 ? static_cast<float>(sum / weights) : std::numeric_limits<float>::quiet_NaN());
    }
    return record;
}

void OwnArrivals::add_residuals(PlacesOfGroups groups, const ArrivalModel &model, ResidualSpreads &spreads,
                                std::span<MovingSquares> squares) const {
    for (std::uint32_t g = 0; g < chosen_.groups; ++g) {
        const std::vector<std::uint32_t> &places = groups[g];
        const double own = model.has_means && is_known(mean_[g]) ? mean_[g] : 0;
        const std::vector<double> values = usual_values(places, own);
        const MovingRule &rule = model.moving[g];
        const std::vector<double> moving =
            rule.window > 0 ? moving_part(values, rule) : std::vector<double>(values.size());
        for (std::size_t n = 0; n < places.size(); ++n) {
            const std::uint32_t i = places[n];
            spreads.nodes[i].add(arrival_[i] - model.of_node[g]);
            spreads.processes[i].add(arrival_[i] - own);
            spreads.moving[i].add(arrival_[i] - own - moving[n]);
            if (!is_known(values[n])) continue;
            squares[g].moving += squared_ns(moving[n]);
            squares[g].all += squared_ns(values[n]);
        }
    }
}

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
