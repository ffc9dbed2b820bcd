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

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace cpl_lb {
namespace {

struct FmsClock : TimedPart {
    std::int64_t first = -1, last = -1; // processes; -1: not known
};

using FmsColumns = std::vector<std::string_view>;

bool is_fms_head(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    const auto stands = [&](std::string_view column) { return std::ranges::find(words, column) != words.end(); };
    return stands("tmax") && stands("tavg") && stands("tstd") && stands("tfrac");
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

// Clocks that figures of the run and of components come from.
bool is_fms_figure(std::string_view name) {
    static const std::array<std::string_view, 11> figures = {
        "Total runtime", "Initialization",       "Main loop",     "Termination", "Atmosphere", "Land", "Ice",
        "Ocean",         "Ocean Initialization", "Ocean MOM_end", "oasis_recv"};
    return std::ranges::find(figures, name) != figures.end();
}

std::size_t fms_numbers(const std::vector<std::string_view> &words) { // at the end of the line
    std::size_t numbers = 0;
    while (numbers < words.size() && looks_like_number(words[words.size() - 1 - numbers]))
        ++numbers;
    return numbers;
}

// Of a row that cannot be read.
bool is_fms_figure_row(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    const auto first = std::ranges::find_if(words, looks_like_number);
    return first == words.end() || is_fms_figure(before(line, *first));
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
    const std::size_t numbers = fms_numbers(words);
    if (numbers < 3) return std::nullopt; // a message of somebody between the rows
    if (numbers < columns.size() || words.size() == columns.size()) {
        throw text.wrong(i,
                         fmt::format("a clock needs its name and {} numbers: the row is cut, or two numbers have no "
                                     "blank between them",
                                     columns.size()));
    }
    const std::size_t first = words.size() - columns.size();
    FmsClock clock{text.part(i, before(line, words[first]))};
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::string what = column_of(columns[c], clock.name);
        const std::string_view word = words[first + c];
        if (columns[c] == "hits") clock.calls = text.count(i, word, what);
        if (columns[c] == "tmin") clock.min_s = text.seconds(i, word, what);
        if (columns[c] == "tmax") clock.max_s = text.seconds(i, word, what);
        if (columns[c] == "tavg") clock.mean_s = text.seconds(i, word, what);
        if (columns[c] == "tstd" || columns[c] == "tfrac") static_cast<void>(text.number(i, word, what));
        if (columns[c] == "pemin") clock.first = text.count(i, word, what);
        if (columns[c] == "pemax") {
            clock.last = text.count(i, word, what, clock.first);
            static_cast<void>(text.processes(i, std::to_string(clock.last + 1), what));
        }
    }
    return clock;
}

std::vector<FmsClock> fms_clocks(const TimerText &text, std::size_t head, LeftOutRows &left_out) {
    const FmsColumns columns = fms_columns(text, head);
    std::vector<FmsClock> clocks;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.find("high water mark") != std::string_view::npos) break;
        if (line.empty() && !clocks.empty()) break;
        std::optional<FmsClock> clock;
        try {
            clock = fms_clock(text, i, columns);
        } catch (const FileError &error) {
            if (is_fms_figure_row(line)) throw;
            left_out.add(error);
            continue;
        }
        const bool has_no_end = text.place(i) == text.lines().size() && !text.text().ends_with('\n');
        if (has_no_end && (clock || looks_like_number(words_of(line).back())))
            throw text.wrong(i, "the file ends inside this row; if the row is whole, put an end of line behind it");
        if (clock) clocks.push_back(std::move(*clock));
    }
    if (clocks.empty()) throw text.wrong(head, "no clock below this line: the file is cut");
    return clocks;
}

// The processes of the run: N of "across N PEs", else those of the total. 0: not told.
std::int64_t fms_processes(const TimerText &text, std::size_t head, const FmsClock &total) {
    for (std::size_t i = head; i-- > 0;) {
        const std::vector<std::string_view> words = words_of(after(text.lines()[i], "statistics across"));
        if (words.size() > 1) return text.count(i, words.front(), "the number of PEs", 1);
        if (!words.empty()) break;
    }
    return total.last + 1;
}

// `seen` counts a component's clocks of each name.
void add_fms_part(TimedPart clock, std::map<std::string, int> &seen, TimedComponent &component) {
    // Names are cut after 32 characters, and then some are the same.
    constexpr std::size_t longest = 32;
    const int twins = ++seen[component.name + "/" + clock.name];
    if (clock.name.size() + 1 >= longest && twins > 1) clock.name += fmt::format(" ({})", twins);
    component.parts.push_back(std::move(clock));
}

TimedComponent fms_component(const FmsClock &clock) {
    TimedComponent component;
    component.name = clock.name;
    component.computing_s = clock.most();
    component.processes_from = clock.from;
    component.processes = clock.processes;
    if (clock.last >= 0) component.first_process = clock.first;
    return component;
}

// What a component's clock holds outside of the loop is taken off.
void leave_out_fms_ends(const std::vector<FmsClock> &clocks, TimedComponent &component) {
    const FmsClock *const end = row_named(clocks, "Ocean MOM_end");
    if (end == nullptr || component.name != "Ocean") return;
    for (const FmsClock *const clock : {row_named(clocks, "Ocean Initialization"), end})
        if (clock != nullptr && clock->mean_s <= component.computing_s.value)
            component.computing_s = component.computing_s - clock->mean();
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
    return next == ' ' && std::ranges::find_first_of(words, others) == words.end();
}

// Whose part a clock is: nobody's if it is of several components.
TimedComponent *fms_owner(const FmsClock &clock, std::vector<TimedComponent> &components) {
    if (components.size() == 1) return &components.front();
    const auto has_it = [&](const TimedComponent &c) { return is_fms_part_of(clock.name, c.name); };
    const auto found = std::ranges::find_if(components, has_it);
    return found == components.end() ? nullptr : &*found;
}

// MOM5's and MOM4's clock around the receives of OASIS: what the ocean waits for.
void take_fms_waiting(const std::vector<FmsClock> &clocks, TimedRun &run) {
    const FmsClock *const receive = row_named(clocks, "oasis_recv");
    if (receive == nullptr || run.components.size() != 1) return;
    run.coupler = "OASIS";
    run.components.front().waiting_s = receive->mean();
}

// FMS writes the high water mark of its memory below the clocks.
void leave_out_what_may_be_cut(const TimerText &text, const std::vector<FmsClock> &clocks, TimedRun &run) {
    if (goes_on_after(text, clocks.back().line)) return;
    run.remark_cut(clocks.back(), "components, the ocean's computing, waiting");
    for (TimedComponent &component : run.components) {
        component.waiting_s = {};
        if (component.name == "Ocean") component.computing_s = {}; // its ends may stand below
    }
}

bool is_fms_phase(std::string_view name) {
    static const std::array<std::string_view, 4> phases = {"Total runtime", "Initialization", "Main loop",
                                                           "Termination"};
    return std::ranges::find(phases, name) != phases.end();
}

} // namespace

bool is_fms_clocks(const TimerText &text) {
    return text.has(is_fms_head) || text.has("Tabulating mpp_clock statistics");
}

namespace {

TimedRun fms_program(const TimerText &text, std::size_t head, std::vector<FmsClock> &clocks) {
    LeftOutRows left_out;
    clocks = fms_clocks(text, head, left_out);
    const FmsClock *const total = row_named(clocks, "Total runtime");
    if (total == nullptr) throw text.wrong(head, "there is no clock 'Total runtime' below this line");
    TimedRun run;
    left_out.remark_on(run);
    run.processes = fms_processes(text, head, *total);
    for (FmsClock &clock : clocks) {
        clock.processes = clock.last < 0 ? run.processes : clock.last - clock.first + 1;
        clock.calls *= clock.processes;
    }
    run.wall_s = total->most();
    run.startup_s = most_of(clocks, "Initialization");
    run.loop_s = most_of(clocks, "Main loop");
    run.shutdown_s = most_of(clocks, "Termination");
    for (const char *name : {"Atmosphere", "Land", "Ice", "Ocean"}) {
        if (const FmsClock *const clock = row_named(clocks, name)) {
            run.components.push_back(fms_component(*clock));
            leave_out_fms_ends(clocks, run.components.back());
        }
    }
    if (run.components.empty()) { // a model alone whose own clocks only are there
        run.components.push_back(fms_component(*total));
        run.components.front().name = "model";
        run.components.front().computing_s = {};
    }
    std::map<std::string, int> seen;
    for (const FmsClock &clock : clocks) {
        if (is_fms_phase(clock.name)) continue;
        if (TimedComponent *const owner = fms_owner(clock, run.components)) add_fms_part(clock, seen, *owner);
    }
    take_fms_waiting(clocks, run);
    leave_out_what_may_be_cut(text, clocks, run);
    return run;
}

bool are_same_program(const std::vector<FmsClock> &a, const std::vector<FmsClock> &b) {
    return std::ranges::equal(a, b, {}, &FmsClock::name, &FmsClock::name);
}

// Another program of the same job, such as an ocean beside UFS's atmosphere: each counts its processes from 0, and
// its phases are its own.
void add_fms_program(TimedRun program, TimedRun &run) {
    for (TimedComponent &component : program.components) {
        component.first_process = -1;
        component.startup_s = program.startup_s;
        component.loop_s = program.loop_s;
        component.shutdown_s = program.shutdown_s;
        const auto same = std::ranges::count(run.components, component.name, &TimedComponent::name);
        if (same > 0) component.name += fmt::format(" ({})", run.components.size() + 1);
        run.components.push_back(std::move(component));
    }
    run.processes += program.processes;
    if (!(run.wall_s.value >= program.wall_s.value)) run.wall_s = program.wall_s;
    run.remarks.insert(run.remarks.end(), program.remarks.begin(), program.remarks.end());
    if (run.coupler.empty()) run.coupler = program.coupler;
}

} // namespace

std::vector<TimedRun> read_fms_clocks(const TimerText &text) {
    std::vector<std::size_t> heads;
    for (std::size_t i = text.find(is_fms_head); i < text.lines().size(); i = text.find(is_fms_head, i + 1))
        heads.push_back(i);
    if (heads.empty()) throw text.ends_without("the clocks' line of columns (tmin, tmax, ...) is missing");
    std::vector<FmsClock> first, clocks;
    TimedRun run = fms_program(text, heads.front(), first);
    if (heads.size() == 1) return {std::move(run)};
    TimedRun all;
    add_fms_program(std::move(run), all);
    for (std::size_t h = 1; h < heads.size(); ++h) {
        TimedRun program = fms_program(text, heads[h], clocks);
        if (are_same_program(first, clocks)) throw text.second_run(heads[h]);
        add_fms_program(std::move(program), all);
    }
    all.remark(Sentence::timers_several_programs,
               {{"programs", std::to_string(heads.size())}, {"file", text.name()}});
    return {std::move(all)};
}

} // namespace cpl_lb
