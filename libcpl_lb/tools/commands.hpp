// The commands of cpl-lb: each adds itself with its options; its callback throws when the input is bad.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace cpl_lb {

void add_balance_command(CLI::App &app);
void add_counters_command(CLI::App &app);
void add_cpmip_command(CLI::App &app);
void add_export_command(CLI::App &app);
void add_predict_command(CLI::App &app);
void add_recover_command(CLI::App &app);
void add_report_command(CLI::App &app);
void add_summary_command(CLI::App &app);
void add_watch_command(CLI::App &app);

// To standard output; throws when not all of it could be written.
void print(const std::string &text);

} // namespace cpl_lb
