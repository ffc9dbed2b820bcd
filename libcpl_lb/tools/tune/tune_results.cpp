// Reads the results of a run, and says what is wrong with it.
#include "analysis/mean_error.hpp"
#include "prediction/predictor.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/tune/tune_decision.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cpl_lb {
namespace {

// A cycle with so many times the median of the others, and so large a share of all, is not due to the model.
constexpr double many_times = 10, large_share = 0.25;

double error_of_cycles(const std::vector<double> &cycles) {
    const double known = error_of_mean(cycles).standard_error;
    if (is_known(known)) return known;
    return standard_deviation(cycles) / std::sqrt(static_cast<double>(cycles.size()));
}

std::string lone_long_cycle(std::vector<double> cycles) {
    if (cycles.size() < 3) return "";
    std::sort(cycles.begin(), cycles.end());
    double sum = 0;
    for (const double s : cycles)
        sum += s;
    const double longest = cycles.back(), second = cycles[cycles.size() - 2], middle = cycles[cycles.size() / 2];
    if (longest < many_times * middle || longest < many_times * second || longest < large_share * sum) return "";
    return fmt::format("one coupling cycle takes {} s, the others about {} s: the clock jumped, or the machine stood "
                       "still",
                       number_text(longest), number_text(middle));
}

// In words; empty if nothing is wrong.
std::string wrong_with(const MeasuredGraph &measured) {
    const std::vector<double> &cycles = measured.cycle.measured_s;
    if (!measured.why_no_cycle.empty()) return "no coupling cycle: " + measured.why_no_cycle;
    if (cycles.empty() || !(mean(cycles) > 0)) return "its coupling cycles take no time: the clock went back";
    return lone_long_cycle(cycles);
}

NamedCounts processes_of(const CoupledRun &run) {
    NamedCounts counts;
    for (const Component &component : run.components)
        counts.emplace_back(component.name, static_cast<std::int64_t>(component.ranks.size()));
    return counts;
}

std::optional<CoupledPart> first_taken(const TuneOptions &options, const std::vector<TuneRow> &before) {
    for (const TuneRow &row : before)
        if (row.state == TuneState::taken)
            return coupled_part(row.folder, options.balance.without, options.balance.order);
    return std::nullopt;
}

std::string measured_in(TuneRow &row, const TuneOptions &options, const std::vector<TuneRow> &before) {
    const CoupledRun whole = load_run(row.folder, {options.balance.order, unknown});
    const CoupledPart part = coupled_part(whole, options.balance.without);
    if (const auto first = first_taken(options, before)) check_same_model(*first, part, row.folder);
    if (std::string why = why_cores_not_known(part.run); !why.empty()) return why;
    const MeasuredGraph measured = measured_graph(part.run);
    if (std::string wrong = wrong_with(measured); !wrong.empty()) return wrong;
    TuneRow found = row;
    found.run_id = whole.run.id + (whole.run.started.empty() ? "" : " " + whole.run.started);
    found.processes = processes_of(whole);
    found.cycle_s = mean(measured.cycle.measured_s);
    found.error_s = error_of_cycles(measured.cycle.measured_s);
    for (const TuneRow &other : before)
        if (other.state == TuneState::taken && same_run(other, found))
            return "it is the run of " + other.folder + " again: the folder held older results";
    row = std::move(found);
    return "";
}

} // namespace

bool same_run(const TuneRow &a, const TuneRow &b) {
    constexpr double digits_of_the_log = 1e-5;
    return a.run_id == b.run_id && a.processes == b.processes &&
           std::abs(a.cycle_s / b.cycle_s - 1) < digits_of_the_log;
}

void take_results(TuneRow &row, const TuneOptions &options, const std::vector<TuneRow> &before) {
    const NamedCounts asked = row.processes;
    std::string wrong;
    try {
        wrong = measured_in(row, options, before);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &error) { // no results, half of them, another model
        wrong = error.what();
    }
    row.state = wrong.empty() ? TuneState::taken : TuneState::refused;
    if (!wrong.empty()) {
        row.words = "not taken: " + wrong;
        return;
    }
    std::string other;
    for (const auto &[name, count] : asked) {
        for (const auto &[measured, processes] : row.processes) {
            if (name != measured || count == processes) continue;
            other += fmt::format("{}{} ran with {} instead of {}", other.empty() ? "" : ", ", name, processes, count);
        }
    }
    if (other.empty()) return;
    row.words += (row.words.empty() ? "" : "; ") + other;
    row.expected_s = unknown; // it was of the counts that were asked for
}

} // namespace cpl_lb
