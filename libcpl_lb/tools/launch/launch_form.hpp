// The forms in which counts are printed, by name. A new form needs only its function and its row in rows.inc.
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
    bool by_default; // printed if the user asks for no form
    const char *what;
    LaunchLines (*lines)(const LaunchPlan &plan);
};

#define FORM(name, by_default, what) [[nodiscard]] LaunchLines name##_lines(const LaunchPlan &plan);
#include "tools/launch/rows.inc"
#undef FORM

[[nodiscard]] const std::vector<LaunchForm> &launch_forms();

// Functions that several forms share.

// "./ocean", after cpl-lb-record if MPI was recorded.
[[nodiscard]] std::string program_of(const LaunchPart &part);
// Processes fill node after node and leave none of a node's cores idle, or components may share nodes.
[[nodiscard]] bool fills_nodes(const LaunchPlan &plan);
// The words for components that run in turn on the same processes: only the user knows their executables.
[[nodiscard]] std::string in_turn_lines(const LaunchPlan &plan);
// The names that a form gives to components.
struct FormNames {
    const char *form;
    std::vector<std::string> known;                             // a component that is called so has this name
    std::vector<std::pair<std::string, std::string>> also = {}; // other words for them: {"RIVER", "ROF"}
    bool only_these = true;                                     // the user may give no other name
};
// The name of each part: the user's, else its own in capital letters if the form knows it; empty: none. Throws
// std::invalid_argument if two parts have one name, if no part has any, or if the user's name is not possible.
[[nodiscard]] std::vector<std::string> form_names(const LaunchPlan &plan, const FormNames &names);
// "# Without a name in this form: ioserver." for parts whose name is empty; empty: none.
[[nodiscard]] std::string without_name(const LaunchPlan &plan, const std::vector<std::string> &names,
                                       const std::string &comment);

// A text of the user's own, a job script or a namelist, with the counts filled in (launch_template.cpp).
// {ocean} and {ocean.processes} become the processes of the ocean, {ocean.threads} the threads of each,
// {ocean.cores}, {ocean.nodes} (with whole nodes only), {ocean.first} and {ocean.last} its ranks in the job,
// {ocean.tiles_i} x {ocean.tiles_j} its processes; {total} the processes of the job, {cores}, {nodes}. {{ and }} are
// braces; ${...} belongs to the shell and is kept. `path`: the file of `text`, for errors. Throws FileError with line
// for an unknown name, a brace without its other end, and a figure that is not known.
[[nodiscard]] std::string filled_template(const std::string &text, const std::string &path, const LaunchPlan &plan);

} // namespace cpl_lb
