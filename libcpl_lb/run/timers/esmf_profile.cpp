// ESMF's own profile of a run: ESMF_Profile.summary (ESMF_RUNTIME_PROFILE_OUTPUT=SUMMARY), also as CIME keeps it:
// <model>.ESMF_Profile.summary.<LID>. CESM (CMEPS), ACCESS-OM3, UFS.
//
//   ********                                       these lines only where ESMF suspects imbalance
//   IMPORTANT: Large deviations ...
//        - [OCN-TO-MED] RunPhase1
//   ********
//
//   Region                      PETs   PEs    Count    Mean (s)    Min (s)     Min PET Max (s)     Max PET
//     [ESMF]                    1664   1664   1        ...             since ESMF 8.3
//       [ensemble] RunPhase1    two blanks for each level of the tree; UFS: [NEMS Grid Comp] Run 1
//         [ESM0001] RunPhase1                                               [EARTH grid component] RunPhase1
//           [OCN] RunPhase1     a component;  [OCN-TO-MED] RunPhase1: a connector;  [MED] med_phases_...: the
//           mediator
//             own_region        a component's own regions
//
// The column PEs is there since ESMF 8.3. Times have four decimals, Count is that of each PET, or MULTIPLE where PETs
// differ. A region may be listed twice. Least, mean and most are over the PETs of the region. The rules of CIME's
// get_timing: a component's run time is the most of its RunPhase1 below "[ESM0001] RunPhase1"; that of the
// mediator is the sum of the means of its phases; start-up, loop and end are the most of [ensemble]'s phases.
#include "run/timers/readers.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <map>

namespace cpl_lb {
namespace {

// Its processes are its PETs, and its calls those of each PET; 0: PETs differ (MULTIPLE).
struct EsmfRegion : TimedPart {
    std::size_t depth = 0; // blanks before it
    std::int64_t pes = 0;
    std::size_t end = 0; // of what is below it, as a place in the list
};

using EsmfRegions = std::vector<EsmfRegion>;

bool is_esmf_head(std::string_view line) {
    return trimmed_line(line).starts_with("Region") && line.find("PETs") != std::string_view::npos &&
           line.find("Mean (s)") != std::string_view::npos;
}

EsmfRegion esmf_region(const TimerText &text, std::size_t i, bool has_pes) {
    const std::string_view line = text.lines()[i];
    const std::vector<std::string_view> words = words_of(line);
    const std::size_t columns = has_pes ? 8 : 7;
    if (words.size() <= columns || !looks_like_number(words[words.size() - columns])) {
        throw text.wrong(
            i,
            fmt::format("a region needs its name and {} numbers: the row is cut, or a number is missing", columns));
    }
    const std::size_t first = words.size() - columns;
    EsmfRegion region{text.part(i, before(line, words[first]))};
    region.depth = line.find_first_not_of(blanks);
    const auto what = [&](const char *column) { return column_of(column, region.name); };
    std::size_t at = first;
    region.processes = text.processes(i, words[at++], what("PETs"));
    region.pes = region.processes;
    if (has_pes) region.pes = text.count(i, words[at++], what("PEs"), 1);
    if (words[at] != "MULTIPLE") region.calls = text.count(i, words[at], what("Count"));
    region.mean_s = text.seconds(i, words[at + 1], what("Mean (s)"));
    region.min_s = text.seconds(i, words[at + 2], what("Min (s)"));
    static_cast<void>(text.count(i, words[at + 3], what("Min PET")));
    region.max_s = text.seconds(i, words[at + 4], what("Max (s)"));
    static_cast<void>(text.count(i, words[at + 5], what("Max PET")));
    return region;
}

// A component's own region that cannot be read is left out, with all below it. Figures come from phases: "[OCN] ...".
EsmfRegions esmf_regions(const TimerText &text, std::size_t head, LeftOutRows &left_out) {
    const bool has_pes = text.lines()[head].find("PEs") != std::string_view::npos;
    EsmfRegions regions;
    std::size_t deepest = std::string_view::npos;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = text.lines()[i], words = trimmed_line(line);
        const std::size_t depth = line.find_first_not_of(blanks);
        if (words.empty() || depth > deepest) continue;
        try {
            regions.push_back(esmf_region(text, i, has_pes));
            deepest = std::string_view::npos;
        } catch (const FileError &error) {
            if (words.starts_with('[')) throw;
            left_out.add(error);
            deepest = depth;
        }
    }
    if (regions.empty()) throw text.wrong(head, "no region below this line: the file is cut");
    std::vector<std::size_t> open;
    for (std::size_t r = 0; r <= regions.size(); ++r) {
        while (!open.empty() && (r == regions.size() || regions[open.back()].depth >= regions[r].depth)) {
            regions[open.back()].end = r;
            open.pop_back();
        }
        open.push_back(r);
    }
    return regions;
}

std::vector<std::size_t> esmf_children(const EsmfRegions &regions, std::size_t of) {
    std::vector<std::size_t> children;
    for (std::size_t r = of + 1; r < regions[of].end; r = regions[r].end)
        children.push_back(r);
    return children;
}

// "[OCN] RunPhase1" -> "OCN"; empty for a region that is of no component.
std::string_view esmf_who(const EsmfRegion &region) {
    const std::string_view name = region.name;
    const std::size_t end = name.find(']');
    return name.starts_with('[') && end != std::string_view::npos ? name.substr(1, end - 1) : std::string_view{};
}

std::string_view esmf_phase(const EsmfRegion &region) {
    return after(region.name, "]");
}

bool is_esmf_run(const EsmfRegion &region) {
    return esmf_phase(region).starts_with("Run"); // RunPhase1 of NUOPC, "Run 1" of ESMF
}

bool is_nuopc_run(const EsmfRegion &region) {
    return esmf_phase(region).starts_with("RunPhase");
}

bool is_connector(std::string_view who) {
    return who.find("-TO-") != std::string_view::npos;
}

// Of the children those that are phases of components, in the order of the file.
std::vector<std::size_t> esmf_phases_below(const EsmfRegions &regions, std::size_t of) {
    std::vector<std::size_t> phases = esmf_children(regions, of);
    std::erase_if(phases,
                  [&](std::size_t r) { return esmf_who(regions[r]).empty() || is_connector(esmf_who(regions[r])); });
    return phases;
}

// A component's phase whose processes have different jobs, as forecasting and writing of UFS's atmosphere: grid
// components of ESMF below it ("Run 1"; those of a driver have NUOPC's RunPhase1) on processes of their own. Those
// with the most processes are the component, and each of the others becomes one. Otherwise who runs longest below the
// phase only waits for the others there.
struct EsmfJobs {
    std::map<std::string_view, std::int64_t> processes; // by grid component; fewer than two: no jobs
    std::string_view main;

    EsmfJobs(const EsmfRegions &regions, std::size_t phase) {
        std::int64_t all = 0;
        for (const std::size_t r : esmf_phases_below(regions, phase)) {
            if (!is_esmf_run(regions[r]) || is_nuopc_run(regions[r])) continue;
            std::int64_t &own = processes[esmf_who(regions[r])];
            all += std::max<std::int64_t>(regions[r].processes - own, 0);
            own = std::max(own, regions[r].processes);
        }
        if (processes.size() < 2 || all > regions[phase].processes) processes.clear();
        for (const auto &[who, own] : processes)
            if (main.empty() || own > processes[main]) main = who;
    }
};

// The region whose children are components and connectors. Around it may be others, which run nothing else:
// "[NEMS Grid Comp] Run 1" of UFS, "[ensemble] RunPhase1" of CMEPS.
std::size_t esmf_driver(const TimerText &text, const EsmfRegions &regions, std::size_t run) {
    for (;;) {
        const std::vector<std::size_t> phases = esmf_phases_below(regions, run);
        const auto is_instance = [&](std::size_t r) { return esmf_who(regions[r]).starts_with("ESM"); };
        if (phases.size() > 1 && std::ranges::all_of(phases, is_instance)) {
            throw text.wrong(regions[phases[1]].line,
                             "several instances of the model (ESM0001, ESM0002, ...) in one file "
                             "are not read");
        }
        if (phases.size() != 1 || !is_esmf_run(regions[phases.front()])) return run;
        const bool has_jobs = !EsmfJobs(regions, phases.front()).processes.empty();
        if (has_jobs || esmf_phases_below(regions, phases.front()).empty()) return run;
        run = phases.front();
    }
}

std::string esmf_name(std::string_view who, bool is_cime) {
    std::string name = lower_case(who);
    return is_cime && name == "med" ? "cpl" : name; // CIME's word, in its summary of the same run
}

// A component, and where its parts of each name stand.
struct EsmfComponent {
    TimedComponent told;
    std::map<std::string, std::size_t> places;
    double phases_s = 0; // means of its phases
};

void add_esmf_part(const EsmfRegion &region, const std::string &name, EsmfComponent &component) {
    std::vector<TimedPart> &parts = component.told.parts;
    const auto [place, is_new] = component.places.try_emplace(name, parts.size());
    TimedPart part = region;
    part.name = name;
    part.calls *= part.processes;
    if (is_new) {
        parts.push_back(std::move(part));
        return;
    }
    // Of two rows the means add up; least and most are of some PET in each.
    TimedPart &same = parts[place->second];
    same.calls = part.calls == 0 || same.calls == 0 ? 0 : same.calls + part.calls;
    same.mean_s = same.processes == part.processes ? same.mean_s + part.mean_s : unknown;
    same.min_s = same.max_s = unknown;
    same.from += " + " + part.from;
}

// A component's phase and all below it: regions named by their way from the phase on.
void add_esmf_parts(const EsmfRegions &regions, std::size_t top, EsmfComponent &component) {
    std::vector<std::pair<std::size_t, std::string>> path;
    for (std::size_t r = top; r < regions[top].end; ++r) {
        while (!path.empty() && regions[path.back().first].end <= r)
            path.pop_back();
        const std::string own = r == top ? std::string(esmf_phase(regions[r])) : regions[r].name;
        path.emplace_back(r, path.empty() ? own : path.back().second + "/" + own);
        add_esmf_part(regions[r], path.back().second, component);
    }
}

// In the order in which they stand in the file.
struct EsmfComponents {
    std::vector<EsmfComponent> list;
    std::map<std::string, std::size_t> places;

    EsmfComponent &named(const std::string &name) {
        const auto [place, is_new] = places.try_emplace(name, list.size());
        if (is_new) list.emplace_back().told.name = name;
        return list[place->second];
    }
};

// The only phase of a component: its most, as CIME takes it. Several: their means, which add up.
void add_esmf_figures(const EsmfRegion &region, EsmfComponent &component) {
    TimedComponent &told = component.told;
    if (region.processes > told.processes) {
        told.processes = region.processes;
        told.threads = region.pes % region.processes == 0 ? region.pes / region.processes : 1;
        told.processes_from = region.from;
    }
    TimedFigure &computing = told.computing_s;
    component.phases_s += region.mean_s;
    if (computing.from.empty()) {
        computing = is_esmf_run(region) ? region.most() : region.mean();
        return;
    }
    computing.value = component.phases_s;
    computing.from += " + " + region.from;
}

void take_esmf_phase(const EsmfRegions &regions, std::size_t phase, const std::string &name,
                     EsmfComponents &components) {
    const EsmfJobs jobs(regions, phase);
    add_esmf_parts(regions, phase, components.named(name));
    if (jobs.processes.empty()) return add_esmf_figures(regions[phase], components.named(name));
    for (const std::size_t r : esmf_phases_below(regions, phase)) {
        const std::string_view who = esmf_who(regions[r]);
        if (!is_esmf_run(regions[r])) continue;
        EsmfComponent &component = components.named(who == jobs.main ? name : name + " " + std::string(who));
        add_esmf_figures(regions[r], component);
        if (who != jobs.main) add_esmf_parts(regions, r, component);
    }
}

// Phases of the driver as components; connectors as regions of both of their ends.
void take_esmf_components(const EsmfRegions &regions, std::size_t driver, bool is_cime, TimedRun &run) {
    EsmfComponents components;
    for (const std::size_t phase : esmf_phases_below(regions, driver))
        take_esmf_phase(regions, phase, esmf_name(esmf_who(regions[phase]), is_cime), components);
    for (const std::size_t child : esmf_children(regions, driver)) {
        const std::string_view who = esmf_who(regions[child]);
        const std::size_t to = who.find("-TO-");
        if (to == std::string_view::npos) continue;
        for (const std::string_view end : {who.substr(0, to), who.substr(to + 4)}) {
            const auto place = components.places.find(esmf_name(end, is_cime));
            if (place != components.places.end())
                add_esmf_part(regions[child], regions[child].name, components.list[place->second]);
        }
    }
    // CIME's summary prints 0.000 for a component without work (a stub), and leaves it out.
    for (EsmfComponent &component : components.list)
        if (component.told.computing_s.value >= 0.0005) run.components.push_back(std::move(component.told));
}

// Nothing stands below the table. Regions are in the order of their times, so the program's end comes last; rows of
// components may be missing where the table ends inside the run phase, and else those of start-up.
void leave_out_what_may_be_cut(const EsmfRegions &regions, std::size_t loop, TimedRun &run) {
    const bool in_loop = regions[loop].end == regions.size();
    if (!in_loop && run.shutdown_s.known()) return;
    run.remark_cut(regions.back(), in_loop ? "start-up, components, computing" : "start-up");
    run.startup_s = {};
    if (!in_loop) return;
    for (TimedComponent &component : run.components)
        component.computing_s = {};
}

// The phases of the whole program: children of [ESMF], which versions before 8.3 do not print.
std::vector<std::size_t> esmf_phases_of_program(const TimerText &text, const EsmfRegions &regions) {
    if (regions[0].name == "[ESMF]") {
        if (regions[0].end == regions.size()) return esmf_children(regions, 0);
        throw text.wrong(regions[regions[0].end].line, "a region that is not below [ESMF]");
    }
    std::vector<std::size_t> phases;
    for (std::size_t r = 0; r < regions.size(); r = regions[r].end)
        phases.push_back(r);
    return phases;
}

// Returns the run phase, and takes the length of all.
std::size_t take_esmf_phases(const TimerText &text, const EsmfRegions &regions, TimedRun &run) {
    std::size_t loop = regions.size();
    const std::vector<std::size_t> phases = esmf_phases_of_program(text, regions);
    for (const std::size_t phase : phases) {
        const EsmfRegion &region = regions[phase];
        if (esmf_who(region).empty()) continue;
        if (is_esmf_run(region)) {
            if (loop < regions.size()) throw text.wrong(region.line, "a second run phase of the whole program");
            loop = phase;
            run.loop_s = region.most();
            continue;
        }
        add_to(esmf_phase(region).starts_with("Final") ? run.shutdown_s : run.startup_s, region.most());
    }
    if (loop == regions.size())
        throw text.wrong(regions[0].line, "there is no '[...] RunPhase1' of the whole program");
    const bool has_root = phases.front() > 0;
    const EsmfRegion &whole = regions[has_root ? 0 : loop];
    if (has_root) run.wall_s = whole.most();
    run.processes = whole.processes;
    run.cores = {static_cast<double>(whole.pes), whole.from};
    return loop;
}

} // namespace

bool is_esmf_profile(const TimerText &text) {
    return text.has(is_esmf_head);
}

std::vector<TimedRun> read_esmf_profile(const TimerText &text) {
    const std::size_t head =
        text.only_line(is_esmf_head, "there is no line of columns: Region, PETs, Count, Mean (s), ...");
    LeftOutRows left_out;
    const EsmfRegions regions = esmf_regions(text, head, left_out);
    TimedRun run;
    run.coupler = "NUOPC";
    left_out.remark_on(run);
    const std::string name = text.name();
    const std::string mark = "ESMF_Profile.summary.";
    if (const std::size_t at = name.find(mark); at != std::string::npos) run.of = name.substr(at + mark.size());
    const std::size_t loop = take_esmf_phases(text, regions, run);
    const bool is_cime = esmf_who(regions[loop]) == "ensemble";
    take_esmf_components(regions, esmf_driver(text, regions, loop), is_cime, run);
    if (run.components.empty()) throw text.wrong(regions[loop].line, "no component below this region");
    leave_out_what_may_be_cut(regions, loop, run);
    return {std::move(run)};
}

} // namespace cpl_lb
