// The commands of cpl-lb, and how they print. Each command adds itself with its options; its callback throws if the
// input is bad. Exit status: 0 good, 1 the input is bad, 2 wrong usage, 3 a threshold that the user gave is crossed.
#pragma once

#include "data/progress.hpp"
#include "tools/command_line.hpp"

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

struct CoupledRun;
struct PageRoofline;

void add_balance_command(cli::App &app);
void add_check_command(cli::App &app);
void add_compare_command(cli::App &app);
void add_counters_command(cli::App &app);
void add_cpmip_command(cli::App &app);
void add_export_command(cli::App &app);
void add_import_command(cli::App &app);
void add_manager_command(cli::App &app);
void add_manual_command(cli::App &app);
void add_predict_command(cli::App &app);
void add_recover_command(cli::App &app);
void add_summary_command(cli::App &app);
void add_tune_command(cli::App &app);
void add_watch_command(cli::App &app);

// By name.
using Commands = std::map<std::string, void (*)(cli::App &)>;
// Adds options to `cpl-lb report`, and returns a function to call when the command starts. Its result makes the
// page's roofline, or is empty if none is requested.
using RooflineOfRun = std::function<PageRoofline(const CoupledRun &)>;
using RooflineOptions = std::function<RooflineOfRun()> (*)(cli::App &report);
void add_report_command(cli::App &app, RooflineOptions roofline); // may be nullptr

// The seam to the models of other machines (libcpl_lb/projection), which defines it. Only called if the build has
// them.
void add_projection_commands(Commands &commands, RooflineOptions &roofline);

// Questions that were options, or commands of their own, are words of another command now. What scripts wrote goes on
// working: a command line in the old spelling is rewritten before it is read. words: of the command line, without the
// program's name. The first row of the table that fits is taken, then the rows of what it became. A command line that
// has one of the new words is given no other.
[[nodiscard]] std::vector<std::string> new_spelling(std::vector<std::string> words);

// Writes to standard output, with names made safe for a terminal. Throws if not everything could be written.
void print(const std::string &text);
// Prints text unchanged: colours, and the user's own input that a script reads again.
void print_exactly(const std::string &text);

// A line on standard error, made safe and not too long: names of files and components may hold anything.
void print_error(const std::string &message);

// "cpl-lb: reading timeline_ocean.nc 45 %": a line on standard error while a command works for more than a second,
// erased at the end, and only if standard error is a terminal. doing: in words, "reading timeline_ocean.nc".
void show_progress(const std::string &doing, std::int64_t done, std::int64_t all);
// Call it before any other output. It does nothing if no line is shown.
void erase_progress();

[[nodiscard]] Progress progress_of(const std::string &doing);

// The answer is printed and says which threshold: exit status 3, without a message.
class ThresholdCrossed : public std::exception {
public:
    [[nodiscard]] const char *what() const noexcept override { return "a threshold is crossed"; }
};

// The command that was run for the user has ended so: cpl-lb ends so, too.
class EndAs : public std::exception {
public:
    explicit EndAs(int status) : status_(status) {}
    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const char *what() const noexcept override { return "the command ended"; }

private:
    int status_;
};

} // namespace cpl_lb
