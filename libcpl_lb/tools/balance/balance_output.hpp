// The output of cpl-lb balance: text, json and launch lines.
#pragma once

#include "io/json/json_tree.hpp"
#include "prediction/balance_model.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"
#include "report/format.hpp"
#include "tools/launch/launch_options.hpp"
#include "tools/processor_counts.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// The answer on cores or on nodes of kinds, and what is told of it.
struct AnswerOutput {
    std::vector<std::string> names;
    std::string objective;
    CurveForm form = CurveForm::measured, other = CurveForm::hslb;
    BalanceAnswer answer;
    BalanceAnswer present; // the measured counts; without counts: there are none, or they are not possible here
    std::vector<double> computing_s, other_computing_s; // by component, with the answer, by either form
    double other_form_s = 0;                            // the same counts by the other form of the curves
    double uncertainty = unknown;                       // of answer.seconds, as a share
    AnswerBasis basis;
    bool assumed = false;           // a curve that a component may have is not known, so that nothing is proven
    bool lengths_not_known = false; // several runs, and it is not known how long they simulated
    bool any_threads = false;       // a component may have several numbers of threads
    bool power_known = false, power_measured = false;
    std::string shared;                     // components on the same cores, in words; empty: none
    std::vector<std::string> io_servers;    // that were left out
    std::vector<KeptComponent> kept;        // all that were left out, and keep their cores
    std::vector<std::string> kept_in_words; // by these: "17 nodes of cpu"
    std::vector<bool> idle, held;           // by component: computes nothing in the coupling loop; keeps its count
    std::vector<std::int64_t> measure_next; // by component; 0: nothing to gain
    std::vector<std::optional<UnmeasuredGap>> gaps; // by component: around the answer; counts and seconds as its own
    std::vector<BalanceAnswer> front;               // with --objective pareto
    std::vector<std::string> remarks;               // of all runs

    [[nodiscard]] bool for_time() const { return objective == "time" || objective == "pareto"; }
};

// A problem and the times to expect of its answers.
struct Answering {
    const BalanceModel &run;
    const KindsProblem &problem;
    Objective objective;
    CurveForm form;
    std::function<CurvesOfMove(BalanceAnswer &answer)> move_to; // completes its threads

    // The time to expect, and what it costs.
    void settle(BalanceAnswer &answer) const;
    // The replay of all cycles decides: if the answer takes longer in it than the counts of now, these are the
    // answer.
    void keep_what_is_better(BalanceAnswer &answer, const BalanceAnswer &present) const;
    [[nodiscard]] std::vector<BalanceAnswer> front() const;
};

// Enters what follows from the settled output.answer, and what the runs say.
void enter_answer(AnswerOutput &output, const Answering &answering);

// Where steps between measured counts may change the component's time by 2 % or more. `units`: of the curve, for each
// count.
[[nodiscard]] std::optional<UnmeasuredGap> gap_around(const AnswerOutput &output, std::size_t c,
                                                      const ScalingCurve &curve, std::int64_t units);
// The count at which another run would help: the answer's in a gap (which is entered before), else within a factor of
// two of it; 0: nothing to gain. A component that hardly computes is left out, however uncertain it is. `whole`:
// units in a process or node.
[[nodiscard]] std::int64_t measure_next(const AnswerOutput &output, const KindsProblem &problem, std::size_t c,
                                        const ScalingCurve &curve, std::int64_t units, std::int64_t whole);

// Parts of the text. `moves`: what to do, the begin of a sentence; empty: nothing. `cost`: in any unit, with its
// comparison in words.
[[nodiscard]] std::string advice_in_words(const AnswerOutput &output, const std::string &moves, double cost,
                                          double cost_now, const std::string &cost_words);
[[nodiscard]] std::string proof_in_words(const AnswerOutput &output);
[[nodiscard]] std::string in_turn_in_words(const AnswerOutput &output);
// Who keeps its cores or nodes (`unit`), outside of the coupling and in it.
[[nodiscard]] std::string kept_in_words(const AnswerOutput &output, const std::string &unit);
[[nodiscard]] std::string energy_in_words(const AnswerOutput &output);
// Counts of proposed runs, behind what is not known without them; in_words(component, count): "3 nodes of cpu".
using CountInWords = std::function<std::string(std::size_t, std::int64_t)>;
[[nodiscard]] std::string measure_next_in_words(const AnswerOutput &output, const CountInWords &in_words);

// "uncertain by 3 %", as a part of a sentence.
[[nodiscard]] std::string uncertainty_in_words(double uncertainty);

// "more" or "less" than before, in per cent, by the words for either.
[[nodiscard]] std::string change_in_words(double now, double before, const std::string &less,
                                          const std::string &more);

// The members that cores and nodes have in common.
void add_answer(JsonTree &root, const AnswerOutput &output);

struct BalanceOutput : AnswerOutput {
    std::vector<ScalingCurve> curves;       // with the threads of the answer
    std::vector<std::int64_t> memory_floor; // least cores by the measured memory; 1: none
    std::int64_t kept_cores = 0;            // of those outside of the coupling, in whole nodes
    std::int64_t node_cores = 1;            // with --cores-per-node
    std::string measured_run;               // the folder of the run that `present` is of; empty: the first
    std::int64_t total = 0;
    std::int64_t cores_to_measure = 0; // of one run that measures all of measure_next
    LaunchText launch;                 // the counts in the form of a launcher
    bool launch_asked = false;         // the user named the forms
};

// The recommended counts by component, behind a row of titles.
[[nodiscard]] TextTable counts_table(const BalanceOutput &output);
// The effect of these counts, their limits, what to move and to measure, and the remarks, on one line each.
[[nodiscard]] std::string answer_in_words(const BalanceOutput &output);
[[nodiscard]] std::string balance_as_text(const BalanceOutput &output);
[[nodiscard]] std::string balance_as_json(const BalanceOutput &output);

} // namespace cpl_lb
