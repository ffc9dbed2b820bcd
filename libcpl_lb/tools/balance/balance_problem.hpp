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
    std::string curves, layout, block, min, max, allowed, curve = "measured", objective = "time", serial, power,
                                                          threads;
    std::int64_t total = 0;
    std::int64_t cores_per_node = 0; // 0: components may share nodes
    double node_memory_GB = 0;       // 0: as measured
    std::string html;                // file of the page; empty: none
    bool no_sharing = false, json = false;
    bool keep_threads = false; // of the first run: the user can only set counts
    KindOptions kind;
    bool as_given = false; // with kind: nothing is searched; who is not in --nodes has what the first run gave it
    std::string members;   // --members; empty: components
    LaunchOptions launch;
};

// Throws the user's mistake, in one line. `sources`: receives the basis of the curves, for pictures; may be null.
struct ScalingSources;
[[nodiscard]] BalanceModel balance_model(const BalanceOptions &options, ScalingSources *sources = nullptr);

// The counts that each component may have by --min, --max, --block, --allowed, its threads and its memory. `total`:
// the cores that the components of the coupling may have together.
[[nodiscard]] std::vector<AllowedCounts> allowed_counts(const BalanceOptions &options, const BalanceModel &model,
                                                        std::int64_t total);

// Throws what is wrong with the given runs or tables, in one line.
void check_sources(const BalanceOptions &options);

// The problem of splitting what is left of options.total for the coupling, by the curves of one form. `model` must
// outlive it. Throws PredictionError if nothing is left.
[[nodiscard]] BalanceProblem problem_of(const BalanceOptions &options, const BalanceModel &model, CurveForm form);

// The limit of boxes that the search looks at: more would take longer than some seconds.
[[nodiscard]] std::int64_t most_boxes(const BalanceModel &model);

// --min, --max, --block, --allowed, --cores-per-node, --node-memory, --without, --order. `options` must live as long
// as the command.
void add_limit_options(cli::App &command, BalanceOptions &options);

// --kinds: prints the best numbers of nodes of several kinds. With options.as_given that of cpl-lb predict --kinds:
// the time to expect with given ones. Throws what the user did wrong, in one line.
void balance_over_kinds(const BalanceOptions &options);
// Throws cli::WrongUsage for options that only go with --kinds, without it.
void check_no_kinds(const BalanceOptions &options);

// --members: how many members of an ensemble at once, and cores for each, in words or as JSON. Throws the user's
// mistake, in one line.
[[nodiscard]] std::string members_answer(const BalanceOptions &options);

} // namespace cpl_lb
