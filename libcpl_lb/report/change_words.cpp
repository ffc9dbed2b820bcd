// Puts run.balance.computing_changes and run.balance.later into words, what a few steps add to the waiting, how much
// of the run the loop takes, and what the start-up costs in this run and in a long one.
#include "analysis/cpmip.hpp"
#include "analysis/few_steps.hpp"
#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "report/words.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::size_t most_told = 3; // components; the table has all

std::string seconds(double s) {
    return fmt::format("{:.3g} s", s);
}

// "0.2 s a step until step 19 of its loop, then 0.01 s".
std::string parts_in_words(const std::vector<ComputingPart> &parts) {
    std::string text;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        text += fmt::format("{}{}{} until step {}{}", i == 0 ? "" : ", ", seconds(parts[i].computing_s),
                            i == 0 ? " a step" : "", parts[i].last_step, i == 0 ? " of its loop" : "");
    return text + ", then " + seconds(parts.back().computing_s);
}

std::string pattern_in_words(const ComputingPattern &pattern) {
    return fmt::format("{} in {} of every {} steps, and {} in the others", seconds(pattern.heavy_s),
                       pattern.heavy_steps, pattern.period, seconds(pattern.other_s));
}

std::string change_in_words(const CoupledRun &run, const ComputingChange &change) {
    std::string how = change.parts.empty() ? "" : parts_in_words(change.parts);
    if (change.pattern.period > 0) how += (how.empty() ? "" : "; over all ") + pattern_in_words(change.pattern);
    return say(Sentence::computing_changes, {{"name", name_in_words(run, change.component)}, {"how", how}});
}

std::string later_split(const CoupledRun &run) {
    std::vector<std::string> parts;
    const std::vector<std::int64_t> &best = run.balance.later.best_cores;
    for (std::size_t c = 0; c < std::min(run.components.size(), best.size()); ++c)
        if (best[c] > 0) parts.push_back(name_in_words(run, run.components[c].id) + "=" + count_text(best[c]));
    const std::size_t more = parts.size() - std::min(parts.size(), most_told);
    parts.resize(parts.size() - more);
    return listed(parts, more);
}

// Parts are lasting changes. A pattern is none: it goes on in any layout.
bool is_for_good(const ComputingChange &change) {
    return !change.parts.empty();
}

// Changes for good, or changes by a pattern only.
std::vector<std::string> changes_in_words(const CoupledRun &run, bool for_good) {
    std::vector<std::string> words;
    std::size_t more = 0;
    for (const ComputingChange &change : run.balance.computing_changes) {
        if (is_for_good(change) != for_good) continue;
        if (words.size() < most_told)
            words.push_back(change_in_words(run, change));
        else
            ++more;
    }
    if (more > 0) words.push_back(say(Sentence::more_change, {{"count", std::to_string(more)}}));
    return words;
}

// Empty unless something changes for good.
std::string advice_in_words(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (std::ranges::none_of(b.computing_changes, is_for_good)) return "";
    if (!is_known(b.best_s)) return say(Sentence::figures_of_whole_loop);
    // The later part may lack components, and then its split does not cover the whole run.
    if (!is_known(b.later.best_s) || b.later.best_cores.size() != run.components.size())
        return say(Sentence::whole_loop);
    const std::string later = seconds(b.later.loop_s);
    if (b.later.best_s > (1 - balanced_below) * b.later.loop_s)
        return say(Sentence::later_no_gain, {{"later", later}});
    return say(Sentence::later_gain,
               {{"later", later}, {"split", later_split(run)}, {"seconds", seconds(b.later.best_s)}});
}

// A pattern is told by itself, and what it does not explain is no part of it.
bool is_in_pattern(const RunBalance &balance, const FewSteps &few) {
    constexpr double far_above = 1.5; // times a heavy step
    return few.computes && std::ranges::any_of(balance.computing_changes, [&](const ComputingChange &change) {
               return change.component == few.component && change.pattern.period > 0 &&
                      few.longest_s <= far_above * change.pattern.heavy_s;
           });
}

std::string work_in_words(const LongRun &found) {
    if (found.work == StartupWork::not_known) return "";
    const Sentence part = found.work == StartupWork::setup   ? Sentence::part_startup_setup
                          : found.work == StartupWork::files ? Sentence::part_startup_files
                                                             : Sentence::part_startup_exchanges;
    return say(part, {{"seconds", fmt::format("{:.3g}", found.work_s)}});
}

std::string mpi_in_words(const LongRun &found) {
    if (!is_known(found.mpi_s)) return "";
    return say(found.work == StartupWork::not_known ? Sentence::part_startup_mpi : Sentence::part_startup_mpi_too,
               {{"seconds", fmt::format("{:.3g}", found.mpi_s)}});
}

std::string year_in_words(const LongRun &found) {
    return say(Sentence::part_year,
               {{"year", duration_in_words(found.year_s)}, {"startup", duration_in_words(found.startup_s)}});
}

} // namespace

std::vector<std::string> changes_for_good(const CoupledRun &run) {
    return changes_in_words(run, true);
}

std::vector<std::string> advice_for_changes(const CoupledRun &run) {
    std::vector<std::string> words = changes_in_words(run, false);
    if (std::string advice = advice_in_words(run); !advice.empty()) words.push_back(std::move(advice));
    return words;
}

std::vector<std::string> change_words(const CoupledRun &run) {
    std::vector<std::string> words = changes_for_good(run);
    for (std::string &sentence : advice_for_changes(run))
        words.push_back(std::move(sentence));
    return words;
}

SectionText change_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "steps", "from", "to", "computing a step"}, {1});
    for (const ComputingChange &change : run.balance.computing_changes) {
        const std::string name = short_name(run.component_name(change.component), table_name_columns);
        for (const ComputingPart &part : change.parts)
            table.row({name, fmt::format("{} to {}", part.first_step, part.last_step), InSeconds{part.start_s},
                       InSeconds{part.stop_s}, InSeconds{part.computing_s}});
        if (change.pattern.period == 0) continue;
        const ComputingPattern &p = change.pattern;
        table.row({name, fmt::format("{} of every {}", p.heavy_steps, p.period), "", "", InSeconds{p.heavy_s}});
        table.row({name, "the others", "", "", InSeconds{p.other_s}});
    }
    return table;
}

std::string few_steps_sentence(const CoupledRun &run) {
    constexpr double told_from = 0.1; // of all waiting
    const RunBalance &b = run.balance;
    if (!(b.waiting_share >= balanced_below)) return "";
    const FewSteps few = few_steps_of(run);
    if (few.share < told_from || is_in_pattern(b, few)) return "";
    const std::string text = say(few.computes ? Sentence::few_steps_computing : Sentence::few_steps_waiting,
                                 {{"share", share_in_words(few.share)},
                                  {"count", count_text(few.count)},
                                  {"steps", count_text(few.steps)},
                                  {"waiter", name_in_words(run, few.waiter)},
                                  {"name", name_in_words(run, few.component)},
                                  {"longest", rounded_text(few.longest_s)},
                                  {"step", count_text(few.step)},
                                  {"median", rounded_text(few.median_s)}});
    const bool compared = b.why_no_gain.empty() && !gain_words(run).empty();
    return compared ? text + " " + say(Sentence::few_steps_in_splits) : text;
}

std::string coverage_sentence(const CoupledRun &run) {
    constexpr double most_of_run = 0.5;
    double share = 0, loop_s = 0, run_s = 0;
    for (const Component &c : run.components) {
        if (c.dropped_events > 0) return "";                       // it is said before that its loop ended early
        if (c.window_first != Component().window_first) return ""; // a slice: the time around it was not asked for
        const ComponentBalance &b = c.balance;
        const double length_s = b.startup.length_s + b.loop_s + b.shutdown.length_s;
        if (!takes_part(c) || !(b.loop_s / length_s > share)) continue;
        share = b.loop_s / length_s;
        loop_s = b.loop_s;
        run_s = length_s;
    }
    if (share > 0 && share < most_of_run)
        return say(Sentence::covers_little,
                   {{"loop", rounded_text(loop_s)}, {"run", rounded_text(run_s)}, {"share", share_in_words(share)}});
    const bool no_loop = std::ranges::none_of(run.components, has_loop);
    const auto tells = [](const Component &c) { return c.inside.known(); };
    return no_loop && std::ranges::any_of(run.components, tells) ? say(Sentence::no_loop) : "";
}

std::string duration_in_words(double seconds) {
    if (!(seconds >= 0)) return "n/a";
    if (seconds < 100) return fmt::format("{:.2g} s", seconds);
    if (seconds < 5400) return fmt::format("{:.2g} min", seconds / 60);
    if (seconds < 172'800) return fmt::format("{:.2g} h", seconds / 3600);
    return fmt::format("{} days", decimal_text(seconds / 86'400, 0));
}

std::string startup_sentence(const CoupledRun &run) {
    const LongRun found = long_run_of(run);
    if (!(found.startup_s >= startup_told_from * run.run.wall_s)) return "";
    std::string text = say(Sentence::startup, {{"seconds", fmt::format("{:.3g}", found.startup_s)},
                                               {"share", share_in_words(found.startup_s / run.run.wall_s)},
                                               {"name", name_in_words(run, found.last)},
                                               {"what", work_in_words(found) + mpi_in_words(found)},
                                               {"year", is_known(found.year_s) ? year_in_words(found) : ""}});
    return text;
}

std::string long_run_lines(const CoupledRun &run) {
    const LongRun found = long_run_of(run);
    if (!is_known(found.year_s)) return "";
    return "Speed of the coupling loop alone (SYPD): " + number_text(found.loop_sypd) +
           "; of the run: " + number_text(run.cpmip.sypd) + "\n" +
           wrapped("A simulated year in one job: " + duration_in_words(found.year_s) + ", of which start-up " +
                       duration_in_words(found.startup_s) + " and shut-down " + duration_in_words(found.shutdown_s),
                   text_columns);
}

} // namespace cpl_lb
