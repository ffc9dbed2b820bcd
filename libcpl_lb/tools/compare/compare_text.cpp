// cpl-lb compare in words and as a table.
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/reasons.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t columns = 80;
constexpr const char *whole_run = "(run)";
// If a component waits less than this share of a step, changes of its waiting are not worth a sentence.
constexpr double hardly = 0.01;
// Two runs of the same model on the same machine often differ by this much.
constexpr double usual_between_runs = 0.01;

// Two digits of the interval are enough.
int decimals_of(const Difference &d) {
    const double width = 100 * (d.has_interval() ? d.half_width() : std::abs(d.change));
    return width >= 10 ? 0 : width >= 0.1 ? 1 : 2;
}

// "5.9 % [5.5, 6.3]" of a rise, and of a fall with its signs turned.
std::string amount(const Difference &d) {
    const double sign = d.change < 0 ? -100 : 100;
    const int decimals = decimals_of(d);
    const double ends[] = {sign * d.low, sign * d.high};
    return fmt::format("{:.{}f} % [{:.{}f}, {:.{}f}]", sign * d.change, decimals, std::min(ends[0], ends[1]),
                       decimals, std::max(ends[0], ends[1]), decimals);
}

std::string seconds_text(double seconds) {
    return fmt::format("{:.4g} s", seconds);
}

std::string step_in_words(const Comparison &c) {
    return c.of_model_days ? "a day of the model" : "a coupling step";
}

std::string run_in_words(const Comparison &c) {
    const Difference &d = c.length;
    if (!is_known(d.change)) return say(c.from_timers ? Sentence::no_common_length : Sentence::no_common_steps);
    const std::string step = step_in_words(c), after = seconds_text(d.after), before = seconds_text(d.before);
    const auto with = [&](Sentence sentence, const std::string &change) {
        return say(sentence, {{"change", change},
                              {"step", step},
                              {"after", after},
                              {"before", before},
                              {"seen", fmt::format("{:.2g}", 100 * d.half_width())},
                              {"why", d.why_no_interval}});
    };
    switch (verdict_of(c)) {
    case CompareVerdict::slower:
        return with(Sentence::takes_more, amount(d));
    case CompareVerdict::faster:
        return with(Sentence::takes_less, amount(d));
    case CompareVerdict::no_difference_shown:
        return with(Sentence::no_difference, change_text(d));
    case CompareVerdict::not_known:
        break;
    }
    return with(Sentence::no_interval, "");
}

// Changes of less are not worth a sentence: a tenth, and for each process one message or 1 KiB in a step.
bool stands_out(const RangeOfRuns &before, const RangeOfRuns &after, double least) {
    const double change = std::abs(after.mean - before.mean);
    return after.is_apart(before) && change >= std::max(least, 0.1 * before.mean);
}

void add_messages(std::vector<std::string> &words, const ComparedComponent &c, const std::string &each) {
    constexpr double KiB = 1024, MiB = KiB * KiB;
    const InsideMessages &before = c.inside_before, &after = c.inside_after;
    const auto processes = static_cast<double>(std::max(before.processes, after.processes));
    const auto add = [&](Sentence sentence, double one, double other) {
        words.push_back(say(sentence, {{"name", safe_name(c.name)},
                                       {"after", fmt::format("{:.4g}", other)},
                                       {"before", fmt::format("{:.4g}", one)},
                                       {"each", each}}));
    };
    if (stands_out(before.messages, after.messages, processes))
        add(Sentence::inside_messages, before.messages.mean, after.messages.mean);
    if (stands_out(before.bytes, after.bytes, processes * KiB))
        add(Sentence::inside_bytes, before.bytes.mean / MiB, after.bytes.mean / MiB);
}

void add_late_process(std::vector<std::string> &words, const ComparedComponent &c) {
    constexpr double least = 0.02; // of the core time
    const InsideMessages &before = c.inside_before, &after = c.inside_after;
    const auto add = [&](Sentence sentence, const InsideMessages &state, const InsideMessages &other) {
        words.push_back(say(sentence, {{"name", safe_name(c.name)},
                                       {"process", count_text(state.late)},
                                       {"share", share_in_words(state.late_share.mean)},
                                       {"time", state.of_whole_run ? "run" : "coupling loop"},
                                       {"other", count_text(other.late)},
                                       {"other_share", share_in_words(other.late_share.mean)}}));
    };
    if (before.nobody_is_late() && after.late >= 0) return add(Sentence::late_now, after, before);
    if (before.late >= 0 && after.nobody_is_late()) return add(Sentence::late_no_more, before, after);
    if (before.late < 0 || after.late < 0) return;
    if (before.late != after.late) return add(Sentence::late_other, after, before);
    const double change = std::abs(after.late_share.mean - before.late_share.mean);
    if (after.late_share.is_apart(before.late_share) && change >= least) add(Sentence::late_changed, after, before);
}

void add_component(std::vector<std::string> &words, const Comparison &all, const ComparedComponent &c) {
    const std::string name = safe_name(c.name);
    const std::string each = all.of_model_days ? "for each day of the model" : "in each step";
    const auto longer = [](const Difference &d) { return std::string(d.larger() ? "longer" : "shorter"); };
    if (c.computing.larger() || c.computing.smaller()) {
        words.push_back(
            say(Sentence::computes,
                {{"name", name}, {"change", amount(c.computing)}, {"longer", longer(c.computing)}, {"each", each}}));
    }
    add_messages(words, c, each);
    add_late_process(words, c);
    const bool waits = std::max(c.waiting.before, c.waiting.after) > hardly * c.length.before;
    if (!waits || c.is_io_server) return;
    const std::string whom = c.waits_more_for.empty() ? "" : ", mostly for " + safe_name(c.waits_more_for);
    const bool waited = c.waiting.before > hardly * c.length.before;
    if (waited && (c.waiting.larger() || c.waiting.smaller())) {
        words.push_back(
            say(Sentence::waits,
                {{"name", name}, {"change", amount(c.waiting)}, {"longer", longer(c.waiting)}, {"whom", whom}}));
    } else if (!waited && (c.waiting.larger() || !(c.waiting.before > 0))) {
        words.push_back(say(Sentence::waits_now, {{"name", name},
                                                  {"after", seconds_text(c.waiting.after)},
                                                  {"each", each},
                                                  {"whom", whom},
                                                  {"before", seconds_text(c.waiting.before)}}));
    }
}

std::string interval_text(const Difference &d) {
    if (!d.has_interval()) return "n/a";
    const int decimals = decimals_of(d);
    return fmt::format("{:.{}f} .. {:.{}f}", 100 * d.low, decimals, 100 * d.high, decimals);
}

struct ComparedFigure {
    const char *name;
    const Difference *difference;
};

void add_rows(TextTable &table, ReasonsBelow &reasons, const std::string &name,
              const std::vector<ComparedFigure> &figures) {
    const bool is_component = name != whole_run; // the figures of a run are no times
    const std::string &first_why = figures.front().difference->why_no_interval;
    bool same_why = true;
    for (const auto &[figure, d] : figures) {
        const std::string change =
            is_known(d->change) ? fmt::format("{:+.{}f}", 100 * d->change, decimals_of(*d)) : "n/a";
        const std::string shown = !d->has_interval() ? ""
                                  : d->larger()      ? "more"
                                  : d->smaller()     ? "less"
                                                     : "not shown";
        const auto cell = [is_component](double value) {
            return is_component ? Cell(InSeconds{value}) : Cell(number_text(value));
        };
        table.row({name, figure, cell(d->before), cell(d->after), change, interval_text(*d), shown});
        same_why = same_why && !d->has_interval() && d->why_no_interval == first_why;
    }
    if (same_why && is_component) return reasons.add(first_why, name);
    for (const auto &[figure, d] : figures)
        if (!d->has_interval()) reasons.add(d->why_no_interval, (is_component ? name + " " : "") + figure);
}

void add_efficiency(TextTable &table, const std::string &name, const std::string &what, double before, double after) {
    if (is_known(before) || is_known(after)) table.row({name, what, per_cent_text(before), per_cent_text(after)});
}

void add_efficiencies(TextTable &table, const std::string &name, const Efficiency &before, const Efficiency &after) {
    add_efficiency(table, name, "total", before.total, after.total);
    add_efficiency(table, name, "coupling", before.coupling, after.coupling);
    add_efficiency(table, name, "inside", before.inside, after.inside);
    add_efficiency(table, name, "load balance", before.load_balance, after.load_balance);
    add_efficiency(table, name, "communication", before.communication, after.communication);
}

std::string efficiencies_text(const Comparison &c) {
    const auto known = [](const ComparedComponent &one) {
        return is_known(one.efficiency_before.total) || is_known(one.efficiency_after.total);
    };
    if (std::ranges::none_of(c.components, known)) return "";
    TextTable table({1});
    table.row({"Component", "Efficiency %", "Before", "After"});
    add_efficiencies(table, whole_run, c.efficiency_before, c.efficiency_after);
    for (const ComparedComponent &one : c.components)
        add_efficiencies(table, short_name(one.name, 30), one.efficiency_before, one.efficiency_after);
    const auto lacks = [&](const Efficiency ComparedComponent::*state, const Efficiency ComparedComponent::*other) {
        return std::ranges::any_of(c.components, [=](const ComparedComponent &one) {
            return !is_known((one.*state).inside) && is_known((one.*other).inside);
        });
    };
    ReasonsBelow reasons(", ");
    constexpr const char *why = "the use of MPI inside the components was not recorded";
    if (lacks(&ComparedComponent::efficiency_before, &ComparedComponent::efficiency_after))
        reasons.add(why, "before");
    if (lacks(&ComparedComponent::efficiency_after, &ComparedComponent::efficiency_before)) reasons.add(why, "after");
    return "\n" + table.text() + reasons.text();
}

// Shares of less than a tenth of a per cent in both states are left out.
std::string imbalance_text(const Comparison &c) {
    constexpr double least = 0.001;
    TextTable table({1});
    table.row({"Component", "Its processes wait for each other, % of its loop", "Before", "After"});
    bool any = false;
    for (const ComparedComponent &one : c.components) {
        const auto add = [&](const char *why, double before, double after) {
            if (!(before >= least) && !(after >= least)) return;
            any = true;
            add_efficiency(table, short_name(one.name, 30), why, before, after);
        };
        const ImbalanceShares &b = one.imbalance_before, &a = one.imbalance_after;
        add("for the same processes", b.processes, a.processes);
        add("for the same nodes", b.nodes, a.nodes);
        add("for the rest", b.random, a.random);
    }
    return any ? "\n" + table.text() : "";
}

} // namespace

CompareVerdict verdict_of(const Comparison &comparison) {
    const Difference &d = comparison.length;
    if (!d.has_interval()) return CompareVerdict::not_known;
    return d.larger()    ? CompareVerdict::slower
           : d.smaller() ? CompareVerdict::faster
                         : CompareVerdict::no_difference_shown;
}

bool slower_by_more(const Comparison &comparison, double per_cent) {
    return comparison.length.larger() && 100 * comparison.length.change > per_cent;
}

std::string change_text(const Difference &d) {
    if (!is_known(d.change)) return "n/a";
    const int decimals = decimals_of(d);
    std::string change = fmt::format("{:+.{}f}", 100 * d.change, decimals);
    if (!d.has_interval()) return change;
    return fmt::format("{} [{:.{}f}, {:.{}f}]", change, 100 * d.low, decimals, 100 * d.high, decimals);
}

std::vector<std::string> notes_of(const Comparison &c) {
    std::vector<std::string> notes;
    const auto add = [&](const DisturbedRuns &runs, std::size_t all, const std::string &state) {
        if (runs.count == 0) return;
        const std::string which = all == 1 ? fmt::format("the run {} was", state)
                                           : fmt::format("{} of {} runs {} {}", runs.count, all, state,
                                                         word_for(runs.count, "was", "were"));
        notes.push_back(say(Sentence::runs_disturbed, {{"which", which},
                                                       {"name", safe_name(runs.component)},
                                                       {"seconds", fmt::format("{:.3g}", runs.seconds)},
                                                       {"share", share_in_words(runs.share)},
                                                       {"process", count_text(runs.process)}}));
    };
    add(c.disturbed_before, c.runs_before, "before");
    add(c.disturbed_after, c.runs_after, "after");
    notes.insert(notes.end(), c.notes.begin(), c.notes.end());
    return notes;
}

std::vector<std::string> comparison_in_words(const Comparison &c) {
    std::vector<std::string> words = {run_in_words(c)};
    const bool shown = c.length.larger() || c.length.smaller();
    if (shown && c.runs_before + c.runs_after == 2 && std::abs(c.length.change) < usual_between_runs)
        words.push_back(say(Sentence::repeat_both));
    for (const ComparedComponent &component : c.components)
        add_component(words, c, component);
    for (const std::string &name : c.gone)
        words.push_back(say(Sentence::is_gone, {{"name", safe_name(name)}}));
    for (const std::string &name : c.added)
        words.push_back(say(Sentence::is_new, {{"name", safe_name(name)}}));
    for (const std::string &note : notes_of(c))
        words.push_back("Note: " + safe_name(note) + ".");
    return words;
}

std::string comparison_as_text(const Comparison &c) {
    std::string text;
    for (const std::string &sentence : comparison_in_words(c))
        text += wrapped(sentence, columns);
    TextTable table({1});
    table.row({"Component", c.of_model_days ? "Time for a day [{s}]" : "Time of a step [{s}]", "Before", "After",
               "Change %", "95 % interval", "Shown"});
    ReasonsBelow reasons(", ");
    for (const ComparedComponent &one : c.components) {
        add_rows(table, reasons, short_name(one.name, 30),
                 {{"computing", &one.computing},
                  {one.is_io_server ? "idle" : "waiting", &one.waiting},
                  {"length", &one.length}});
    }
    add_rows(table, reasons, whole_run, {{"SYPD", &c.sypd}, {"CHSY", &c.chsy}});
    text += "\n" + table.text() + reasons.text() + efficiencies_text(c) + imbalance_text(c);
    const bool one_each = c.runs_before + c.runs_after == 2;
    const std::string runs =
        one_each && c.from_timers ? "One run of each, without coupling steps: no interval can be given. Give several "
                                    "runs of each for that."
        : one_each                ? "One run of each: the intervals do not contain how much two runs of the same "
                                    "model differ. Give several runs of each for that."
                                  : fmt::format("Runs: {} before, {} after; the spread between them is in the "
                                                               "intervals.",
                                                c.runs_before, c.runs_after);
    return text + "\n" + wrapped(runs, columns);
}

} // namespace cpl_lb
