// One component of a run that died: the union of its processes' events, the load balance, the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "run/recovered/recovered_process.hpp"
#include "run/recovered/recovery.hpp"
#include "run/united/unite_component.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

// Facts about a process that are kept when its events are freed.
struct ProcessFacts : ProcessTimes {
    DecodeProblems problems;
    std::vector<ComponentPart> parts; // by local index; without entries where it has no part
};

// A first look at all files: the parts of the run, and its length.
struct KnownRun {
    std::vector<ProcessFacts> facts; // of each file
    Catalogue catalogue;
    Nanoseconds zero = std::numeric_limits<Nanoseconds>::max(); // earliest cpl_lb_init
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min(); // latest mark

    [[nodiscard]] Nanoseconds length() const { return last - zero; }
};

// By the index of its file. Decoded anew each time, if memory does not hold all.
using ProcessSource = std::function<std::shared_ptr<const RecoveredProcess>(std::size_t)>;

// The component of that id, between its passes. It takes one more pass over the processes. The memory is that of the
// component's events and one process. spools and known outlive it.
[[nodiscard]] ComponentUnion recover_component(const SpoolRun &spools, const KnownRun &known,
                                               const ProcessSource &process, std::int32_t id);

// Counts the missing processes of components of which others have a file.
void enter_missing_of_components(std::vector<Component> &components, const SpoolRun &spools);

// On missing data. info: with the missing processes.
[[nodiscard]] std::vector<std::string> recovery_remarks(const SpoolRun &run, const RunInfo &info,
                                                        const std::vector<ProcessFacts> &facts);

} // namespace cpl_lb
