// The problem that balance and tune give to the optimiser, and the options that limit its counts.
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/balance/balance_model.hpp"
#include "tools/timeline_options.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The cores that those of the coupling may have: what must run beside them has its own.
std::int64_t cores_left(const BalanceOptions &options, const BalanceModel &model, std::int64_t node_cores) {
    const std::int64_t kept = model.kept_cores(node_cores);
    if (kept < options.total) return options.total - kept;
    std::string names;
    for (const KeptComponent &component : model.kept)
        names += (names.empty() ? "" : ", ") + component.name;
    throw PredictionError(fmt::format("components outside of the coupling ({}) need {}: none are left for the others",
                                      names, counted(kept, "core")));
}

} // namespace

std::int64_t most_boxes(const BalanceModel &model) {
    constexpr std::int64_t points_in_some_seconds = 50'000'000;
    const std::int64_t points = model.measured ? static_cast<std::int64_t>(model.measured->graph->points()) : 100;
    return std::clamp<std::int64_t>(points_in_some_seconds / points, 100, 100'000);
}

BalanceProblem problem_of(const BalanceOptions &options, const BalanceModel &model, CurveForm form) {
    const std::int64_t node_cores = std::max<std::int64_t>(1, options.cores_per_node);
    const std::int64_t total = cores_left(options, model, node_cores);
    return {
        allowed_counts(options, model, total),
        total,
        [&model, form](std::size_t c, std::int64_t n) { return model.computing_s(c, static_cast<double>(n), form); },
        [&model](const std::vector<double> &s) { return model.length_s(s); },
        [&model](const std::vector<double> &s) { return model.path_shares(s); },
        model.pool,
        node_cores,
        model.power,
        model.measured && model.measured->graph->points() > long_loop_points};
}

void add_limit_options(cli::App &command, BalanceOptions &o) {
    command.add_option("--block", o.block, "counts are multiples of this: 8, or atm=8,ocn=16");
    command.add_option("--min", o.min, "smallest counts: 8, or atm=8,ocn=16");
    command.add_option("--max", o.max, "largest counts: 8, or atm=8,ocn=16");
    command.add_option("--allowed", o.allowed, "the only counts: atm=64:128:192");
    command
        .add_option("--cores-per-node", o.cores_per_node,
                    "cores of a node; each component then takes whole nodes, and may leave some cores idle")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    command
        .add_option(
            "--node-memory", o.node_memory_GB,
            "memory of a node [GB]; components get enough nodes for their measured memory; default: as measured")
        ->check(cli::positive());
    command.add_option("--without", o.without, "components that take no part in the coupling")->delimiter(',');
    add_order_option(command, o.order);
}

} // namespace cpl_lb
