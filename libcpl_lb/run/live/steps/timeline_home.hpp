// Where a component's master writes its timeline: in the output folder, or on its own node if it does not see that
// folder.
#pragma once

#include "run/live/problem_list.hpp"
#include "run/live/steps/output_folder.hpp"

#include <cstdint>
#include <string>

namespace cpl_lb {

// Where a component's timeline is, once its master has written it or could not.
enum class TimelineIs : std::int32_t { missing, in_the_folder, on_another_node };
struct TimelineHome {
    std::string path;
    TimelineIs is = TimelineIs::missing;
};

[[nodiscard]] TimelineHome home_of_timeline(const OutputFolder &folder, bool is_root, const std::string &stem);
// Called after the component's rows. error: why there is no file; empty: there is one.
[[nodiscard]] TimelineHome note_timeline(TimelineHome home, const std::string &error, ProblemList &problems);
// Removes a file that was brought to the root, and the folder that was made for it.
void remove_local(const std::string &path);

} // namespace cpl_lb
