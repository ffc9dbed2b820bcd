// The options of cpl-lb balance, the problem that it optimises, and the answers that are not counts of cores.
#pragma once

#include "prediction/balance_model.hpp"
#include "tools/balance/kind_options.hpp"
#include "tools/command_line.hpp"
#include "tools/launch/launch_options.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceOptions {
    std::vector<std::string> directories, without, order;
    std::string layout, min, max, allowed, objective = "time", power, threads;
    std::vector<std::string> curve_words;           // as --curves was given
    std::string curves, curve = "measured", serial; // what they are: a table, a form, shares
    std::int64_t total = 0;
    std::string node;                // as --cores-per-node was given
    std::int64_t cores_per_node = 0; // 0: components may share nodes
    double node_memory_GB = 0;       // 0: as measured
    std::string html;                // file of the page; empty: none
    bool json = false;
    bool keep_threads = false; // of the first run: the user can only set counts
    KindOptions kind;
    bool as_given = false; // with kind: nothing is searched; who is not in --nodes has what the first run gave it
    LaunchOptions launch;
};

// Throws the user's mistake, in one line. `sources`: receives the basis of the curves, for pictures; may be null.
struct ScalingSources;
[[nodiscard]] BalanceModel balance_model(const BalanceOptions &options, ScalingSources *sources = nullptr);

// The counts that each component may have by --min, --max, --allowed, its threads and its memory. `total`:
// the cores that the components of the coupling may have together.
[[nodiscard]] std::vector<AllowedCounts> allowed_counts(const BalanceOptions &options, const BalanceModel &model,
                                                        std::int64_t total);

// By component of --min or --max: one number for all, "8", or for some, "atm=8,ocn=16"; 0 if none is given.
[[nodiscard]] std::vector<std::int64_t> limits(const std::string &option, const std::string &text,
                                               const std::vector<std::string> &names,
                                               const std::string &what = "PROCESSES");

// By --objective; price and node-hours are costs, and of a front the fastest is told.
[[nodiscard]] Objective objective_of(const BalanceOptions &options);

// Throws what is wrong with the given runs or tables, in one line.
void check_sources(const BalanceOptions &options);

// The problem of splitting what is left of options.total for the coupling, by the curves of one form. `model` must
// outlive it. Throws PredictionError if nothing is left.
[[nodiscard]] BalanceProblem problem_of(const BalanceOptions &options, const BalanceModel &model, CurveForm form);

// The limit of boxes that the search looks at: more would take longer than some seconds.
[[nodiscard]] std::int64_t most_boxes(const BalanceModel &model);

inline constexpr const char *help_of_layout = "who computes beside whom, such as 'max(max(ice,lnd)+atm,ocn)': max is "
                                              "side by side, + is one after the other on the "
                                              "same cores, > one after the other on cores of their own";

// Options that commands share. `options` must live as long as the command.
void add_curves_option(cli::App &command, BalanceOptions &options); // --curves, also called --curve and --serial
void add_part_options(cli::App &command, BalanceOptions &options);  // --without, --order
void add_limit_options(cli::App &command, BalanceOptions &options); // --min, --max, --allowed, --cores-per-node
// Reads the words of --curves, --cores-per-node and --launch, before anything else. Throws cli::WrongUsage.
void read_words(BalanceOptions &options);

// Of the words `nodes` of balance and predict. `of_nodes`: behind the help of --nodes, what the command makes of it.
void add_kind_options(cli::App &command, BalanceOptions &options, const std::string &of_nodes);
// Prints the best numbers of nodes of several kinds; with options.as_given the time to expect with given ones. Throws
// what the user did wrong, in one line.
void balance_over_kinds(const BalanceOptions &options);
void add_balance_nodes(cli::App &balance);

} // namespace cpl_lb
