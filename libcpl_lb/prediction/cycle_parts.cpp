// Checks the numbers of the manager's callers and makes a coupling graph of them.
#include "prediction/cycle_parts.hpp"

#include "support/counted.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
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

// A meeting of `from` with `to`: where, and whether `from` waits there.
struct OneSide {
    std::size_t point = 0;
    bool waits = true;
};
using Sides = std::map<std::pair<std::size_t, std::size_t>, std::vector<OneSide>>;

Sides sides_of(const std::vector<CycleParts> &parts) {
    Sides sides;
    for (std::size_t c = 0; c < parts.size(); ++c) {
        for (std::size_t k = 0; k < parts[c].meetings.size(); ++k) {
            for (const int partner : parts[c].meetings[k].partners)
                sides[{c, static_cast<std::size_t>(std::abs(partner) - 1)}].push_back({k, partner > 0});
        }
    }
    return sides;
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
            const bool there = at < numbers.size() && is_whole_within(numbers[at], components) && numbers[at] != 0;
            if (!there || std::abs(numbers[at]) == component)
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

CouplingGraph graph_of_parts(const std::vector<CycleParts> &parts) {
    std::vector<Constituent> constituents(parts.size());
    for (std::size_t c = 0; c < parts.size(); ++c) {
        constituents[c].name = "component " + std::to_string(c + 1);
        for (const CycleMeeting &meeting : parts[c].meetings)
            constituents[c].points.push_back({meeting.computing_s, {}});
        constituents[c].last_s = parts[c].last_s;
    }
    Sides sides = sides_of(parts);
    for (const auto &[who, mine] : sides) {
        const auto other = sides.find({who.second, who.first});
        const std::size_t theirs = other == sides.end() ? 0 : other->second.size();
        if (theirs != mine.size()) {
            throw PredictionError("component " + std::to_string(who.first + 1) + " meets component " +
                                  std::to_string(who.second + 1) + " " + counted(mine.size(), "time") +
                                  ", and the other way round it is " + counted(theirs, "time"));
        }
        for (std::size_t k = 0; k < theirs; ++k) {
            if (!mine[k].waits) continue;
            constituents[who.first].points[mine[k].point].waits_for.push_back({who.second, other->second[k].point});
        }
    }
    return CouplingGraph(constituents);
}

} // namespace cpl_lb
