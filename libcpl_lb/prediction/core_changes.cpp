// Splits and joins cores, and orders the computing of components that share them.
#include "prediction/changes.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace cpl_lb {
namespace {

std::size_t place_of(const CoupledRun &run, const std::string &name) {
    return static_cast<std::size_t>(&component_of(run, name) - run.components.data());
}

std::vector<std::size_t> places_of(const CoupledRun &run, const std::vector<std::string> &group) {
    std::vector<std::size_t> places(group.size());
    std::ranges::transform(group, places.begin(), [&](const std::string &name) { return place_of(run, name); });
    return places;
}

bool is_in(const std::vector<std::size_t> &places, std::size_t place) {
    return std::ranges::find(places, place) != places.end();
}

void check_group(const CoupledRun &run, const Sharing &shares, const std::vector<std::string> &group, bool in_turn) {
    for (const std::size_t a : places_of(run, group)) {
        if (in_turn && !shares[a].empty()) {
            throw PredictionError(fmt::format("{} and {} are in turn on the same processes already",
                                              run.components[a].name, run.components[shares[a].front()].name));
        }
        for (const std::size_t b : places_of(run, group)) {
            if (!in_turn && a != b && !is_in(shares[a], b)) {
                throw PredictionError(fmt::format("{} and {} have processes of their own already",
                                                  run.components[a].name, run.components[b].name));
            }
        }
    }
}

// Whole cores in proportion to the computing, at least one each. The cores left over by rounding go where they help
// most.
std::vector<std::int64_t> split(std::int64_t cores, const std::vector<double> &computing_s) {
    if (cores < static_cast<std::int64_t>(computing_s.size()))
        throw PredictionError("the components share fewer cores than they are: they cannot be side by side on these");
    std::vector<std::int64_t> counts(computing_s.size(), 1);
    for (auto left = cores - static_cast<std::int64_t>(counts.size()); left > 0; --left) {
        std::size_t slowest = 0;
        const auto time = [&](std::size_t i) { return computing_s[i] / static_cast<double>(counts[i]); };
        for (std::size_t i = 1; i < counts.size(); ++i)
            if (time(i) > time(slowest)) slowest = i;
        ++counts[slowest];
    }
    return counts;
}

// Looks at the time between a quarter and three quarters of the stretch, and only at pieces that are long enough.
void check_drift(const std::vector<Constituent> &constituents, const std::vector<std::vector<RecordedPiece>> &pieces,
                 double shortest_s) {
    constexpr double most_ahead = 2; // pieces more than at first
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::max(), end = std::numeric_limits<Nanoseconds>::min();
    for (const std::vector<RecordedPiece> &mine : pieces) {
        if (mine.empty()) continue;
        begin = std::min(begin, mine.front().start);
        end = std::max(end, mine.back().start);
    }
    const auto begun = [&](const std::vector<RecordedPiece> &mine, Nanoseconds at) {
        return static_cast<double>(std::ranges::count_if(
            mine, [&](const RecordedPiece &piece) { return piece.computing_s >= shortest_s && piece.start < at; }));
    };
    const auto all = [&](std::size_t m) { return begun(pieces[m], std::numeric_limits<Nanoseconds>::max()); };
    const auto between = [&](std::size_t m) {
        return begun(pieces[m], begin + (end - begin) / 4 * 3) - begun(pieces[m], begin + (end - begin) / 4);
    };
    for (std::size_t m = 1; m < pieces.size(); ++m) {
        if (pieces[m].empty() || pieces[0].empty() || !(all(m) > 0) || !(all(0) > 0)) continue;
        const double more = all(0) >= all(m) ? between(0) - std::round(all(0) / all(m)) * between(m)
                                             : between(m) - std::round(all(m) / all(0)) * between(0);
        if (std::abs(more) <= most_ahead) continue;
        throw PredictionError(fmt::format("{0} and {1} run further and further apart in this run: what they would do "
                                          "in turn is not known",
                                          constituents[pieces[0].front().place.component].name,
                                          constituents[pieces[m].front().place.component].name));
    }
}

} // namespace

void check_core_changes(const CoupledRun &run, const Sharing &shares, const Changes &changes) {
    std::set<std::string> seen;
    for (const auto *groups : {&changes.in_turn, &changes.side_by_side}) {
        for (const std::vector<std::string> &group : *groups) {
            for (const std::string &name : group)
                if (!seen.insert(name).second) throw PredictionError(name + " stands in two groups of components");
            check_group(run, shares, group, groups == &changes.in_turn);
        }
    }
}

std::vector<std::int64_t> changed_cores(const CoupledRun &run, const std::vector<double> &computing_s,
                                        const Changes &changes) {
    std::vector<std::int64_t> cores(run.components.size());
    std::ranges::transform(run.components, cores.begin(), [](const Component &c) { return c.cores(); });
    for (const std::vector<std::string> &group : changes.in_turn) {
        const std::vector<std::size_t> places = places_of(run, group);
        const std::int64_t all =
            std::accumulate(places.begin(), places.end(), std::int64_t{0},
                            [&](std::int64_t sum, std::size_t c) { return sum + run.components[c].cores(); });
        for (const std::size_t c : places)
            cores[c] = all;
    }
    for (const std::vector<std::string> &group : changes.side_by_side) {
        const std::vector<std::size_t> places = places_of(run, group);
        std::int64_t shared = 0;
        std::vector<double> work; // core seconds
        for (const std::size_t c : places) {
            shared = std::max(shared, run.components[c].cores());
            work.push_back(computing_s[c] * static_cast<double>(run.components[c].cores()));
        }
        const std::vector<std::int64_t> counts = split(shared, work);
        for (std::size_t i = 0; i < places.size(); ++i)
            cores[places[i]] = counts[i];
    }
    return cores;
}

Sharing kept_sharing(const CoupledRun &run, Sharing shares, const Changes &changes) {
    for (const std::vector<std::string> &group : changes.side_by_side) {
        const std::vector<std::size_t> places = places_of(run, group);
        for (const std::size_t c : places)
            std::erase_if(shares[c], [&](std::size_t other) { return is_in(places, other); });
    }
    return shares;
}

void add_in_turn(std::vector<Constituent> &constituents, const std::vector<std::vector<RecordedPiece>> &pieces) {
    constexpr double small = 0.02; // of the mean piece
    struct Begun {
        double order = 0; // [ns]
        PointPlace place;
    };
    double sum = 0, count = 0;
    for (const std::vector<RecordedPiece> &of_one : pieces) {
        for (const RecordedPiece &piece : of_one) {
            sum += piece.computing_s;
            ++count;
        }
    }
    const double shortest_s = count > 0 ? small * sum / count : 0;
    // Less than the shortest piece, so that no component comes before what it needs.
    const double together = 0.5 * static_cast<double>(from_seconds(shortest_s)) / static_cast<double>(pieces.size());
    std::vector<Begun> all;
    for (std::size_t member = 0; member < pieces.size(); ++member) {
        for (const RecordedPiece &piece : pieces[member]) {
            if (piece.computing_s < shortest_s) continue;
            all.push_back({static_cast<double>(piece.start) + together * static_cast<double>(member), piece.place});
        }
    }
    std::ranges::stable_sort(all, {}, &Begun::order);
    check_drift(constituents, pieces, shortest_s);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const PointPlace &before = all[i - 1].place, &next = all[i].place;
        if (before.component == next.component || next.point == 0) continue;
        constituents[next.component].points[next.point - 1].waits_for.push_back(before);
    }
}

} // namespace cpl_lb
