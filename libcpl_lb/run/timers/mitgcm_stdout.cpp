// MITgcm's timers at the end of STDOUT.0000 (or output.txt), printed by eesupp/src/timers.F in every version:
//   (PID.TID 0000.0001)   Seconds in section "ALL                    [THE_MODEL_MAIN]":
//   (PID.TID 0000.0001)           User time:   1.7597330546705052      System time, Wall clock time likewise
//   (PID.TID 0000.0001)          No. starts:           1               No. stops likewise
// for each section, with all digits of a double. They are of one process; sections contain each other. The name of
// the loop differs: MAIN_DO_LOOP [THE_MAIN_LOOP] inside MAIN LOOP since about 2005, MAIN LOOP alone before. A model
// that is coupled has CPL_EXPORT-IMPORT. In front of them stand the numbers of processes and threads (nProcs,
// nThreads) and the parameters, "nTimeSteps = /* ... */" and deltaTClock, with the value on the next line.
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::string_view mitgcm_section = "Seconds in section \"";
constexpr std::string_view mitgcm_all = "Seconds in section \"ALL ";

// What stands behind "(PID.TID 0000.0001)".
std::string_view mitgcm_line(std::string_view line) {
    const std::size_t end = line.starts_with("(PID.TID") ? line.find(')') : std::string_view::npos;
    return trimmed_line(end == std::string_view::npos ? line : line.substr(end + 1));
}

void refuse_other_process(const TimerText &text, std::size_t i) {
    const std::string_view line = text.lines()[i];
    if (!line.starts_with("(PID.TID ") || line.size() < 13) return;
    const std::string_view process = line.substr(9, line.find('.', 9) - 9);
    if (process.find_first_not_of('0') == std::string_view::npos) return;
    throw text.wrong(
        i, fmt::format("of process {}: give the output of the first process, STDOUT.0000", excerpt(process)));
}

// The value of the line "Words: value" that must be line i.
std::string_view mitgcm_value(const TimerText &text, std::size_t i, std::string_view words) {
    if (i >= text.lines().size()) throw text.ends_without(fmt::format("'{}' is missing: the file is cut", words));
    const std::string_view line = mitgcm_line(text.lines()[i]);
    if (!line.starts_with(words)) throw text.wrong(i, fmt::format("here '{}' is expected", words));
    return after(line, ":");
}

TimedPart mitgcm_part(const TimerText &text, std::size_t i, TimedRun &run) {
    const std::string_view line = mitgcm_line(text.lines()[i]);
    const std::size_t first = line.find('"') + 1, last = line.rfind('"');
    if (last < first) throw text.wrong(i, "a section's name has no end");
    std::string name;
    for (const std::string_view word : words_of(line.substr(first, last - first)))
        name += (name.empty() ? "" : " ") + std::string(word);
    TimedPart part = text.part(i, name);
    part.processes = 1;
    static_cast<void>(text.seconds(i + 1, mitgcm_value(text, i + 1, "User time"), "User time"));
    static_cast<void>(text.seconds(i + 2, mitgcm_value(text, i + 2, "System time"), "System time"));
    part.mean_s = text.seconds(i + 3, mitgcm_value(text, i + 3, "Wall clock time"), "Wall clock time");
    part.min_s = part.max_s = part.mean_s;
    part.calls = text.count(i + 4, mitgcm_value(text, i + 4, "No. starts"), "No. starts");
    const std::int64_t stops = text.count(i + 5, mitgcm_value(text, i + 5, "No. stops"), "No. stops");
    if (stops != part.calls) {
        run.remark(Sentence::timers_starts_differ,
                   {{"where", part.from}, {"starts", std::to_string(part.calls)}, {"stops", std::to_string(stops)}});
    }
    return part;
}

TimedFigure mitgcm_figure(const std::vector<TimedPart> &parts, std::string_view name) {
    for (const TimedPart &part : parts)
        if (part.name.starts_with(name)) return part.mean();
    return {};
}

// "   nProcs =    4 ; /* ... */"; 0: not there. `from` becomes its place.
std::int64_t mitgcm_count(const TimerText &text, std::string_view name, std::string &from) {
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(mitgcm_line(text.lines()[i]));
        if (words.size() < 3 || words[0] != name || words[1] != "=") continue;
        const std::int64_t count = text.count(i, words[2], name, 1);
        constexpr std::int64_t most = 10'000'000; // no machine has as many
        if (count > most) throw text.wrong(i, fmt::format("{} is {}: no machine has as many", name, count));
        from = text.at(i, name);
        return count;
    }
    return 0;
}

// "nTimeSteps =   /* ... */", and its value on the next line.
TimedFigure mitgcm_parameter(const TimerText &text, std::string_view name) {
    for (std::size_t i = 0; i + 1 < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(mitgcm_line(text.lines()[i]));
        if (words.size() < 3 || words[0] != name || words[1] != "=" || words[2] != "/*") continue;
        return {text.seconds(i + 1, first_word(mitgcm_line(text.lines()[i + 1])), name), text.at(i + 1, name)};
    }
    return {};
}

// Statistics of communication stand below the sections, and a line that the run ended.
bool is_mitgcm_cut(const TimerText &text) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < text.lines().size(); ++i)
        if (text.lines()[i].find(mitgcm_section) != std::string_view::npos) last = i;
    return !goes_on_after(text, last + 5);
}

void take_mitgcm_times(const TimerText &text, TimedComponent &model, TimedRun &run) {
    run.wall_s = mitgcm_figure(model.parts, "ALL [");
    if (!(run.wall_s.value > 0))
        throw text.wrong(text.find(mitgcm_all), "the wall clock time is 0: MITgcm had no clock (IGNORE_TIME)");
    TimedFigure loop = mitgcm_figure(model.parts, "MAIN_DO_LOOP");
    const bool is_cut = is_mitgcm_cut(text);
    if (is_cut) run.remark_cut(model.parts.back(), loop.known() ? "computing" : "loop, computing");
    if (!loop.known() && !is_cut) loop = mitgcm_figure(model.parts, "MAIN LOOP");
    run.loop_s = model.computing_s = loop;
    const TimedFigure fixed = mitgcm_figure(model.parts, "INITIALISE_FIXED"),
                      varia = mitgcm_figure(model.parts, "INITIALISE_VARIA");
    if (fixed.known() && varia.known()) run.startup_s = fixed + varia;
    const TimedFigure coupling = mitgcm_figure(model.parts, "CPL_");
    run.others = coupling.known() ? OtherModels::ran : OtherModels::not_known;
    if (is_cut)
        model.computing_s = {};
    else if (coupling.known() && loop.known())
        model.computing_s = loop - coupling;
}

} // namespace

bool is_mitgcm_stdout(const TimerText &text) {
    return text.has(mitgcm_section) || text.has("// MITgcmUV version:");
}

std::vector<TimedRun> read_mitgcm_stdout(const TimerText &text) {
    const std::size_t head = text.find(mitgcm_all);
    if (head == text.lines().size())
        throw text.ends_without(
            "there is no section \"ALL [THE_MODEL_MAIN]\": the run did not end, or the file is cut");
    refuse_other_process(text, head);
    text.refuse_second_run(head, mitgcm_all);
    TimedRun run;
    TimedComponent &model = run.add_component("mitgcm");
    const std::string_view label =
        text.lines()[head].substr(0, text.lines()[head].find(')') + 1); // of the first thread
    for (std::size_t i = head; i < text.lines().size(); ++i) {
        if (text.lines()[i].find(mitgcm_section) == std::string_view::npos) continue;
        if (text.lines()[i].starts_with(label)) model.parts.push_back(mitgcm_part(text, i, run));
    }
    std::string threads_from;
    model.processes = mitgcm_count(text, "nProcs", model.processes_from);
    model.threads = mitgcm_count(text, "nThreads", threads_from);
    const TimedFigure steps = mitgcm_parameter(text, "nTimeSteps"), step = mitgcm_parameter(text, "deltaTClock");
    if (steps.value > 0 && step.value > 0)
        run.simulated_s = {steps.value * step.value, steps.from + " x " + step.from};
    take_mitgcm_times(text, model, run);
    return {std::move(run)};
}

} // namespace cpl_lb
