// cpl-lb project --loops: a code of loops on machines, over numbers of nodes.
#pragma once

#include "projection/models/exchange_pattern.hpp"
#include "projection/models/work_parameters.hpp"
#include "projection/tools/project/project_output.hpp"
#include "tools/command_line.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct LoopOptions {
    std::string table, parameters, work_case; // files, and a row of `parameters`
    std::vector<std::string> set;             // NAME=NUMBER
    std::string pattern = "plain", grid;      // grid: "200x180"
    PatternedExchange exchange{ExchangePattern::plain, {unknown, unknown, unknown, unknown, unknown, 0}};
};

void add_loop_options(cli::App &command, LoopOptions &options, cli::Option *loops);

[[nodiscard]] WorkParameters work_parameters(const LoopOptions &options);

// threads 0: all of a machine. nodes: none is one node. Throws ProjectionError.
[[nodiscard]] std::vector<CodeProjection> project_code(const LoopOptions &options, const std::vector<CodeLoop> &loops,
                                                       const std::vector<std::string> &machines, MachineSetting at,
                                                       const std::vector<std::int64_t> &nodes);
[[nodiscard]] std::vector<RatesProjection> project_rates(const std::vector<CodeLoop> &loops,
                                                         const std::vector<std::string> &machines, MachineSetting at);

} // namespace cpl_lb
