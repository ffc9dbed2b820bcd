// --launch, --template, -o, --form-name, --tiles: in which form a command prints the counts that it recommends.
#pragma once

#include "io/json/json_tree.hpp"
#include "tools/command_line.hpp"
#include "tools/launch/launch_plan.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct LaunchOptions {
    std::vector<std::string> forms;             // empty: those by default
    std::string pattern, output;                // files; empty: none
    std::vector<std::string> form_names, tiles; // COMPONENT=NAME, COMPONENT=IxJ

    [[nodiscard]] bool asked() const { return !forms.empty() || !pattern.empty(); }
};

// `options` must live as long as the command.
void add_launch_options(cli::App &command, LaunchOptions &options);

// Checks everything that does not need a run. Throws std::invalid_argument.
void check(const LaunchOptions &options);

struct LaunchText {
    // For standard output: the requested forms, or the default ones; for a template its text. Empty if it was written
    // to a file.
    std::string text;
    // For programs: by form, and "template"; empty if a form has no lines.
    std::vector<std::pair<std::string, std::string>> by_form;
};

// Writes options.output if it is given. Throws std::invalid_argument for names that no component has and for tiles
// that do not give its processes, FileError for the files, and what form_names throws.
[[nodiscard]] LaunchText launch_text(const LaunchOptions &options, LaunchPlan plan);

// By form; null for a form without lines.
[[nodiscard]] JsonTree launch_json(const LaunchText &launch);

// Only the template's text is to be printed: a script reads it.
[[nodiscard]] bool is_template_alone(const LaunchOptions &options);

} // namespace cpl_lb
