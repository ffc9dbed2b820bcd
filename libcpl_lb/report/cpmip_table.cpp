// The rows of the CPMIP table, and why a row is n/a.
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cpl_lb {

std::vector<CpmipRow> cpmip_rows(const CoupledRun &run) {
    const Cpmip &c = run.cpmip;
    const bool timers = run.from_timers(); // in such a run nothing can be set any more
    const auto told = [timers](const char *why, const char *of_timers) { return timers ? of_timers : why; };
    const std::string time =
        is_known(run.run.simulated_s)
            ? "the wall time is not known"
            : told("the simulated time was not given: give it to cpl_lb_terminate or in CPL_LB_SIMULATED",
                   "the timers do not tell the simulated time: import them with --simulated");
    const char *not_told = "the timers tell nothing of it";
    const std::string grid = told("needs the components' grids: call cpl_lb_set_grid",
                                  "the timers tell nothing of grids: cpl-lb cpmip --resolution");
    const std::string variables =
        told("needs cpl_lb_set_complexity or cpl_lb_set_state_bytes, and the grids",
             "the timers tell nothing of variables: cpl-lb cpmip --complexity, with --resolution");
    const std::string waiting = "the waiting over the whole run is not known";
    // If the time of submission is impossible, ASYPD has its own reason.
    const std::string submission =
        c.why_no_asypd.empty()
            ? told("needs the time of submission (cn_submitted) or the chain of jobs: see cpl-lb cpmip",
                   "the timers do not tell the time of submission: cpl-lb cpmip --submitted")
            : c.why_no_asypd;
    // Without simulated years there are no figures per year; another reason would only distract.
    const auto per_year = [&](const std::string &why) { return is_known(c.sypd) ? why : time; };
    std::vector<CpmipRow> rows = {
        {"Resolution G", "grid points", c.resolution, grid, true},
        {"Complexity V", "prognostic variables", c.complexity, variables},
        {"Degrees of freedom F", "grid points x variables", c.degrees_of_freedom, variables, true},
        {"Speed SYPD", "simulated years / day", c.sypd, time},
        {"Actual speed ASYPD", "simulated years / day", c.asypd, per_year(submission)},
        {"Cost CHSY", "core hours / simulated year", c.chsy, time},
        // In addition to the paper's rows, if they are known.
        {"Node hours", "node hours / simulated year", c.node_hours, ""},
        {"GPU hours", "GPU hours / simulated year", c.gpu_hours > 0 ? c.gpu_hours : unknown, ""},
        {"Parallelization NP", "cores", c.parallelization,
         told("the number of cores is not known: set nn_cores", "the timers do not tell the number of cores"), true},
        {"Energy JPSY", "J / simulated year", c.jpsy,
         per_year("needs the platform's energy and core hours: see cpl-lb cpmip")},
        {"Measured energy AJPSY", "J / simulated year", c.ajpsy,
         per_year(run.meters.energy_wanted
                      ? "the energy of some node could not be measured: see Meters, or cpl-lb counters"
                      : told("no energy was measured: set ln_energy = .true.", not_told))},
        {"Coupling cost C", "% of the core time", 100 * c.coupling_cost, waiting},
        {"Coupling cost C including operations", "% of the core time", 100 * c.coupling_cost_with_operations,
         waiting},
        {"Memory bloat B", "times the model's state", c.memory_bloat,
         told("needs the memory meters and cpl_lb_set_state_bytes", not_told)},
        {"Data output cost D", "% of the cost", 100 * c.data_output_cost,
         "needs a run with and one without output, or I/O servers: see cpl-lb cpmip"},
        {"Data intensity", "GB / core hour", c.data_intensity,
         per_year(told("no model output was counted: call cpl_lb_add_output_bytes", not_told))},
    };
    std::erase_if(rows, [](const CpmipRow &row) { return row.why_not.empty() && !is_known(row.value); });
    return rows;
}

// Joules of a year have many digits.
static std::string value_text(const CpmipRow &row) {
    constexpr double many_J = 1e6;
    if (std::string_view(row.unit).starts_with("J ") && row.value >= many_J) return fmt::format("{:.6g}", row.value);
    return row.is_count ? decimal_text(row.value, 0) : number_text(row.value);
}

std::string cpmip_text(const CoupledRun &run) {
    TextTable table({2});
    std::vector<std::pair<std::string, std::string>> missing; // reason, labels
    for (const CpmipRow &row : cpmip_rows(run)) {
        if (is_known(row.value)) {
            table.row({row.label, value_text(row), row.unit});
            continue;
        }
        std::string &labels = value_of(missing, row.why_not);
        labels += (labels.empty() ? "" : ", ") + std::string(row.label);
    }
    std::string text = table.text(text_columns);
    if (!run.cpmip.platform.empty()) text += "Platform: " + safe_name(run.cpmip.platform) + "\n";
    for (const auto &[why, labels] : missing)
        text += wrapped("n/a: " + labels + " (" + why + ")", text_columns);
    return text;
}

} // namespace cpl_lb
