// Counts in how many unusual and usual steps each operation lies.
#include "analysis/step_cause.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The time of the step before each exchange, also if only some of the exchanges were chosen.
std::vector<Interval> steps_before(const ChosenExchanges &chosen) {
    std::vector<Interval> steps(chosen.list.size());
    for (std::uint32_t g = 0; g < chosen.groups; ++g) {
        const std::vector<std::uint32_t> places = chosen.places_of(g);
        const Nanoseconds all = chosen.list[places.back()].first - chosen.list[places.front()].first;
        const auto between = static_cast<Nanoseconds>(places.size() - 1) * static_cast<Nanoseconds>(chosen.one_in);
        const Nanoseconds step = between > 0 ? all / between : 0;
        for (std::size_t n = 0; n < places.size(); ++n) {
            const ChosenExchange &e = chosen.list[places[n]];
            const bool after_one = n > 0 && chosen.one_in == 1;
            const Nanoseconds begin = after_one ? chosen.list[places[n - 1]].first : e.first - step;
            steps[places[n]] = {begin, e.first + e.jitter};
        }
    }
    return steps;
}

struct Seen {
    double unusual = 0, usual = 0; // exchanges before which it lies
};

} // namespace

std::string cause_of_steps(const ChosenExchanges &chosen, std::span<const std::uint8_t> unusual,
                           const EventTable &events, const std::vector<std::string> &field_names) {
    const std::vector<EventClass> &classes = events.keys.classes();
    const auto all_unusual = static_cast<double>(std::count(unusual.begin(), unusual.end(), std::uint8_t{1}));
    const double all_usual = static_cast<double>(unusual.size()) - all_unusual;
    if (all_unusual == 0 || all_usual == 0) return "";
    const std::vector<Interval> steps = steps_before(chosen);
    std::vector<std::vector<Nanoseconds>> begins(classes.size());
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const std::uint32_t c = events.keys.class_of(k);
        if (is_operation(classes[c].kind) && !events.spans[k].empty())
            begins[c].push_back(events.spans[k].first_start);
    }
    double best = 0.6;
    std::string cause;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (begins[c].empty()) continue;
        std::sort(begins[c].begin(), begins[c].end());
        Seen seen;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto next = std::lower_bound(begins[c].begin(), begins[c].end(), steps[i].start);
            if (next == begins[c].end() || *next >= steps[i].stop) continue;
            (unusual[i] != 0 ? seen.unusual : seen.usual) += 1;
        }
        const double in_unusual = seen.unusual / all_unusual, in_usual = seen.usual / all_usual;
        if (in_unusual < 0.8 || in_usual > 0.2 || in_unusual - in_usual <= best) continue;
        best = in_unusual - in_usual;
        const auto field = static_cast<std::size_t>(classes[c].field);
        cause = std::string(name_of(classes[c].kind));
        if (field >= 1 && field <= field_names.size()) cause += " of " + field_names[field - 1];
    }
    return cause;
}

} // namespace cpl_lb
