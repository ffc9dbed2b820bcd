// Clocks of FMS (mpp_clock, printed by mpp_exit): MOM4 to MOM6, SIS, GFDL's coupled models, UFS's atmosphere.
//
//   Tabulating mpp_clock statistics across  N PEs...         the number is missing in versions of 2004 and before
//
//             hits   tmin   tmax   tavg   tstd  tfrac grain pemin pemax
//   NAME (32)    1   F14.6  F14.6  F14.6  F14.6  F7.3   I6    I6    I6
//    MPP_STACK high water mark= ...
//
// `hits` came later than MOM5's FMS; grain, pemin and pemax are missing in the oldest ones. Names have blanks and
// are cut after 32 characters. tmin, tmax, tavg and tstd are over the processes pemin to pemax, tfrac is tavg over
// that of "Total runtime". A grain of 1 is a component (CLOCK_COMPONENT), 0 is whole program. The programs of FMS
// (coupler_main, ocean_solo, MOM_driver) have the clocks "Initialization", "Main loop" and "Termination", and
// "Ocean", "Ice", "Land", "Atmosphere" around the calls of the components in their loop. MOM6's "Ocean" holds its
// initialisation and end, too, since they have the clock "Ocean MOM_end" (2026).
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace cpl_lb {
namespace {

struct FmsClock {
    std::string name;
    std::int64_t hits = 0; // of each process; 0: not known
    double tmin_s = unknown, tmax_s = unknown, tavg_s = unknown;
    std::int64_t first = -1, last = -1; // processes; -1: not known
    std::size_t line = 0;
};

using FmsColumns = std::vector<std::string_view>;

bool is_fms_head(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    const auto has = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    return has("tmax") && has("tavg") && has("tstd") && has("tfrac");
}

std::size_t fms_head(const TimerText &text, std::size_t first) {
    for (std::size_t i = first; i < text.lines().size(); ++i)
        if (is_fms_head(text.lines()[i])) return i;
    return text.lines().size();
}

FmsColumns fms_columns(const TimerText &text, std::size_t head) {
    static const FmsColumns known = {"hits", "tmin", "tmax", "tavg", "tstd", "tfrac", "grain", "pemin", "pemax"};
    FmsColumns columns = words_of(text.lines()[head]);
    const FmsColumns shortest(known.begin() + 1, known.begin() + 6), with_hits(known.begin(), known.begin() + 6);
    const FmsColumns no_hits(known.begin() + 1, known.end());
    for (const FmsColumns &layout : {shortest, with_hits, no_hits, known})
        if (columns == layout) return columns;
    throw text.wrong(head,
                     "the columns of the clocks are not hits, tmin, tmax, tavg, tstd, tfrac, grain, pemin, pemax");
}

// Times of a million seconds fill their column of F14.6: the next one begins behind the sixth decimal, and hits end
// before the 14 characters. Stars fill a column, too.
void split_fms_times(std::string_view word, FmsColumns &words) {
    constexpr std::size_t width = 14, decimals = 6;
    while (!word.empty()) {
        const std::size_t stars = std::min(word.find('*'), word.size()), point = word.find('.');
        std::size_t end = stars == 0 ? std::min(width, word.size()) : stars;
        if (point < end && word.size() > point + 1 + decimals) end = std::min(end, point + 1 + decimals);
        const bool has_hits = stars > 0 && point < end && end > width;
        if (has_hits) words.push_back(word.substr(0, end - width));
        words.push_back(word.substr(has_hits ? end - width : 0, has_hits ? width : end));
        word.remove_prefix(end);
    }
}

// The row of a clock; nothing for a line that is none.
std::optional<FmsClock> fms_clock(const TimerText &text, std::size_t i, const FmsColumns &columns) {
    const std::string_view line = text.lines()[i];
    FmsColumns words;
    for (const std::string_view word : words_of(line)) {
        if (looks_like_number(word))
            split_fms_times(word, words);
        else
            words.push_back(word);
    }
    std::size_t numbers = 0;
    while (numbers < words.size() && looks_like_number(words[words.size() - 1 - numbers]))
        ++numbers;
    if (numbers < 3) return std::nullopt; // a message of somebody between the rows
    if (numbers < columns.size() || words.size() == columns.size()) {
        throw text.wrong(i,
                         fmt::format("a clock needs its name and {} numbers: the row is cut, or two numbers have no "
                                     "blank between them",
                                     columns.size()));
    }
    const std::size_t first = words.size() - columns.size();
    FmsClock clock;
    clock.line = i;
    clock.name = trimmed_line(line.substr(0, static_cast<std::size_t>(words[first].data() - line.data())));
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::string what = fmt::format("{} of '{}'", columns[c], clock.name);
        const std::string_view word = words[first + c];
        if (columns[c] == "hits") clock.hits = text.count(i, word, what);
        if (columns[c] == "tmin") clock.tmin_s = text.seconds(i, word, what);
        if (columns[c] == "tmax") clock.tmax_s = text.seconds(i, word, what);
        if (columns[c] == "tavg") clock.tavg_s = text.seconds(i, word, what);
        if (columns[c] == "tstd" || columns[c] == "tfrac") static_cast<void>(text.number(i, word, what));
        if (columns[c] == "pemin") clock.first = text.count(i, word, what);
        if (columns[c] == "pemax") {
            clock.last = text.count(i, word, what, clock.first);
            static_cast<void>(text.processes(i, std::to_string(clock.last + 1), what));
        }
    }
    return clock;
}

std::vector<FmsClock> fms_clocks(const TimerText &text, std::size_t head) {
    const FmsColumns columns = fms_columns(text, head);
    std::vector<FmsClock> clocks;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.find("high water mark") != std::string_view::npos) break;
        if (line.empty() && !clocks.empty()) break;
        std::optional<FmsClock> clock = fms_clock(text, i, columns);
        const bool has_no_end = i + 1 == text.lines().size() && !text.text().ends_with('\n');
        if (has_no_end && (clock || looks_like_number(words_of(line).back())))
            throw text.wrong(i, "the file ends inside this row; if the row is whole, put an end of line behind it");
        if (clock) clocks.push_back(std::move(*clock));
    }
    if (clocks.empty()) throw text.wrong(head, "no clock below this line: the file is cut");
    return clocks;
}

const FmsClock *fms_clock_of(const std::vector<FmsClock> &clocks, std::string_view name) {
    const auto found = std::find_if(clocks.begin(), clocks.end(), [&](const FmsClock &c) { return c.name == name; });
    return found == clocks.end() ? nullptr : &*found;
}

TimedFigure fms_most(const TimerText &text, const std::vector<FmsClock> &clocks, std::string_view name) {
    const FmsClock *const clock = fms_clock_of(clocks, name);
    if (clock == nullptr) return {};
    return {clock->tmax_s, text.at(clock->line, clock->name)};
}

// The processes of the run: N of "across N PEs", else those of the total. 0: not told.
std::int64_t fms_processes(const TimerText &text, std::size_t head, const FmsClock *total) {
    for (std::size_t i = head; i-- > 0;) {
        const std::string_view count = after(text.lines()[i], "statistics across");
        if (count.empty()) continue;
        const std::vector<std::string_view> words = words_of(count);
        if (words.size() > 1) return text.count(i, words.front(), "the number of PEs", 1);
        break;
    }
    return total == nullptr || total->last < 0 ? 0 : total->last + 1;
}

// `seen` counts a component's clocks of each name.
void add_fms_part(const TimerText &text, const FmsClock &clock, std::int64_t run_processes,
                  std::map<std::string, int> &seen, TimedComponent &component) {
    TimedPart part;
    part.name = clock.name;
    // Names are cut after 32 characters, and then some are the same.
    constexpr std::size_t longest = 32;
    const int twins = ++seen[component.name + "/" + clock.name];
    if (clock.name.size() + 1 >= longest && twins > 1) part.name += fmt::format(" ({})", twins);
    part.processes = clock.last < 0 ? run_processes : clock.last - clock.first + 1;
    part.calls = clock.hits * part.processes;
    part.min_s = clock.tmin_s;
    part.mean_s = clock.tavg_s;
    part.max_s = clock.tmax_s;
    part.from = text.at(clock.line, clock.name);
    component.parts.push_back(std::move(part));
}

TimedComponent fms_component(const TimerText &text, const FmsClock &clock, std::int64_t run_processes) {
    TimedComponent component;
    component.name = clock.name;
    component.computing_s = {clock.tmax_s, text.at(clock.line, clock.name)};
    component.processes_from = text.at(clock.line, clock.name);
    component.processes = run_processes;
    if (clock.last >= 0) {
        component.first_process = clock.first;
        component.processes = clock.last - clock.first + 1;
    }
    return component;
}

// What a component's clock holds outside of the loop is taken off.
void leave_out_fms_ends(const TimerText &text, const std::vector<FmsClock> &clocks, TimedComponent &component) {
    const FmsClock *const end = fms_clock_of(clocks, "Ocean MOM_end");
    if (end == nullptr || component.name != "Ocean") return;
    for (const FmsClock *const clock : {fms_clock_of(clocks, "Ocean Initialization"), end}) {
        if (clock == nullptr || clock->tavg_s > component.computing_s.value) continue;
        component.computing_s.value -= clock->tavg_s;
        component.computing_s.from += " - " + text.at(clock->line, clock->name);
    }
}

// "(Ocean tracer update)", "Ice: update fast" and "Ocean dynamics" are parts of a component; "Ice-ocean coupler" and
// "Ice ocean flux" are of two.
bool is_fms_part_of(std::string_view clock, std::string_view component) {
    const bool in_brackets = clock.starts_with('(');
    if (in_brackets) clock.remove_prefix(1);
    if (!clock.starts_with(component) || clock.size() == component.size()) return false;
    const char next = clock[component.size()];
    if (in_brackets || next == ':') return true;
    static const std::array<std::string_view, 5> others = {"flux", "atm", "land", "ice", "ocean"};
    const std::vector<std::string_view> words = words_of(clock.substr(component.size()));
    return next == ' ' && std::none_of(others.begin(), others.end(), [&](std::string_view other) {
               return std::find(words.begin(), words.end(), other) != words.end();
           });
}

// Whose part a clock is: nobody's if it is of several components.
TimedComponent *fms_owner(const FmsClock &clock, std::vector<TimedComponent> &components) {
    if (components.size() == 1) return &components.front();
    const auto found = std::find_if(components.begin(), components.end(), [&](const TimedComponent &component) {
        return is_fms_part_of(clock.name, component.name);
    });
    return found == components.end() ? nullptr : &*found;
}

// MOM5's and MOM4's clock around the receives of OASIS: what the ocean waits for.
void take_fms_waiting(const TimerText &text, const std::vector<FmsClock> &clocks, TimedRun &run) {
    const FmsClock *const receive = fms_clock_of(clocks, "oasis_recv");
    if (receive == nullptr || run.components.size() != 1) return;
    run.coupler = "OASIS";
    run.components.front().waiting_s = {receive->tavg_s, text.at(receive->line, receive->name)};
}

// FMS writes the high water mark of its memory below the clocks.
void leave_out_what_may_be_cut(const TimerText &text, const std::vector<FmsClock> &clocks, TimedRun &run) {
    if (goes_on_after(text, clocks.back().line)) return;
    run.remarks.push_back(say(Sentence::timers_cut, {{"where", text.at(clocks.back().line, clocks.back().name)},
                                                     {"what", "components, the ocean's computing, waiting"}}));
    for (TimedComponent &component : run.components) {
        component.waiting_s = {};
        if (component.name == "Ocean") component.computing_s = {}; // its ends may stand below
    }
}

bool is_fms_phase(std::string_view name) {
    static const std::array<std::string_view, 4> phases = {"Total runtime", "Initialization", "Main loop",
                                                           "Termination"};
    return std::find(phases.begin(), phases.end(), name) != phases.end();
}

} // namespace

bool is_fms_clocks(const TimerText &text) {
    return fms_head(text, 0) < text.lines().size() ||
           text.find("Tabulating mpp_clock statistics") < text.lines().size();
}

std::vector<TimedRun> read_fms_clocks(const TimerText &text) {
    const std::size_t head = fms_head(text, 0), none = text.lines().size();
    if (head == none) throw text.wrong(none - 1, "the clocks' line of columns (tmin, tmax, ...) is missing");
    for (std::size_t i = head + 1; i < none; ++i)
        if (is_fms_head(text.lines()[i])) throw text.wrong(i, "a second run begins here: give each run its own file");
    const std::vector<FmsClock> clocks = fms_clocks(text, head);
    const FmsClock *const total = fms_clock_of(clocks, "Total runtime");
    if (total == nullptr) throw text.wrong(head, "there is no clock 'Total runtime' below this line");
    TimedRun run;
    run.kind = "fms";
    run.processes = fms_processes(text, head, total);
    run.wall_s = fms_most(text, clocks, "Total runtime");
    run.startup_s = fms_most(text, clocks, "Initialization");
    run.loop_s = fms_most(text, clocks, "Main loop");
    run.shutdown_s = fms_most(text, clocks, "Termination");
    for (const char *name : {"Atmosphere", "Land", "Ice", "Ocean"}) {
        if (const FmsClock *const clock = fms_clock_of(clocks, name)) {
            run.components.push_back(fms_component(text, *clock, run.processes));
            leave_out_fms_ends(text, clocks, run.components.back());
        }
    }
    if (run.components.empty()) { // a model alone whose own clocks only are there
        run.components.push_back(fms_component(text, *total, run.processes));
        run.components.front().name = "model";
        run.components.front().computing_s = {};
    }
    std::map<std::string, int> seen;
    for (const FmsClock &clock : clocks) {
        if (is_fms_phase(clock.name)) continue;
        if (TimedComponent *const owner = fms_owner(clock, run.components))
            add_fms_part(text, clock, run.processes, seen, *owner);
    }
    take_fms_waiting(text, clocks, run);
    leave_out_what_may_be_cut(text, clocks, run);
    return {std::move(run)};
}

} // namespace cpl_lb
