// Estimates from the events so far how much of a run is done and how fast it goes, and writes it for a terminal, with
// the balance as bars of characters.
#include "tools/watch/progress_of_run.hpp"

#include "report/format.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <vector>

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

double longest_step_of(const CoupledRun &run) {
    double longest = unknown;
    for (const Component &component : run.components)
        for (const Step &step : component.balance.steps)
            if (!(step.length_s <= longest)) longest = step.length_s;
    return longest;
}

// A step may take longer than all before it, but hardly three times as long. Without steps a minute is the limit.
bool is_silence(double quiet_s, double longest_step_s) {
    constexpr double steps = 3, least_s = 10, without_steps_s = 60;
    return quiet_s > (is_known(longest_step_s) ? std::max(steps * longest_step_s, least_s) : without_steps_s);
}

std::string silence_in_words(const RunProgress &progress) {
    std::string text = "Silent: the last event came " + time_in_words(progress.silent_s) + " ago";
    if (is_known(progress.longest_step_s))
        text += ", and no coupling step took longer than " + number_text(progress.longest_step_s) + " s so far";
    return text + ". The run was killed, hangs, or computes for long without an exchange. If it is dead, "
                  "cpl-lb recover makes its results.";
}

constexpr std::size_t bar_name_columns = 16, words_columns = 32;

std::vector<const Component *> chosen_from(const CoupledRun &run, std::size_t most) {
    std::vector<const Component *> chosen;
    for (const Component &c : run.components)
        if (is_known(c.balance.loop_s) && c.balance.loop_s > 0 && is_known(c.balance.waiting_s)) chosen.push_back(&c);
    const auto weight = [](const Component *c) { return c->balance.loop_s * static_cast<double>(c->cores()); };
    std::ranges::stable_sort(chosen, std::ranges::greater(), weight);
    chosen.resize(std::min(chosen.size(), most));
    std::ranges::sort(chosen, {}, &Component::id);
    return chosen;
}

std::string padded(const std::string &text, std::size_t columns) {
    return text + std::string(columns - std::min(columns, display_columns(text)), ' ');
}

std::string mostly_for(const CoupledRun &run, const ComponentBalance &balance) {
    const auto sum_s = [](const WaitingFor &one) { return one.get_s + one.put_s; };
    const auto most = std::ranges::max_element(balance.waiting_for, {}, sum_s);
    if (most == balance.waiting_for.end() || sum_s(*most) <= 0 || most->component == 0) return "";
    return ", most for " + short_name(run.component_name(most->component), bar_name_columns);
}

// "r: 5 processes, 3 s so far, 2.25 days simulated of 5, 171.423 SYPD, about 4 s left"
std::string how_far(const CoupledRun &run, const RunProgress &progress) {
    std::string text = fmt::format("{}: {}, {} so far", safe_name(run.run.id),
                                   counted(run.run.processes, "process", "processes"), time_in_words(run.run.wall_s));
    if (is_known(progress.simulated_s))
        text += fmt::format(", {:.4g} {} simulated", progress.simulated_s / 86400,
                            word_for(progress.simulated_s / 86400, "day"));
    if (is_known(progress.planned_s)) text += fmt::format(" of {:.4g}", progress.planned_s / 86400);
    if (is_known(progress.sypd)) text += fmt::format(", {} SYPD", number_text(progress.sypd));
    if (is_known(progress.left_s)) text += ", about " + time_in_words(progress.left_s) + " left";
    return text;
}

} // namespace

double since_last_event_s(const CoupledRun &run, const SpoolRun &spools, double unix_now_s) {
    if (spools.files.empty()) return unknown;
    const double started_s = to_seconds(spools.files.front().identity().started_realtime_ns);
    return unix_now_s - (started_s + run.run.wall_s);
}

bool News::at_look(const CoupledRun &run) {
    constexpr int patience = 3;
    looks_without_ = run.run.wall_s == wall_s_ ? looks_without_ + 1 : 0;
    wall_s_ = run.run.wall_s;
    return looks_without_ < patience;
}

RunProgress run_progress_of(const CoupledRun &run, const SpoolRun &spools, double quiet_s) {
    RunProgress progress;
    progress.longest_step_s = longest_step_of(run);
    if (is_silence(quiet_s, progress.longest_step_s)) progress.silent_s = quiet_s;
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
    if (!is_known(progress.planned_s) || !is_known(progress.simulated_s) || is_known(progress.silent_s))
        progress.left_s = unknown;
    return progress;
}

bool terminal_has_colour() {
    const char *terminal = std::getenv("TERM");
    const char *no_colour = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb" &&
           (no_colour == nullptr || *no_colour == '\0');
}

std::string balance_bars(const CoupledRun &run, std::size_t columns, bool colour, std::size_t most) {
    const std::size_t bar = columns - std::min(columns - 10, bar_name_columns + words_columns + 2);
    std::string text;
    for (const Component *c : chosen_from(run, most)) {
        const double share = std::clamp(c->balance.waiting_s / c->balance.loop_s, 0.0, 1.0);
        const auto waits = static_cast<std::size_t>(std::lround(share * static_cast<double>(bar)));
        const std::string computing(bar - waits, '=');
        const bool idle = c->balance.is_io_server;
        const std::string waiting(waits, idle ? ' ' : '.');
        text += padded(short_name(c->name, bar_name_columns), bar_name_columns) + ' ';
        // Blue and orange of Okabe and Ito, which colour-blind eyes tell apart (256-colour codes 32 and 208).
        text += colour ? "\x1b[38;5;32m" + computing + "\x1b[38;5;208m" + waiting + "\x1b[0m" : computing + waiting;
        text += (idle        ? " idle " + share_in_words(share) + ", takes data only"
                 : share > 0 ? " waits " + share_in_words(share) + mostly_for(run, c->balance)
                             : " does not wait") +
                "\n";
    }
    return text;
}

std::string watch_line(const CoupledRun &run, const RunProgress &progress) {
    const std::string text = how_far(run, progress) + ". ";
    if (is_known(progress.silent_s))
        return text + "Silent: the last event came " + time_in_words(progress.silent_s) + " ago.\n";
    return text + verdict_words(run).front() + "\n";
}

std::string watch_text(const CoupledRun &run, const RunProgress &progress, bool colour) {
    std::string text = how_far(run, progress) + "\n\n";
    if (is_known(progress.silent_s)) text += wrapped(silence_in_words(progress), 80) + "\n";
    for (const std::string &sentence : plain_words(run))
        text += wrapped(sentence, 80);
    return text + "\n" + balance_bars(run, 80, colour);
}

} // namespace cpl_lb
