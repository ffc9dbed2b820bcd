// Checks the numbers of the manager's callers and makes a coupling graph from them.
#include "prediction/cycle_parts.hpp"

#include "support/counted.hpp"

#include <cmath>
#include <compare>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

double seconds_at(std::span<const double> numbers, std::size_t at) {
    const double seconds = numbers[at];
    if (std::isfinite(seconds) && seconds >= 0) return seconds;
    throw PredictionError("value " + std::to_string(at + 1) + " must be seconds >= 0");
}

bool is_whole_within(double value, int most) {
    return std::isfinite(value) && value == std::floor(value) && std::abs(value) <= most;
}

bool is_partner(double number, int components) {
    if (!is_whole_within(number, 3 * way_step - 1)) return false;
    const int partner = partner_of(static_cast<int>(number));
    return partner >= 1 && partner <= components;
}

// A meeting of `from` with `to`: its place, and whether `from` waits there.
struct OneSide {
    std::size_t point = 0;
    bool waits = true;
};
struct Pair {
    std::size_t from = 0, to = 0;
    MeetingWay way = MeetingWay::meeting;
    auto operator<=>(const Pair &) const = default;
    [[nodiscard]] Pair seen_from_there() const {
        const MeetingWay other = way == MeetingWay::meeting ? way
                                 : way == MeetingWay::put   ? MeetingWay::get
                                                            : MeetingWay::put;
        return {to, from, other};
    }
};
using Sides = std::map<Pair, std::vector<OneSide>>;

Sides sides_of(const std::vector<CycleParts> &parts) {
    Sides sides;
    for (std::size_t c = 0; c < parts.size(); ++c) {
        for (std::size_t k = 0; k < parts[c].meetings.size(); ++k) {
            for (const int partner : parts[c].meetings[k].partners)
                sides[{c, static_cast<std::size_t>(partner_of(partner) - 1), way_of(partner)}].push_back(
                    {k, partner > 0});
        }
    }
    return sides;
}

const char *verb_of(MeetingWay way) {
    if (way == MeetingWay::meeting) return " meets component ";
    return way == MeetingWay::put ? " sends to component " : " receives from component ";
}

void check_sides(const Sides &sides) {
    for (const auto &[who, mine] : sides) {
        const auto other = sides.find(who.seen_from_there());
        const std::size_t theirs = other == sides.end() ? 0 : other->second.size();
        if (theirs == mine.size()) continue;
        throw PredictionError("component " + std::to_string(who.from + 1) + verb_of(who.way) +
                              std::to_string(who.to + 1) + " " + counted(mine.size(), "time") +
                              ", and the other way round it is " + counted(theirs, "time"));
    }
}

// `late`: PUTs that the next GET receives; the first GET receives what was sent before the cycle.
CouplingGraph graph_with(const std::vector<CycleParts> &parts, const Sides &sides, const std::set<Pair> &late) {
    std::vector<Constituent> constituents(parts.size());
    for (std::size_t c = 0; c < parts.size(); ++c) {
        constituents[c].name = "component " + std::to_string(c + 1);
        for (const CycleMeeting &meeting : parts[c].meetings)
            constituents[c].points.push_back({meeting.computing_s, {}});
        constituents[c].last_s = parts[c].last_s;
    }
    for (const auto &[who, mine] : sides) {
        const std::vector<OneSide> &theirs = sides.at(who.seen_from_there());
        const std::size_t put_late = who.way == MeetingWay::put && late.count(who) != 0 ? 1 : 0;
        const std::size_t get_late = who.way == MeetingWay::get && late.count(who.seen_from_there()) != 0 ? 1 : 0;
        for (std::size_t k = get_late; k + put_late < mine.size(); ++k) {
            if (!mine[k].waits) continue;
            const OneSide &there = theirs[k + put_late - get_late];
            constituents[who.from].points[mine[k].point].waits_for.push_back({who.to, there.point});
        }
    }
    return CouplingGraph(constituents);
}

// The sets of PUTs that may be late: none, all, or each one alone; if there are few PUTs, all possible sets.
std::vector<std::set<Pair>> what_may_be_late(const Sides &sides) {
    constexpr std::size_t few = 6;
    std::vector<Pair> puts;
    for (const auto &[who, mine] : sides)
        if (who.way == MeetingWay::put) puts.push_back(who);
    std::vector<std::set<Pair>> sets = {{}};
    if (puts.size() > few) {
        for (const Pair &put : puts)
            sets.push_back({put});
        sets.emplace_back(puts.begin(), puts.end());
        return sets;
    }
    for (std::size_t bits = 1; bits < (std::size_t{1} << puts.size()); ++bits) {
        std::set<Pair> chosen;
        for (std::size_t i = 0; i < puts.size(); ++i)
            if ((bits >> i & 1U) != 0) chosen.insert(puts[i]);
        sets.push_back(std::move(chosen));
    }
    return sets;
}

// The distance of the graph's cycle from the measured one, as a logarithm; 0 if that one is not known.
double misses_by(const CouplingGraph &graph, double cycle_s) {
    if (!(cycle_s > 0)) return 0;
    return std::abs(std::log(graph.length_s(std::vector<double>(graph.components(), 1)) / cycle_s));
}

} // namespace

CycleParts unpack_parts(std::span<const double> numbers, int component, int components) {
    CycleParts parts;
    std::size_t at = 0;
    while (at + 1 < numbers.size()) {
        CycleMeeting meeting{seconds_at(numbers, at), {}};
        const double partners = numbers[at + 1];
        if (!is_whole_within(partners, components) || partners < 1)
            throw PredictionError("value " + std::to_string(at + 2) + " must be a number of partners from 1 to " +
                                  std::to_string(components - 1));
        at += 2;
        for (int p = 0; p < static_cast<int>(partners); ++p, ++at) {
            if (at >= numbers.size() || !is_partner(numbers[at], components) ||
                partner_of(static_cast<int>(numbers[at])) == component)
                throw PredictionError("value " + std::to_string(at + 1) + " must be the number of another component");
            meeting.partners.push_back(static_cast<int>(numbers[at]));
        }
        parts.meetings.push_back(std::move(meeting));
    }
    if (at >= numbers.size()) throw PredictionError("the seconds after the last meeting are missing");
    parts.last_s = seconds_at(numbers, at);
    return parts;
}

std::vector<double> pack_parts(const CycleParts &parts) {
    std::vector<double> numbers;
    for (const CycleMeeting &meeting : parts.meetings) {
        numbers.push_back(meeting.computing_s);
        numbers.push_back(static_cast<double>(meeting.partners.size()));
        numbers.insert(numbers.end(), meeting.partners.begin(), meeting.partners.end());
    }
    numbers.push_back(parts.last_s);
    return numbers;
}

CouplingGraph graph_of_parts(const std::vector<CycleParts> &parts, double cycle_s) {
    constexpr double near = 0.02; // what else may be late does not explain the cycle better
    const Sides sides = sides_of(parts);
    check_sides(sides);
    std::optional<CouplingGraph> best;
    std::string ring;
    for (const std::set<Pair> &late : what_may_be_late(sides)) {
        try {
            CouplingGraph graph = graph_with(parts, sides, late);
            if (!best || misses_by(graph, cycle_s) + near < misses_by(*best, cycle_s)) best.emplace(std::move(graph));
        } catch (const PredictionError &error) {
            if (ring.empty()) ring = error.what();
        }
        if (best && misses_by(*best, cycle_s) <= near) break;
    }
    if (!best) throw PredictionError(ring);
    return *best;
}

} // namespace cpl_lb
