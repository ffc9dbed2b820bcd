// One component of a run that died: the union of its processes' events, the load balance, the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "events/alignment.hpp"
#include "io/timeline/timeline.hpp"
#include "run/recovered/recovered_process.hpp"
#include "run/recovered/recovery.hpp"
#include "run/united/unite_component.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// A process's part in the component.
struct Member {
    std::size_t process = 0; // index among the run's files
    std::size_t component = 0;
    ComponentPart part;
};

struct RecoveredComponentInput {
    const SpoolRun *spools = nullptr;
    // Decoded anew each time, if memory does not hold all.
    std::function<std::shared_ptr<const RecoveredProcess>(std::size_t)> process;
    const Catalogue *catalogue = nullptr;
    std::int32_t id = 0;
    std::vector<Member> members; // by rank
    Nanoseconds zero = 0;        // of the run
};

// Makes two passes over the processes, and up to two more if they recorded different numbers of an event. The memory
// is that of the component's events and one process.
class RecoveredComponent {
public:
    explicit RecoveredComponent(RecoveredComponentInput input);
    RecoveredComponent(const RecoveredComponent &) = delete; // its parts refer to each other
    RecoveredComponent &operator=(const RecoveredComponent &) = delete;
    // Makes the first pass. finish() makes it if the events were not needed before.
    Component &with_events();
    // Balance and timeline in one pass. header: the members that are not the component's. path empty: no timeline.
    Component finish(const std::string &path, TimelineHeader header, bool compress);
    [[nodiscard]] const std::vector<ClassShifts> &shifts() const { return alignment_.shifts; }

private:
    [[nodiscard]] LocalEvents events(const Member &member) const;
    void align_events();
    void find_limits();
    [[nodiscard]] std::int64_t exchanges(std::size_t member) const;
    void add_limits(std::size_t member, std::int64_t most_exchanges);

    RecoveredComponentInput in_;
    bool use_dates_ = false;
    Alignment alignment_; // of the members
    Component component_;
    EventsOfProcesses from_;
    std::optional<ComponentUnion> union_;
};

// For the remarks of a recovered run on missing data: facts about a process that are kept when its events are freed.
struct ProcessFacts {
    Nanoseconds first_init = 0;
    Nanoseconds last_mark = 0;
    Nanoseconds clock_bound = 0;
    DecodeProblems problems;
    bool clock_known = true;
    std::vector<ComponentPart> parts; // by local index; without entries where it has no part
};

[[nodiscard]] std::vector<std::string> recovery_remarks(const SpoolRun &run, const std::vector<ProcessFacts> &facts);

} // namespace cpl_lb
