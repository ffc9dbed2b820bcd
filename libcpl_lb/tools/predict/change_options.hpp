// Changes to a model as the command line of cpl-lb predict gives them.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/changes.hpp"
#include "tools/command_line.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct ChangeOptions {
    std::vector<std::string> faster, lags, every, balanced, in_turn, side_by_side;
    std::string mapping_at;
    double transfer = 1;
    std::int64_t output_every = 1;

    [[nodiscard]] bool any() const;
    // As they were given: "--lag SST=1".
    [[nodiscard]] std::vector<std::string> in_words() const;
};
// What may be combined with any other change.
void add_change_options(cli::App &command, ChangeOptions &options);
// The cores stay as they are: who does the mapping.
void add_mapping_option(cli::App &command, ChangeOptions &options);
// Who computes on whose cores.
void add_turn_options(cli::App &command, ChangeOptions &options);

// Throws cli::WrongUsage for what is not NAME=NUMBER, and for options that exclude each other; PredictionError if
// the imbalance of all components is to go and is known of none.
[[nodiscard]] Changes changes_of(const ChangeOptions &options, const CoupledRun &run);

} // namespace cpl_lb
