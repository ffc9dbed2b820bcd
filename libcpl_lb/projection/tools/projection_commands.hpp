// The commands of the models, each with its options; its callback throws when the input is bad. And the options that
// cpl-lb roofline and cpl-lb report share.
#pragma once

#include "data/coupled_run.hpp"
#include "page/page.hpp"
#include "projection/roofline/roofline.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"
#include "tools/command_line.hpp"
#include "tools/commands.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace cpl_lb {

void add_assert_command(cli::App &app);
void add_energy_command(cli::App &app);
void add_machine_command(cli::App &app);
void add_project_command(cli::App &app);
void add_roofline_command(cli::App &app);

// --threads, --process-threads and --all-threads, of commands that read runs.
struct ThreadOptions {
    std::int64_t of_node = 0, of_process = 0; // 0: not said
    bool all = false;

    [[nodiscard]] CoresAtWork said(int most = 0) const {
        return {static_cast<int>(of_node), static_cast<int>(of_process), most, all};
    }
};

// The options of cpl-lb roofline and cpl-lb report that choose a machine and say how it ran, and the roofline of a
// run's page.
struct MachineOptions {
    std::string machine, vector, access, clock;
    ThreadOptions threads;
};

// Returns --machine, which the others need. `options` must live as long as the command.
cli::Option *add_machine_options(cli::App &command, MachineOptions &options);

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

// 0 threads if none were said.
[[nodiscard]] RooflineSetting setting_of(const MachineOptions &options);
[[nodiscard]] CoresAtWork cores_of(const MachineOptions &options, const Machine &machine);

// The regions of a run on a machine; where the run has none, why_not says so. Throws std::invalid_argument as
// roofline_of() does.
[[nodiscard]] PageRoofline page_roofline(const CoupledRun &run, const Machine &machine, RooflineSetting setting,
                                         const CoresAtWork &said);

} // namespace cpl_lb
