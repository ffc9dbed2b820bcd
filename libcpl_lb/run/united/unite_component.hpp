// One component of which one program has the events of all processes, as after a crash or from another tool's trace:
// makes the union of the events, the load balance and the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "events/alignment.hpp"
#include "events/catalogue.hpp"
#include "events/event_order.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// Processes in the order of Component::ranks.
struct EventsOfProcesses {
    const Catalogue *catalogue = nullptr; // outlives the union
    bool use_dates = false;
    std::function<LocalEvents(std::size_t)>
        events; // gives the events of one process; called up to six times for each
};

// Three passes over the processes, for the events and in finish(), and without dates up to three more, which align
// them; memory for the component's events and one process.
class ComponentUnion {
public:
    // component: everything but events, balance and times away.
    ComponentUnion(Component component, EventsOfProcesses from);
    // The component between the passes, with its events.
    [[nodiscard]] Component &component() { return component_; }
    // Empty if all processes recorded the same numbers of each event, or with dates.
    [[nodiscard]] const Alignment &alignment() const { return alignment_; }
    // Remarks on processes that recorded different numbers of an event.
    [[nodiscard]] std::vector<std::string> alignment_remarks() const;
    // header: the members that are not the component's. path empty: no timeline.
    Component finish(const std::string &path, TimelineHeader header, bool compress);

private:
    [[nodiscard]] KeyRule rule(std::size_t process) const;

    EventsOfProcesses from_;
    Component component_;
    Alignment alignment_;
    std::vector<OccurrenceKey> order_;
    std::int64_t away_intervals_ = 0;
};

// The timelines of a run in a folder.
struct UnitedTimelines {
    std::string folder; // empty: nothing is written
    bool compress = false;
    TimelineHeader header; // the members that are those of the run
    std::vector<std::string> stems = file_stems(header.component_names);

    // The next of the run's components with its timeline, and what is to be told of it. Returns the timeline's name.
    std::string add(ComponentUnion component, CoupledRun &run) const;
};

// The memory and output that input of `bytes` may cause beyond its events, because its counts are not trusted.
[[nodiscard]] constexpr double bytes_supported_by(std::uint64_t bytes) {
    return 64e6 + 64.0 * static_cast<double>(bytes);
}
// Each timeline names all components and fields. Throws FileError if the files are too small for their number.
void refuse_more_than_input_supports(const std::string &whose, const TimelineHeader &header, std::uint64_t bytes);

} // namespace cpl_lb
