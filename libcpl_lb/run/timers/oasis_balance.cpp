// The load balance analysis that OASIS3-MCT makes itself, as text.
//
// Version 5 (its module mod_oasis_load_balancing, Maisonnave et al. 2020) writes load_balancing_info.txt:
//   Coupled model simulation time (s): f8.3; Speed (SYPD) : f10.3; Cost (CHPSY) : f8.3
//   Model NAME simulation time : f8.3, and its cost                    for each component
//   Load balance analysis: a row "NAME / computing / waiting" (a10, f8.3, f8.3) for each component
//   Additional information: for each component its name between two rules, then
//     from model NAME, and on the next line : f8.3                      waiting in oasis_get for that component
//     Total jitter : ; Partial coupling cost (%) : ; ... including OASIS operations (%) :
//     Total mapping/interpolation : ; Total Netcdf output (OUTPUT+EXPOUT+restart): ; each with its spread
//     Total Netcdf output for restart  only: (in the report of 2020: including restart :), with its spread
// It multiplies by 365 for the speed where it should divide, and counts one process too many for a component's cost.
// Waiting is the sum over puts and gets of (latest end - latest start) in a loop without the first and last event of
// each field; computing is the rest of this loop. Waits that overlap so can be longer than the loop.
//
// Versions 3 and 4: the tool lucia prints
//   Load balance analysis / Component - Calculations - Waiting time (s) - # cpl step :   rows a6, f10.2, f10.2, i4
//   Additional informations / Component - OASIS mean interpolation time - Jitter (s):     rows a6, f10.2, f10.2
// and before 2013 Component - Computation - Waiting time (s) - # cpl step with "( +/- spread )" behind both times.
//
// cpl_lb's own load_balancing_info.txt has the same tables, and more. It is refused: its json has all of it.
#include "run/timers/readers.hpp"

#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::string_view oasis_time = "Coupled model simulation time (s)";
constexpr std::string_view lucia_head = "Component -";

bool is_oasis_rule(std::string_view line) {
    line = trimmed_line(line);
    return line.size() >= 3 && line.find_first_not_of('-') == std::string_view::npos;
}

// Headings of what cpl_lb's text has beside the paper's, in all its versions.
bool is_of_cpl_lb(const TimerText &text) {
    return text.has("CPMIP metrics") || text.has("Who waits for whom");
}

TimedComponent *oasis_component(TimedRun &run, std::string_view name) {
    const auto found = std::ranges::find(run.components, name, &TimedComponent::name);
    return found == run.components.end() ? nullptr : &*found;
}

TimedComponent &new_oasis_component(const TimerText &text, std::size_t i, std::string_view name, TimedRun &run) {
    if (name.empty()) throw text.wrong(i, "a component without a name");
    if (oasis_component(run, name) != nullptr)
        throw text.wrong(
            i, fmt::format("{} is here twice: names that are longer than their column look alike", excerpt(name)));
    return run.add_component(std::string(name));
}

// Computing and waiting of the loop that they fill. Nothing measured is not 0; waits that overlap are no waiting.
void take_oasis_balance(const TimerText &text, std::size_t i, double computing, double waiting,
                        TimedComponent &component, TimedRun &run) {
    const std::string from = text.at(i, "Load balance analysis, " + component.name);
    const double loop = computing + waiting;
    if (waiting < 0 || loop < 0)
        throw text.wrong(i, fmt::format("{} waits {} s: no time of a run", excerpt(component.name), waiting));
    if (loop == 0) return;
    component.loop_s = {loop, from};
    if (computing < 0) {
        run.remark(Sentence::timers_waits_overlap,
                   {{"where", from}, {"waiting", decimal_text(waiting, 3)}, {"loop", decimal_text(loop, 3)}});
        return;
    }
    component.computing_s = {computing, from};
    component.waiting_s = {waiting, from};
}

// What stands behind the last colon of a line "words : number".
std::string_view oasis_value(const TimerText &text, std::size_t i) {
    const std::string_view line = text.lines()[i];
    return trimmed_line(line.substr(line.rfind(':') + 1));
}

TimedFigure oasis_figure(const TimerText &text, std::size_t i, std::string_view words) {
    return {text.seconds(i, first_word(oasis_value(text, i)), words), text.at(i, words)};
}

// The simulated time, where the printed speed tells it.
void take_oasis_speed(const TimerText &text, TimedRun &run) {
    const std::size_t i = text.beginning("Speed (SYPD)");
    if (i == text.lines().size()) return;
    const std::string_view word = oasis_value(text, i);
    constexpr double beyond_any_model = 10000; // SYPD; 3.65 million times as fast as the real time
    const bool starred = !word.empty() && word.find_first_not_of('*') == std::string_view::npos;
    const double speed = starred ? unknown : text.number(i, word, "Speed (SYPD)");
    const std::string from = text.at(i, "Speed (SYPD)");
    if (speed > beyond_any_model) {
        run.simulated_s = {speed * run.wall_s.value / 365, from + " x " + run.wall_s.from + " / 365"};
        run.remark(
            Sentence::timers_oasis_speed,
            {{"where", from}, {"speed", std::string(word)}, {"seconds", decimal_text(run.simulated_s.value, 0)}});
    } else {
        run.remark(Sentence::timers_oasis_no_speed, {{"where", from}, {"speed", std::string(word)}});
    }
}

std::size_t read_oasis_rows(const TimerText &text, TimedRun &run) {
    std::size_t i = text.find("Computing time", text.find("Load balance analysis")) + 1;
    for (; i < text.lines().size(); ++i) {
        const std::string_view line = text.lines()[i];
        const std::size_t second = line.rfind('/'), first = second == 0 ? second : line.rfind('/', second - 1);
        if (trimmed_line(line).empty() || is_oasis_rule(line)) {
            if (!run.components.empty()) break;
            continue;
        }
        if (second == std::string_view::npos || first == std::string_view::npos)
            throw text.wrong(i, "a component's line needs: name / computing time / waiting time");
        TimedComponent &component = new_oasis_component(text, i, trimmed_line(line.substr(0, first)), run);
        const double computing =
            text.number(i, trimmed_line(line.substr(first + 1, second - first - 1)), "computing time");
        const double waiting = text.number(i, trimmed_line(line.substr(second + 1)), "waiting time");
        take_oasis_balance(text, i, computing, waiting, component, run);
    }
    if (run.components.empty())
        throw text.ends_without("no component below 'Load balance analysis': the file is cut");
    return i;
}

// The shares that the file prints must be those of its own times.
void check_oasis_share(const TimerText &text, std::size_t i, const TimedComponent &component, TimedRun &run) {
    const std::string_view word = oasis_value(text, i);
    if (!component.waiting_s.known()) return; // NaN, or of waits that overlap
    const double printed = text.number(i, word, "Partial coupling cost (%)");
    const double ours = 100 * component.waiting_s.value / component.loop_s.value;
    constexpr double rounding = 0.006; // of f6.2 and of two f8.3
    if (std::abs(printed - ours) <= rounding + 0.1 / component.loop_s.value) return;
    run.remark_differs(Sentence::timers_share_differs, text.at(i, "Partial coupling cost (%)"), std::string(word),
                       decimal_text(ours, 2));
}

struct OasisLine {
    std::string_view words;
    TimedFigure TimedComponent::*figure, TimedComponent::*spread;
};

// The block of one component under "Additional information".
void read_oasis_block(const TimerText &text, std::size_t first, std::size_t end, TimedComponent &component,
                      TimedRun &run) {
    static const OasisLine lines[] = {
        {"Total mapping/interpolation", &TimedComponent::mapping_s, &TimedComponent::mapping_spread_s},
        {"Total Netcdf output (OUTPUT", &TimedComponent::output_s, &TimedComponent::output_spread_s},
        {"Total Netcdf output for restart", &TimedComponent::restart_s, &TimedComponent::restart_spread_s},
        {"including restart", &TimedComponent::restart_s, &TimedComponent::restart_spread_s}};
    TimedFigure TimedComponent::*spread = nullptr;
    for (std::size_t i = first; i < end; ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("from model")) {
            const std::string name(trimmed_line(after(line, "from model")));
            if (i + 1 == end || text.lines()[i + 1].find(':') == std::string_view::npos)
                throw text.wrong(i, fmt::format("the time below 'from model {}' is missing", excerpt(name)));
            component.waits.push_back({name, oasis_figure(text, i + 1, "oasis_get time from " + excerpt(name))});
        } else if (line.starts_with("Total jitter")) {
            component.jitter_s = oasis_figure(text, i, "Total jitter");
        } else if (line.starts_with("Partial coupling cost (%)")) {
            check_oasis_share(text, i, component, run);
        } else if (line.starts_with("with spread")) {
            if (spread != nullptr) component.*spread = oasis_figure(text, i, "with spread");
        }
        for (const OasisLine &known : lines) {
            if (!line.starts_with(known.words)) continue;
            component.*known.figure = oasis_figure(text, i, known.words);
            spread = known.spread;
        }
    }
}

void read_oasis_blocks(const TimerText &text, std::size_t from, TimedRun &run) {
    TimedComponent *component = nullptr;
    std::size_t first = from;
    for (std::size_t i = from; i <= text.lines().size(); ++i) {
        TimedComponent *next =
            i < text.lines().size() ? oasis_component(run, trimmed_line(text.lines()[i])) : nullptr;
        const bool ends = i == text.lines().size() || next != nullptr ||
                          trimmed_line(text.lines()[i]).starts_with("Total time of this load balancing");
        if (!ends) continue;
        if (component != nullptr) read_oasis_block(text, first, i, *component, run);
        if (next == nullptr) return;
        component = next;
        first = i + 1;
    }
}

TimedRun read_oasis_5(const TimerText &text) {
    const std::size_t head = text.find(oasis_time);
    text.refuse_second_run(head, oasis_time);
    TimedRun run;
    run.coupler = "OASIS3-MCT";
    run.wall_s = oasis_figure(text, head, oasis_time);
    take_oasis_speed(text, run);
    const std::size_t end = read_oasis_rows(text, run);
    if (text.find("Total time of this load balancing", end) == text.lines().size())
        throw text.ends_without("there is no line 'Total time of this load balancing analysis': the file is cut");
    read_oasis_blocks(text, end, run);
    return run;
}

// "  fesom       1616.47        45.08       4377", also with "( +/-  1.20 )" behind both times.
void read_lucia_row(const TimerText &text, std::size_t i, TimedRun &run) {
    const std::vector<std::string_view> words = words_of(text.lines()[i]);
    std::vector<std::string_view> plain;
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (words[w] == "+/-")
            ++w; // and the spread
        else if (words[w] != "(" && words[w] != ")")
            plain.push_back(words[w]);
    }
    if (plain.size() < 4) throw text.wrong(i, "a component's line needs: name, calculations, waiting time, steps");
    TimedComponent &component = new_oasis_component(text, i, plain[0], run);
    take_oasis_balance(text, i, text.number(i, plain[1], "calculations"), text.number(i, plain[2], "waiting time"),
                       component, run);
}

void read_lucia_extra(const TimerText &text, std::size_t i, TimedRun &run) {
    const std::vector<std::string_view> words = words_of(text.lines()[i]);
    if (words.size() != 3) throw text.wrong(i, "a component's line needs: name, interpolation time, jitter");
    TimedComponent *component = oasis_component(run, words[0]);
    if (component == nullptr)
        throw text.wrong(i, fmt::format("{} is no component of the table above", excerpt(words[0])));
    component->mapping_s = {text.seconds(i, words[1], "interpolation time"),
                            text.at(i, "OASIS mean interpolation time, " + component->name)};
    component->jitter_s = {text.seconds(i, words[2], "jitter"), text.at(i, "Jitter, " + component->name)};
}

TimedRun read_lucia(const TimerText &text) {
    const std::size_t head = text.find("Waiting time (s)");
    text.refuse_second_run(head, "Waiting time (s)");
    TimedRun run;
    run.coupler = "OASIS3-MCT";
    bool extra = false;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("Additional informations") || line.starts_with(lucia_head)) {
            extra = true;
        } else if (line.starts_with("lucia completed")) {
            break;
        } else if (!line.empty()) {
            if (extra)
                read_lucia_extra(text, i, run);
            else
                read_lucia_row(text, i, run);
        }
    }
    if (run.components.empty()) throw text.wrong(head, "no component below this line: the file is cut");
    return run;
}

} // namespace

bool is_oasis_balance(const TimerText &text) {
    return text.has("Load balance analysis") && (text.has(oasis_time) || text.has(lucia_head));
}

std::vector<TimedRun> read_oasis_balance(const TimerText &text) {
    if (!text.has(oasis_time) && !text.has(lucia_head)) throw text.wrong(0, "no load balance analysis of OASIS3-MCT");
    if (!text.has(oasis_time)) return {read_lucia(text)};
    if (is_of_cpl_lb(text))
        throw text.wrong(0, "a summary that cpl_lb wrote: give its folder to cpl-lb summary, compare or balance");
    return {read_oasis_5(text)};
}

} // namespace cpl_lb
