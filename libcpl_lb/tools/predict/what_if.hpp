// What changes to a model would bring, as cpl-lb predict is asked and tells it.
#pragma once

#include "io/json/json_tree.hpp"
#include "prediction/changes.hpp"
#include "prediction/predictor.hpp"
#include "prediction/single_changes.hpp"
#include "tools/command_line.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

// The options --faster, --lag, --every, --no-output, --output-every and --what-if.
struct ChangeOptions {
    std::vector<std::string> faster, lags, every, balanced;
    std::int64_t output_every = 1;
    bool no_output = false, quiet = false, what_if = false;

    [[nodiscard]] bool any() const;
};
void add_change_options(cli::App &command, const std::shared_ptr<ChangeOptions> &options);

// Throws cli::WrongUsage for what is not NAME=NUMBER, and for options that exclude each other.
[[nodiscard]] Changes changes_of(const ChangeOptions &options, const std::vector<std::string> &components);

[[nodiscard]] std::string what_if_text(const CoupledRun &run, const MeasuredGraph &measured, const WhatIf &answer);
[[nodiscard]] JsonTree what_if_json(const CoupledRun &run, const MeasuredGraph &measured, const WhatIf &answer);
[[nodiscard]] std::string single_changes_text(const std::vector<SingleChange> &changes);
[[nodiscard]] JsonTree single_changes_json(const std::vector<SingleChange> &changes);

} // namespace cpl_lb
