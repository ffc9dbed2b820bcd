// --rename OLD=NEW: a component that was called otherwise in some of the runs.
#pragma once

#include "data/coupled_run.hpp"
#include "history/run_record.hpp"
#include "tools/command_line.hpp"

#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

class Renames {
public:
    // Lives as long as the command.
    void add_option(cli::App &command);
    // Throw std::invalid_argument where it makes two components of one name, or is not OLD=NEW.
    void apply(CoupledRun &run);
    void apply(RunRecord &run);
    // After all runs. Throws std::invalid_argument for a name that no component has.
    void check_all_used() const;

private:
    [[nodiscard]] std::string new_name(const std::string &name);
    std::vector<std::string> given_;
    std::set<std::string> used_;
};

} // namespace cpl_lb
