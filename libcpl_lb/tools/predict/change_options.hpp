// Changes to a model as the command line of cpl-lb predict gives them.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/changes.hpp"
#include "tools/command_line.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

struct ChangeOptions {
    std::vector<std::string> faster, lags, every, balanced, in_turn, side_by_side;
    std::string mapping_at;
    double transfer = 1;
    std::int64_t output_every = 1;
    bool no_output = false, quiet = false, what_if = false;

    [[nodiscard]] bool any() const;
    // As they were given: "--lag SST=1".
    [[nodiscard]] std::vector<std::string> in_words() const;
};
void add_change_options(cli::App &command, const std::shared_ptr<ChangeOptions> &options);

// Throws cli::WrongUsage for what is not NAME=NUMBER, and for options that exclude each other; PredictionError if
// noise is to go and is known of no component.
[[nodiscard]] Changes changes_of(const ChangeOptions &options, const CoupledRun &run);

} // namespace cpl_lb
