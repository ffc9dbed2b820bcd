// Changes to a model that somebody considers: another lag, a rarer exchange, a faster part, less output. Each is
// applied to the graph of a recorded run, which is then replayed (docs/predict.md, "What if").
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/matched_events.hpp"
#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// The receiver gets what was sent so many exchanges of the field earlier.
struct LagChange {
    std::string field;
    std::int64_t lag = 0;
};
// Only one of so many exchanges of the field takes place, beginning with the first.
struct PeriodChange {
    std::string field;
    std::int64_t every = 1;
};
// A component, or one region of it, computes so many times as fast.
struct SpeedChange {
    std::string component;
    std::string region; // empty: all of it
    double times = 1;
};

// A part of a component's own imbalance vanishes (data/imbalance.hpp): its processes come at their mean time.
struct BalanceChange {
    enum class Part : std::uint8_t { all, always, rest }; // always: the same processes and nodes
    std::string component;
    Part part = Part::all;
};

struct Changes {
    std::vector<LagChange> lags{};
    std::vector<PeriodChange> periods{};
    std::vector<SpeedChange> speeds{};
    std::vector<BalanceChange> balanced{};
    std::optional<double>
        transfer{};           // times what transfers take; nothing: they are left out of the graph, as alpha is
    std::string mapping_at{}; // mappings in exchanges with this component are done by it; empty: as now
    // Groups of components that compute in turn on all their cores together, or side by side on the cores that they
    // share in the run.
    std::vector<std::vector<std::string>> in_turn{}, side_by_side{};
    std::int64_t output_every = 1; // one of so many OUT events stays; 0: none does, and no restart

    // So many coupling cycles form one cycle with these periods. No run has more than `most`.
    [[nodiscard]] std::size_t longer_cycle() const {
        constexpr std::int64_t most = 1'000'000'000;
        std::int64_t times = 1;
        for (const PeriodChange &change : periods)
            if (times < most) times = std::lcm(times, change.every);
        return static_cast<std::size_t>(times);
    }
    [[nodiscard]] bool any() const {
        return !lags.empty() || !periods.empty() || !speeds.empty() || !balanced.empty() || transfer ||
               !mapping_at.empty() || !in_turn.empty() || !side_by_side.empty() || output_every != 1;
    }
};

// Whether it is known how much of a component's imbalance would vanish.
[[nodiscard]] bool tells_imbalance(const ImbalanceParts &parts);

// Throws PredictionError with the nearest name if there is no such component.
[[nodiscard]] const Component &component_of(const CoupledRun &run, const std::string &name);

// Throws PredictionError for a field, component or region that the run does not have, and if the run cannot answer.
void check_changes(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges, const Changes &changes);

// Moves the pairs of these exchanges after check_changes. Returns the places of the exchanges that changed.
std::set<std::size_t> change_exchanges(const CoupledRun &run, const Changes &changes,
                                       std::vector<MatchedExchange> &exchanges);

// A stretch of computing of a component in the graph, before a point of it.
struct ComputingPiece {
    Interval when;
    double computing_s = 0; // changed in place
    Nanoseconds late = 0;   // the last process so much more than the first (new_lateness)
};
// Removes the computing that writes output, and restarts.
void without_output(const EventTable &table, std::vector<ComputingPiece> &pieces);
// Subtracts from a component's computing what the changes save. Pieces ascend in time and do not overlap.
void change_computing(const Component &component, const Changes &changes, std::vector<ComputingPiece> &pieces);

// Throws PredictionError for a component that the run does not have or that is in two groups, and for components that
// are already in turn, or already side by side.
void check_core_changes(const CoupledRun &run, const Sharing &shares, const Changes &changes);

// By component: the cores on which it computes with these changes. In turn: all cores of the group. Side by side: the
// shared cores, split in proportion to the computing.
[[nodiscard]] std::vector<std::int64_t> changed_cores(const CoupledRun &run, const std::vector<double> &computing_s,
                                                      const Changes &changes);

// Which components still share cores.
[[nodiscard]] Sharing kept_sharing(const CoupledRun &run, Sharing shares, const Changes &changes);

// A component's computing before one of its points, as it was recorded.
struct RecordedPiece {
    Nanoseconds start = 0;
    double computing_s = 0;
    PointPlace place; // the point that ends it
};
// Components in turn: each begins its computing when the one before has ended its own. The order is that of the
// recorded starts, or of the group if they start together. Pieces that are short beside the others (the moments
// between two calls) wait for nobody. `pieces`: those of the group's components, in its order, each by time.
void add_in_turn(std::vector<Constituent> &constituents, const std::vector<std::vector<RecordedPiece>> &pieces);

} // namespace cpl_lb
