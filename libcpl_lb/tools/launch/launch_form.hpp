// The forms in which counts are printed, by name. All others are templates of the user's (launch_template.cpp).
#pragma once

#include "tools/launch/launch_plan.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct LaunchLines {
    std::string text{};    // whole lines
    std::string why_not{}; // why there are none, in words
};

struct LaunchForm {
    const char *name;
    const char *what;
    LaunchLines (*lines)(const LaunchPlan &plan);
};

[[nodiscard]] LaunchLines mpirun_lines(const LaunchPlan &plan);
[[nodiscard]] LaunchLines srun_lines(const LaunchPlan &plan);

// In the order of the help and of the lines. Without --launch all of them are printed.
[[nodiscard]] const std::vector<LaunchForm> &launch_forms();

// Functions that both share.

// "./ocean", after cpl-lb-record if MPI was recorded: words for a shell.
[[nodiscard]] std::string program_of(const LaunchPart &part);
// Processes fill node after node and leave none of a node's cores idle, or components may share nodes.
[[nodiscard]] bool fills_nodes(const LaunchPlan &plan);
// The words for components that run in turn on the same processes: only the user knows their executables.
[[nodiscard]] std::string in_turn_lines(const LaunchPlan &plan);

// A text of the user's own, a job script or a namelist, with the counts filled in (launch_template.cpp).
// {ocean} and {ocean.processes} become the processes of the ocean, {ocean.threads} the threads of each,
// {ocean.cores}, {ocean.nodes} (with whole nodes only), {ocean.first} and {ocean.last} its ranks in the job,
// {ocean.tiles_i} x {ocean.tiles_j} its processes; {total} the processes of the job, {cores}, {nodes}. {{ and }} are
// braces; ${...} belongs to the shell and is kept. `path`: the file of `text`, for errors. Throws FileError with line
// for an unknown name, a brace without its other end, and a figure that is not known.
[[nodiscard]] std::string filled_template(const std::string &text, const std::string &path, const LaunchPlan &plan);

} // namespace cpl_lb
