// The words of cpl-lb machine, each with its options; its callback throws when the input is bad. And the options that
// several of them have.
#pragma once

#include "projection/tools/roofline/roofline_sources.hpp"
#include "tools/command_line.hpp"
#include "tools/commands.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {

void add_machine_command(cli::App &app); // with all the others
void add_assert_word(cli::App &machine);
void add_energy_word(cli::App &machine);
void add_fit_word(cli::App &machine);
void add_gpu_word(cli::App &machine);
void add_joules_word(cli::App &machine);
void add_power_word(cli::App &machine);
void add_project_word(cli::App &machine);
void add_queue_word(cli::App &machine);
void add_roofline_word(cli::App &machine);
void add_vectors_word(cli::App &machine);
void add_workflow_word(cli::App &machine);
// Adds the options for a machine to `cpl-lb report`; as RooflineOptions of tools/commands.hpp.
[[nodiscard]] std::function<RooflineOfRun()> roofline_of_page(cli::App &report);

// --threads, --process-threads: which cores work in the runs that a command reads.
std::vector<cli::Option *> add_thread_options(cli::App &command, CoresAtWork &said);
cli::Option *add_clock_option(cli::App &command, std::string &clock);
// For WorkParameters::set.
void add_set_option(cli::App &command, std::vector<std::string> &settings, const std::string &description);

// A check of an option: what `read` finds wrong with the text; empty: nothing.
template <auto read>
[[nodiscard]] std::string refusal(const std::string &text) {
    try {
        (void)read(text);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

} // namespace cpl_lb
