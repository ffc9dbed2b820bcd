// A text of the user's own, a job script or a namelist, with the counts filled in.
#pragma once

#include "tools/launch/launch_plan.hpp"

#include <string>

namespace cpl_lb {

// {ocean} and {ocean.processes} become the processes of the ocean, {ocean.threads} the threads of each,
// {ocean.cores}, {ocean.nodes} (with whole nodes only), {ocean.first} and {ocean.last} its ranks in the job,
// {ocean.tiles_i} x {ocean.tiles_j} its processes; {total} the processes of the job, {cores}, {nodes}. {{ and }} are
// braces; ${...} belongs to the shell and is kept. `path`: the file of `text`, for errors. Throws FileError with line
// for an unknown name, a brace without its other end, and a figure that is not known.
[[nodiscard]] std::string filled_template(const std::string &text, const std::string &path, const LaunchPlan &plan);

} // namespace cpl_lb
