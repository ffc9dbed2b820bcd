// The output of cpl-lb balance: text, json and launch lines.
#pragma once

#include "prediction/coupled_part.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"
#include "report/format.hpp"
#include "tools/launch/launch_options.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceOutput {
    std::vector<std::string> names;
    std::vector<ScalingCurve> curves;             // with the threads of the answer
    std::vector<std::int64_t> threads_now;        // of each process; counts are of cores, processes x threads
    bool any_threads = false;                     // a component may have several numbers of threads
    std::vector<bool> assumed;                    // by component: a curve that it may have has one count only
    std::vector<std::int64_t> memory_floor;       // least cores by the measured memory; 1: none
    std::vector<std::string> io_servers;          // that were left out
    std::vector<KeptComponent> kept;              // all that were left out, and keep their cores
    std::int64_t kept_cores = 0;                  // theirs, in whole nodes
    std::vector<bool> idle;                       // by component: computes nothing in the coupling loop
    std::vector<std::int64_t> held;               // by component: the count that it keeps; 0: free
    std::string shared;                           // components on the same cores, in words; empty: none
    std::int64_t node_cores = 1;                  // with --cores-per-node
    std::vector<std::int64_t> measured_processes; // empty: only a table was given
    double measured_s = 0, measured_J = 0;        // with measured_processes; of the coupling loop
    std::int64_t measured_cores = 0;              // with measured_processes
    std::string measured_run;                     // the folder of the run that these are of; empty: the first
    CurveForm form = CurveForm::measured, other = CurveForm::hslb;
    std::string objective;
    bool power_known = false, power_measured = false;
    std::int64_t total = 0;
    BalanceAnswer answer;
    std::vector<double> computing_s, other_computing_s; // by component, with the answer, by either form
    double other_form_s = 0;                            // the same counts by the other form of the curves
    double uncertainty = unknown;                       // of answer.seconds, as a share
    std::vector<double> measure_next;                   // by component; 0: nothing to gain
    std::int64_t cores_to_measure = 0;                  // of one run that measures all of these
    std::vector<BalanceAnswer> front;                   // with --objective pareto
    std::vector<std::string> remarks;                   // of all runs
    bool lengths_not_known = false;                     // several runs, and it is not known how long they simulated
    LaunchText launch;                                  // the counts in the form of a launcher
    bool launch_asked = false;                          // the user named the forms
};

// What an answer would change, beside the counts of now.
struct Advice {
    std::string moves;     // the begin of a sentence; empty: there is nothing to do
    bool for_time = false; // the time is to become less
    double now_s = 0, seconds = 0, uncertainty = unknown;
    double cost_now = 0, cost = 0; // in any unit
    std::string cost_words = {};
    bool power_known = false;
    double now_J = 0, energy_J = 0;
};
// Whether it is worth to move, in one line.
[[nodiscard]] std::string advice_in_words(const Advice &advice);

// "uncertain by 3 %", as a part of a sentence.
[[nodiscard]] std::string uncertainty_in_words(double uncertainty);

// "more" or "less" than before, in per cent, by the words for either.
[[nodiscard]] std::string change_in_words(double now, double before, const std::string &less,
                                          const std::string &more);

// The recommended counts by component, behind a row of titles.
[[nodiscard]] TextTable counts_table(const BalanceOutput &output);
// The effect of these counts, their limits, what to move and to measure, and the remarks, on one line each.
[[nodiscard]] std::string answer_in_words(const BalanceOutput &output);
[[nodiscard]] std::string balance_as_text(const BalanceOutput &output);
[[nodiscard]] std::string balance_as_json(const BalanceOutput &output);

} // namespace cpl_lb
