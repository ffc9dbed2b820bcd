// The commands of the models, each with its options; its callback throws when the input is bad. And the options that
// cpl-lb roofline and cpl-lb report share.
#pragma once

#include "projection/tools/roofline/roofline_sources.hpp"
#include "tools/command_line.hpp"
#include "tools/commands.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace cpl_lb {

void add_assert_command(cli::App &app);
void add_energy_command(cli::App &app);
void add_machine_command(cli::App &app);
void add_project_command(cli::App &app);
void add_roofline_command(cli::App &app);
// Adds the options for a machine to `cpl-lb report`; as RooflineOptions of tools/commands.hpp.
[[nodiscard]] std::function<RooflineOfRun()> roofline_of_page(cli::App &report);

// --threads, --process-threads and --all-threads, of commands that read runs.
struct ThreadOptions {
    std::int64_t of_node = 0, of_process = 0; // 0: not said
    bool all = false;

    [[nodiscard]] CoresAtWork said(int most = 0) const {
        return {static_cast<int>(of_node), static_cast<int>(of_process), most, all};
    }
};

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
