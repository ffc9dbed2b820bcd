// The model of balance nodes: measured times by component and kind of nodes, from runs, runs from timers, or a
// table with kinds, what each component may have, and the answer as text and json.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/kinds_model.hpp"
#include "tools/balance/balance_output.hpp"
#include "tools/balance/balance_problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// Where a component of a run was.
struct PlaceInRun {
    std::string component;
    std::string kind; // of all its nodes; empty: not known
    bool several_kinds = false;
    std::vector<std::int32_t> on_nodes; // ascending; empty: not known
    std::vector<std::string> beside;    // other components on some of these nodes
    std::int64_t cores = 0, gpus = -1;  // -1: not known
};
[[nodiscard]] std::vector<PlaceInRun> places_in(const CoupledRun &run);

// The nodes of one kind that a component had: the whole nodes where it was alone on them, or with its partner on
// their other halves; else the part that its cores or GPUs are. NaN: not known.
[[nodiscard]] double nodes_had(const PlaceInRun &place, const KindOfNode &kind, bool with_partner);

// The samples of one run, one for each component, with where they are from.
struct SampledRun {
    std::string directory;
    std::vector<PlaceInRun> places;
    SamplesByComponent samples;
    [[nodiscard]] const PlaceInRun &place_of(const std::string &component) const; // which it has
};
// Enters the graph of the first run, or the layout of runs from timers.
[[nodiscard]] std::vector<SampledRun> sampled_runs(BalanceModel &model, const BalanceOptions &options);
// Enters the components of the table and their layout.
void enter_table(BalanceModel &model, const BalanceOptions &options);

// The kinds that a component may have: as --on says, or --nodes; without either nobody said.
using MayRun = std::vector<std::optional<std::vector<std::size_t>>>;

// Gathers samples by component and kind. All throw what is wrong, with its place, in one line.
class KindSampleReader {
public:
    KindSampleReader(const BalanceOptions &options, KindsModel &model, MayRun said)
        : options_(options), model_(model), said_(std::move(said)) {}
    // The graph of the first run gets its counts in the units of its curves.
    void add_run(const SampledRun &run, bool first);
    // Rows of a table replace the samples of the runs.
    void add_table();
    // What each may have: as said, or where it was measured; both of a pair on the same kinds, with GPUs and cores
    // beside those of the GPUs.
    [[nodiscard]] std::vector<std::vector<std::size_t>> may_run() const;
    [[nodiscard]] const std::vector<NodeSample> &samples() const { return samples_; }

private:
    [[nodiscard]] bool has_halves(std::size_t kind) const;
    // Throws if one of the pair may be on no kind that has halves, and says why.
    void refuse_no_halves(const NodeHalves &pair, const std::vector<std::vector<std::size_t>> &may_run) const;
    [[nodiscard]] bool are_partners(const std::string &a, const std::string &b) const;
    [[nodiscard]] std::optional<std::size_t> only_kind(std::size_t c) const;
    [[nodiscard]] std::size_t kind_of(const PlaceInRun &place, std::size_t c, const std::string &directory) const;

    const BalanceOptions &options_;
    KindsModel &model_;
    MayRun said_;
    std::vector<NodeSample> samples_;
};

// What a component had in the first run.
struct NodesOfRun {
    std::size_t kind = 0;
    double nodes = 0; // not whole where it had a part of a node
};

struct KindsSource {
    KindsModel model;
    NodePairs not_measured;        // component and kind
    bool all_given = false;        // --nodes names the nodes of all
    std::vector<std::string> kept; // by BalanceModel::kept, what they keep: "17 nodes of cpu"
    std::vector<bool> held;        // by component: it keeps its nodes, because its scaling is not known
    std::vector<std::optional<NodesOfRun>> first_run; // by component; nothing: there is no run
    std::vector<bool> as_in_run;                      // by component: given its nodes of the first run (as_given)
};
// Throws what the user did wrong, in one line.
[[nodiscard]] KindsSource kinds_source(const BalanceOptions &options);

struct KindsOutput : AnswerOutput {
    KindsSource source;
    std::string price_words;     // "12 on gpu, 1 on cpu"; empty without --price
    std::vector<double> prices;  // by kind, of a node hour; empty without --price
    double measured_s = unknown; // of the first run; NaN: there is none
};

[[nodiscard]] AnswerBasis basis_of(const KindsModel &model, const BalanceAnswer &answer);
[[nodiscard]] std::string kinds_as_text(const KindsOutput &output);
[[nodiscard]] std::string kinds_as_json(const KindsOutput &output);

} // namespace cpl_lb
