// Steps 5 to 7 of cpl_lb_terminate: each component of this process, one after the other.
#pragma once

#include "data/coupled_run.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/agreed.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/timeline_home.hpp"

#include <optional>
#include <vector>

namespace cpl_lb {

// The components that this process leads, and their timelines.
struct LedComponents {
    std::vector<Component> components;
    std::vector<TimelineHome> timelines; // one for each component
};

// Collective over the processes of each component. Takes the decoded events.
[[nodiscard]] std::optional<LedComponents> gather_components(const ProcessRecord &record, DecodedRecord &decoded,
                                                             const Agreed &agreed, ProblemList &problems);

[[nodiscard]] inline bool writes_timelines(const ProcessRecord &record, const Agreed &agreed) {
    return record.settings.timeline && !agreed.folder.missing;
}

} // namespace cpl_lb
