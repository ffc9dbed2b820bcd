// --launch, also called --template: in which form a command prints the counts that it recommends.
#pragma once

#include "io/json/json_tree.hpp"
#include "tools/command_line.hpp"
#include "tools/launch/launch_plan.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct LaunchOptions {
    std::vector<std::string> words; // as given
    std::vector<std::string> forms; // empty: all
    std::string pattern;            // a file; empty: none

    [[nodiscard]] bool asked() const { return !forms.empty() || !pattern.empty(); }
    // Only its text is to be printed: a script reads it.
    [[nodiscard]] bool is_template() const { return !pattern.empty(); }
};

// `options` must live as long as the command.
void add_launch_option(cli::App &command, LaunchOptions &options);

// Takes the words apart into forms and a file. Throws cli::WrongUsage.
void read_words(LaunchOptions &options);

struct LaunchText {
    std::string text; // for standard output: the requested forms, or all; for a template its text
    // For programs: by form, and "template"; empty if a form has no lines.
    std::vector<std::pair<std::string, std::string>> by_form;
};

// Throws FileError for the template.
[[nodiscard]] LaunchText launch_text(const LaunchOptions &options, const LaunchPlan &plan);

// By form; null for a form without lines.
[[nodiscard]] JsonTree launch_json(const LaunchText &launch);

} // namespace cpl_lb
