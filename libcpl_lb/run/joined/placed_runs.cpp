// A tree from the first run to all others, with the best known distance first.
#include "run/joined/placed_runs.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace cpl_lb {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

struct Placing {
    std::vector<std::optional<Nanoseconds>> at; // of runs with a place: what is added to their times
    std::vector<double> off_s;                  // their distance from the first run's clock is known to that
};

// The clocks of (a, b), a < b, seen from either side.
Nanoseconds ahead_of(const ComparedClocks &clocks, bool forward) {
    return forward ? clocks.ahead : -clocks.ahead;
}

// The pair of one with a place and one without it that is known best; the first pair if none is known.
Pair next_pair(const Placing &placing, const std::map<Pair, ComparedClocks> &clocks) {
    std::optional<Pair> best;
    double best_s = unknown;
    for (const auto &[pair, found] : clocks) {
        if (placing.at[pair.first].has_value() == placing.at[pair.second].has_value()) continue;
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
    Placing placing{std::vector<std::optional<Nanoseconds>>(runs), std::vector<double>(runs, 0.0)};
    placing.at.front() = 0;
    PlacedRuns placed;
    for (std::size_t n = 1; n < runs; ++n) {
        const Pair pair = next_pair(placing, clocks);
        const ComparedClocks &found = clocks.at(pair);
        const bool forward = placing.at[pair.first].has_value();
        const std::size_t from = forward ? pair.first : pair.second, to = forward ? pair.second : pair.first;
        placing.at[to] = *placing.at[from] + ahead_of(found, forward);
        const std::string words = words_for(found, labels[pair.first], labels[pair.second]);
        if (is_known(found.error_bound_s)) {
            // A pair's bound includes the bounds of both runs' own clocks.
            placing.off_s[to] = placing.off_s[from] + found.error_bound_s - own_bounds_s[from] - own_bounds_s[to];
            placed.remarks.push_back(words);
        } else if (placed.why_not_comparable.empty()) {
            placed.why_not_comparable = words;
        }
    }
    const auto earliest = std::min_element(placing.at.begin(), placing.at.end());
    for (const std::optional<Nanoseconds> &at : placing.at)
        placed.shift.push_back(*at - **earliest);
    if (!placed.why_not_comparable.empty()) return placed;
    placed.error_bound_s = own_bounds_s.front();
    for (std::size_t a = 0; a < runs; ++a) {
        for (std::size_t b = a + 1; b < runs; ++b) {
            placed.error_bound_s = std::max(placed.error_bound_s,
                                            own_bounds_s[a] + placing.off_s[a] + own_bounds_s[b] + placing.off_s[b]);
        }
    }
    return placed;
}

} // namespace cpl_lb
