// Shared by the commands that read runs: options for what timelines do not say, names of components, folders given
// twice.
#pragma once

#include "data/coupled_run.hpp"
#include "run/loaded/load_run.hpp"
#include "tools/command_line.hpp"

#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// `hints` must live as long as the command.
void add_timeline_options(cli::App &command, TimelineHints &hints);
// --order alone, for answers that need no simulated seconds. It applies to all folders of the command.
void add_order_option(cli::App &command, std::vector<std::string> &order);

// --members, of commands that show a run.
void add_members_option(cli::App &command, std::string &members);

// Throws FileError if two name the same folder: a run that counts twice makes answers look more certain than they
// are.
void refuse_folders_twice(const std::vector<std::string> &folders);

// Refuses copies, too: two runs with one name that began and ended at the same time are one run. Jobs of a chain may
// have the same name (cn_run), but do not start together. `runs`: those of the folders, in their order.
void refuse_runs_twice(const std::vector<CoupledRun> &runs, const std::vector<std::string> &folders);

// Writes the page of a run whose timelines, among `files` in that folder, were just written, and prints the run: as
// json, or its remarks and summary, which would repeat only the first ones.
void print_results(CoupledRun run, const std::string &folder, std::vector<std::string> files, bool json);

// --rename OLD=NEW: a component that was called otherwise in some of the runs.
class Renames {
public:
    // Lives as long as the command.
    void add_option(cli::App &command);
    // Throws std::invalid_argument if it gives two components one name, or is not OLD=NEW.
    void apply(CoupledRun &run);
    // After all runs. Throws std::invalid_argument for a name that no component has.
    void check_all_used() const;

private:
    [[nodiscard]] std::string new_name(const std::string &name);
    std::vector<std::string> given_;
    std::set<std::string> used_;
};

} // namespace cpl_lb
