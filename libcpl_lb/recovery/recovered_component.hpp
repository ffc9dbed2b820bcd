// One component of a run that died: the union of its processes' events, the load balance, the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "io/timeline.hpp"
#include "recovery/recovered_process.hpp"
#include "recovery/spool_folder.hpp"

#include <functional>
#include <memory>
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
    // Decoded anew each time where memory would not hold all.
    std::function<std::shared_ptr<const RecoveredProcess>(std::size_t)> process;
    const Catalogue *catalogue = nullptr;
    std::int32_t id = 0;
    std::vector<Member> members; // by rank
    Nanoseconds zero = 0;        // of the run
};

// Two passes over the processes; memory for the component's events and one process.
class RecoveredComponent {
public:
    explicit RecoveredComponent(const RecoveredComponentInput &input);
    // Balance and timeline (header: what is not of the component) in one pass; path empty: no timeline.
    Component finish(const std::string &path, TimelineHeader header, bool compress);

private:
    [[nodiscard]] LocalEvents events(const Member &member) const;
    void unite_events();
    void find_limits();
    void add_limits(const Member &member, const RecoveredProcess &process, std::int64_t most_exchanges);

    const RecoveredComponentInput &in_;
    bool use_dates_ = false;
    std::vector<OccurrenceKey> order_;
    Component component_;
    std::int64_t away_intervals_ = 0;
};

} // namespace cpl_lb
