#include "tools/progress_of_run.hpp"

#include "report/format.hpp"
#include "report/words.hpp"
#include "tools/bars.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cpl_lb {
namespace {

// Simulated seconds per second of wall clock time; NaN without dates or whole steps.
double speed_of(const Component &component) {
    const std::vector<Step> &steps = component.balance.steps;
    if (!component.balance.has_dates || steps.size() < 2) return unknown;
    const double wall = steps.back().start_s - steps.front().start_s;
    return wall > 0 ? static_cast<double>(steps.back().date - steps.front().date) / wall : unknown;
}

double simulated_of(const Component &component) {
    std::int64_t first = no_date;
    std::int64_t last = no_date;
    for (std::size_t k = 0; k < component.table.keys.size(); ++k) {
        const std::int64_t date = component.table.keys.date(k);
        if (date == no_date) continue;
        first = first == no_date ? date : std::min(first, date);
        last = std::max(last, date);
    }
    return first == no_date ? unknown : static_cast<double>(last - first);
}

std::string time_in_words(double s) {
    const auto whole = std::llround(s);
    if (whole < 120) return fmt::format("{} s", whole);
    if (whole < 7200) return fmt::format("{} min", (whole + 30) / 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

} // namespace

RunProgress progress_of(const CoupledRun &run, const SpoolRun &spools) {
    RunProgress progress;
    double speed = unknown;
    for (const Component &component : run.components) {
        const double simulated = simulated_of(component);
        if (is_known(simulated) && !(simulated >= progress.simulated_s)) progress.simulated_s = simulated;
        const double mine = speed_of(component);
        if (is_known(mine) && !(mine >= speed)) speed = mine;
    }
    for (const SpoolFile &file : spools.files)
        if (const double planned = file.status().planned_s; planned > 0 && !(planned <= progress.planned_s))
            progress.planned_s = planned;
    if (!(speed > 0)) return progress;
    progress.sypd = speed / run.run.year_days;
    progress.left_s = std::max(progress.planned_s - progress.simulated_s, 0.0) / speed;
    if (!is_known(progress.planned_s) || !is_known(progress.simulated_s)) progress.left_s = unknown;
    return progress;
}

std::string watch_text(const CoupledRun &run, const RunProgress &progress, bool colour) {
    std::string text = fmt::format("{}: {} processes, {} so far", safe_name(run.run.id), run.run.processes,
                                   time_in_words(run.run.wall_s));
    if (is_known(progress.simulated_s)) text += fmt::format(", {:.4g} days simulated", progress.simulated_s / 86400);
    if (is_known(progress.planned_s)) text += fmt::format(" of {:.4g}", progress.planned_s / 86400);
    if (is_known(progress.sypd)) text += fmt::format(", {} SYPD", number_text(progress.sypd));
    if (is_known(progress.left_s)) text += ", about " + time_in_words(progress.left_s) + " left";
    text += "\n\n";
    for (const std::string &sentence : plain_words(run))
        text += wrapped(sentence, 80);
    return text + "\n" + balance_bars(run, 80, colour);
}

} // namespace cpl_lb
