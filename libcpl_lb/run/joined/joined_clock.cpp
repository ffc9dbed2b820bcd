// The limits that exchanges set to the distance of two clocks, and which lags leave any distance at all. Then a tree
// from the first run to all others, with the best known distance first.
#include "run/joined/joined_clock.hpp"

#include "io/timeline/timeline.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_lag = 4;
constexpr Nanoseconds no_limit = 4'000'000'000'000'000'000; // 126 years; sums of two such numbers fit into 64 bits

// Limits of what may be added to times of the second run.
struct Limits {
    Nanoseconds least = -no_limit, most = no_limit;
};

std::vector<CrossedField> those_that_tell(std::vector<CrossedField> fields) {
    std::erase_if(fields, [](const CrossedField &field) {
        const auto [fewer, more] = std::minmax({field.put_begins.size(), field.get_ends.size()});
        return fewer == 0 || more - fewer > 1;
    });
    return fields;
}

// How much later a PUT is than the end of its GET, at most.
Nanoseconds latest_put(const std::vector<CrossedField> &fields, std::size_t lag) {
    Nanoseconds latest = -no_limit;
    for (const CrossedField &field : fields)
        for (std::size_t n = 0; n < field.put_begins.size() && n + lag < field.get_ends.size(); ++n)
            latest = std::max(latest, field.put_begins[n] - field.get_ends[n + lag]);
    return latest;
}

// A PUT of the first run is not after its GET: least. A PUT of the second one neither: most.
Limits limits(const BetweenRuns &crossing, std::size_t lag_there, std::size_t lag_back) {
    return {latest_put(crossing.there, lag_there), -latest_put(crossing.back, lag_back)};
}

// The limits of the smallest lags that leave something; several if those lags can be divided in several ways.
std::vector<Limits> limits_that_hold(const BetweenRuns &crossing, Nanoseconds slack) {
    std::vector<Limits> found;
    for (std::size_t sum = 0; sum <= 2 * most_lag && found.empty(); ++sum) {
        for (std::size_t there = 0; there <= std::min(sum, most_lag); ++there) {
            if (sum - there > most_lag) continue;
            const Limits l = limits(crossing, there, sum - there);
            const bool both = l.least > -no_limit && l.most < no_limit; // a lag as long as the run leaves no pair
            if (both && l.least - slack <= l.most + slack) found.push_back(l);
        }
    }
    return found;
}

// The clocks of day decide, within the limits of the exchanges.
ComparedClocks only_likely(const ClocksOfDay &of_day, const Limits &l, std::string why_not) {
    ComparedClocks clocks;
    clocks.ahead = l.least <= l.most ? std::clamp(of_day.ahead, l.least, l.most) : of_day.ahead;
    clocks.why_not = std::move(why_not);
    return clocks;
}

} // namespace

std::optional<ClocksOfDay> clocks_of_day(const RunInfo &first, const RunInfo &second) {
    constexpr double usual_s = 0.1;   // clocks that follow a time server are much nearer
    constexpr double seconds_s = 1.1; // one of them in whole seconds
    const auto a = unix_ns_of_utc_text(first.zero.time), b = unix_ns_of_utc_text(second.zero.time);
    if (a && b) return ClocksOfDay{*b - *a, usual_s};
    const auto begin_of = [](const RunInfo &info) -> std::optional<Nanoseconds> {
        if (const auto exact = unix_ns_of_utc_text(info.zero.time)) return exact;
        const auto seconds = unix_seconds_of_iso8601(info.started);
        if (!seconds || !(*seconds < 9e9)) return std::nullopt;
        return from_seconds(*seconds);
    };
    const auto begin_a = begin_of(first), begin_b = begin_of(second);
    if (!begin_a || !begin_b) return std::nullopt;
    return ClocksOfDay{*begin_b - *begin_a, seconds_s};
}

std::optional<ComparedClocks> by_one_node(const RunZero &first, const RunZero &second, double own_bound_s) {
    if (first.clock.empty() || first.clock != second.clock) return std::nullopt;
    if (!is_known(first.monotonic_s) || !is_known(second.monotonic_s)) return std::nullopt;
    constexpr double longest_s = 9e9;
    if (!(first.monotonic_s < longest_s && second.monotonic_s < longest_s)) return std::nullopt;
    ComparedClocks clocks;
    clocks.ahead = from_file_seconds(second.monotonic_s) - from_file_seconds(first.monotonic_s);
    clocks.error_bound_s = own_bound_s;
    return clocks;
}

ComparedClocks by_exchanges(const BetweenRuns &crossing, const ClocksOfDay &of_day, double own_bound_s) {
    const BetweenRuns useful{those_that_tell(crossing.there), those_that_tell(crossing.back)};
    if (useful.there.empty() && useful.back.empty())
        return only_likely(of_day, {}, "they exchange nothing that tells how far their clocks are apart");
    if (useful.there.empty() || useful.back.empty())
        return only_likely(of_day, limits(useful, 0, 0), "they exchange in one direction only");
    const Nanoseconds slack = is_known(own_bound_s) ? from_seconds(own_bound_s) : 0;
    std::vector<Limits> found = limits_that_hold(useful, slack);
    if (found.empty())
        return only_likely(of_day, {}, "their exchanges contradict each other, whatever the distance of the clocks");
    if (found.size() > 1) {
        const Nanoseconds off = from_seconds(of_day.error_s);
        std::erase_if(found,
                      [&](const Limits &l) { return of_day.ahead < l.least - off || of_day.ahead > l.most + off; });
        if (found.size() != 1)
            return only_likely(of_day, {}, "their exchanges allow several lags, and clocks that are steps apart");
    }
    const Limits &l = found.front();
    ComparedClocks clocks;
    clocks.ahead = l.least + (l.most - l.least) / 2;
    clocks.error_bound_s = 0.5 * to_seconds(l.most - l.least) + to_seconds(slack);
    clocks.by_exchanges = true;
    return clocks;
}

namespace {

using Pair = std::pair<std::size_t, std::size_t>;

// The pair of one with a place and one without it that is known best; the first pair if none is known.
Pair next_pair(const std::vector<std::optional<Nanoseconds>> &at, const std::map<Pair, ComparedClocks> &clocks) {
    std::optional<Pair> best;
    double best_s = unknown;
    for (const auto &[pair, found] : clocks) {
        if (at[pair.first].has_value() == at[pair.second].has_value()) continue;
        const bool better = !best || (is_known(found.error_bound_s) && !(found.error_bound_s >= best_s));
        if (!better) continue;
        best = pair;
        best_s = found.error_bound_s;
    }
    return *best;
}

std::string words_for(const ComparedClocks &clocks, const std::string &first, const std::string &second) {
    if (!is_known(clocks.error_bound_s))
        return say(Sentence::part_clocks_apart, {{"first", first}, {"second", second}, {"why", clocks.why_not}});
    if (clocks.ahead < 0) {
        ComparedClocks turned = clocks;
        turned.ahead = -clocks.ahead;
        return words_for(turned, second, first);
    }
    const std::string after = fmt::format("{:.6f}", to_seconds(clocks.ahead));
    if (!clocks.by_exchanges)
        return say(Sentence::remark_joined_by_node, {{"first", first}, {"second", second}, {"after", after}});
    return say(Sentence::remark_joined_by_exchanges, {{"first", first},
                                                      {"second", second},
                                                      {"after", after},
                                                      {"bound", fmt::format("{:.3g}", clocks.error_bound_s)}});
}

} // namespace

PlacedRuns place_runs(std::span<const std::string> labels, std::span<const double> own_bounds_s,
                      const std::function<ComparedClocks(std::size_t, std::size_t)> &compare) {
    const std::size_t runs = labels.size();
    std::map<Pair, ComparedClocks> clocks;
    for (std::size_t a = 0; a < runs; ++a)
        for (std::size_t b = a + 1; b < runs; ++b)
            clocks.emplace(Pair(a, b), compare(a, b));
    std::vector<std::optional<Nanoseconds>> at(runs); // of runs with a place: what is added to their times
    at.front() = 0;
    std::vector<double> off_s(runs); // their distance from the first run's clock is known to that
    PlacedRuns placed;
    for (std::size_t n = 1; n < runs; ++n) {
        const Pair pair = next_pair(at, clocks);
        const ComparedClocks &found = clocks.at(pair);
        const bool forward = at[pair.first].has_value();
        const std::size_t from = forward ? pair.first : pair.second, to = forward ? pair.second : pair.first;
        at[to] = *at[from] + (forward ? found.ahead : -found.ahead);
        const std::string words = words_for(found, labels[pair.first], labels[pair.second]);
        if (is_known(found.error_bound_s)) {
            // A pair's bound includes the bounds of both runs' own clocks.
            off_s[to] = off_s[from] + found.error_bound_s - own_bounds_s[from] - own_bounds_s[to];
            placed.remarks.push_back(words);
        } else if (placed.why_not_comparable.empty()) {
            placed.why_not_comparable = words;
        }
    }
    const Nanoseconds earliest = **std::ranges::min_element(at);
    for (const std::optional<Nanoseconds> &own : at)
        placed.shift.push_back(*own - earliest);
    if (!placed.why_not_comparable.empty()) return placed;
    placed.error_bound_s = own_bounds_s.front();
    for (std::size_t a = 0; a < runs; ++a) {
        for (std::size_t b = a + 1; b < runs; ++b) {
            placed.error_bound_s =
                std::max(placed.error_bound_s, own_bounds_s[a] + off_s[a] + own_bounds_s[b] + off_s[b]);
        }
    }
    return placed;
}

} // namespace cpl_lb
