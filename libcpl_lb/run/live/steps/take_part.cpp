// Meets the others, and says who is missing.
#include "run/live/steps/take_part.hpp"

#include "data/error_codes.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

// The processes of a list, for a message: "4, 5, 6 and 12 more".
std::string some_of(const std::vector<std::string> &names) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string missing_in_words(const Meeting &meeting, const ProcessMap &process_map) {
    std::map<std::string, std::size_t> by_component;
    for (const int rank : meeting.missing)
        ++by_component[process_map.component_name_of(rank)];
    std::vector<std::string> parts;
    parts.reserve(by_component.size());
    for (const auto &[name, count] : by_component)
        parts.push_back(fmt::format("{} of {}", count, name));
    return some_of(parts);
}

// One line for each component is enough.
void tell_why_not(const Meeting &meeting, const ProcessRecord &record) {
    const ProcessMap &process_map = record.process_map;
    const int rank = record.transport->rank();
    const auto component = process_map.component_of_rank[static_cast<std::size_t>(rank)];
    if (process_map.lowest_rank_of_component(component) != rank) return;
    tell(meeting.held
             ? fmt::format("{} came to cpl_lb_terminate too late: the others went on without it", record.component)
             : fmt::format("{}: the other processes did not come to cpl_lb_terminate within {} s: no "
                           "results",
                           record.component, record.settings.timeout_s));
}

} // namespace

Meeting take_part(const ProcessRecord &record, ProblemList &problems) {
    const Nanoseconds arrival = record.arrival.monotonic_ns + record.first_offset.offset;
    Meeting meeting = meet(*record.transport, record.process_map, arrival, record.first_offset.offset);
    if (!meeting.held || !meeting.includes_me) {
        problems.end_with(error::timeout);
        tell_why_not(meeting, record);
        meeting.present.clear();
        return meeting;
    }
    if (!meeting.missing.empty() && meeting.present.front() == record.transport->rank()) {
        problems.add(error::timeout,
                     fmt::format("{} of {} processes did not come to cpl_lb_terminate within {} s ({}): the results "
                                 "are without them",
                                 meeting.missing.size(), record.process_map.size(), record.settings.timeout_s,
                                 missing_in_words(meeting, record.process_map)));
    }
    return meeting;
}

} // namespace cpl_lb
