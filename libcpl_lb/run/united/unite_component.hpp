// One component where one program has the events of all its processes, as after a crash or from another tool's trace:
// the union of the events, the load balance, the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "events/alignment.hpp"
#include "events/catalogue.hpp"
#include "events/event_order.hpp"
#include "io/timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// Processes in the order of Component::ranks.
struct EventsOfProcesses {
    const Catalogue *catalogue = nullptr;
    const Alignment *alignment = nullptr; // of processes that recorded different numbers of an event
    bool use_dates = false;
    std::function<LocalEvents(std::size_t)> events; // of one process; asked for twice
};

// Two passes over the processes, one for the events and one in finish(); memory for the component's events and one
// process. `from` outlives this object.
class ComponentUnion {
public:
    // component: all but events, balance and times away.
    ComponentUnion(Component component, const EventsOfProcesses &from);
    // Between the passes: with its events.
    [[nodiscard]] Component &component() { return component_; }
    // header: what is not of the component. path empty: no timeline.
    Component finish(const std::string &path, TimelineHeader header, bool compress);

private:
    [[nodiscard]] KeyRule rule(std::size_t process) const;
    void unite_events();

    const EventsOfProcesses &from_;
    Component component_;
    std::vector<OccurrenceKey> order_;
    std::int64_t away_intervals_ = 0;
};

// Both passes.
[[nodiscard]] Component unite_component(Component component, const EventsOfProcesses &from, const std::string &path,
                                        TimelineHeader header, bool compress);

// Memory and output that input of `bytes` may cause beyond its events: the counts in it may be anybody's.
[[nodiscard]] constexpr double bytes_supported_by(std::uint64_t bytes) {
    return 64e6 + 64.0 * static_cast<double>(bytes);
}
// Each timeline names all components and fields. Throws FileError if files of so many bytes do not support that.
void refuse_more_than_input_supports(const std::string &whose, const TimelineHeader &header, std::uint64_t bytes);

// Processes that recorded different numbers of an event, in words.
[[nodiscard]] std::vector<std::string> alignment_remarks(const std::vector<ClassShifts> &shifts,
                                                         const Catalogue &catalogue);

} // namespace cpl_lb
