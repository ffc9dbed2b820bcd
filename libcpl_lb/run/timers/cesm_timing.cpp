// Summaries of CESM and E3SM: <model>_timing.<case>.<LID>, written by CIME's get_timing (and by getTiming.pl
// before 2015) from GPTL's or ESMF's statistics, for the drivers MCT, MOAB and CMEPS.
//
//   ---------------- TIMING PROFILE ---------------------
//     Case        : NAME                   LID, Machine, Curr Date, Driver (from 2020 on), compset likewise
//     stop option : ndays, stop_n = 5      (until 2018 stop_option, run_length)
//     run length  : 5 days (4.958 for ocean)
//     component       comp_pes    root_pe   tasks  x threads instances (stride)
//     atm = cam        512         0        512    x 1       1      (1     )      one line for each component
//     total pes active, mpi tasks per node (until 2016 pes per node), pe count for cost estimate : COUNT
//     Model Cost: X pe-hrs/simulated_year; Model Throughput: X simulated_years/day
//     Init Time : X seconds; Run Time : X seconds X seconds/day; Final Time : X seconds
//     TOT Run Time: X seconds X seconds/mday X myears/wday                         and so for each component
//     then least and most of each of the driver's timers: CPL:ATM_RUN_BARRIER  0.001:  0.002   [s a simulated day]
//
// Cost and throughput are by the run time, without initialisation and end, and by years of 365 days. A component's
// run time is that of its slowest process in its run phase. With barriers in the driver (profile_barriers) the wait
// before it is CPL:XXX_RUN_BARRIER, and only then known.
#include "run/timers/readers.hpp"

#include "run/timers/turns_of_cime.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

constexpr double day_s = 86400;
constexpr std::string_view cime_head = "TIMING PROFILE ---";

struct CimeRow { // of the table of components
    TimedComponent component;
    std::int64_t pes = 0, instances = 1;
    std::size_t line = 0;
};

std::string upper_case(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return upper;
}

// The first line of each word before a colon: "ATM Run Time:   500.000 seconds".
using CimeLines = std::map<std::string_view, std::size_t>;

CimeLines cime_lines(const TimerText &text) {
    CimeLines lines;
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::size_t colon = text.lines()[i].find(':');
        if (colon != std::string_view::npos) lines.try_emplace(trimmed_line(text.lines()[i].substr(0, colon)), i);
    }
    return lines;
}

std::string cime_text(const TimerText &text, std::string_view words) {
    const std::size_t i = text.beginning(words);
    return i < text.lines().size() ? std::string(after(text.lines()[i], ":")) : "";
}

// The line that begins with these words, or with those of older versions.
std::size_t cime_line(const TimerText &text, std::string_view words, std::string_view older) {
    const std::size_t i = text.beginning(words);
    return i < text.lines().size() ? i : text.beginning(older);
}

// What stands behind the colon of a line.
std::vector<std::string_view> cime_values(const TimerText &text, std::size_t i) {
    return words_of(after(text.lines()[i], ":"));
}

std::string cime_unit(const std::vector<std::string_view> &values) {
    return values.size() < 2 ? "without a unit" : "in '" + excerpt(values[1]) + "'";
}

// The seconds behind the colon of the line "  words  : ...".
TimedFigure cime_figure(const TimerText &text, const CimeLines &lines, std::string_view words) {
    const auto found = lines.find(words);
    if (found == lines.end()) return {};
    const std::size_t i = found->second;
    const std::vector<std::string_view> values = cime_values(text, i);
    const double seconds = text.seconds(i, values.empty() ? "" : values.front(), words);
    if (values.size() < 2 || values[1] != "seconds")
        throw text.wrong(i, fmt::format("{} is {}, not in seconds", words, cime_unit(values)));
    return {seconds, text.at(i, words)};
}

// "  atm = cam        512         0        512    x 1       1      (1     ) "
CimeRow cime_row(const TimerText &text, std::size_t i) {
    const std::vector<std::string_view> words = words_of(text.lines()[i], blanks_and_brackets);
    if (words.size() < 7 || words[1] != "=" || words[6] != "x")
        throw text.wrong(i, "a component's line needs: name = model, comp_pes, root_pe, tasks x threads");
    CimeRow row;
    row.line = i;
    row.pes = text.count(i, words[3], "comp_pes");
    TimedComponent &component = row.component;
    component.name = lower_case(words[0]);
    component.processes_from = text.at(i, component.name);
    component.first_process = text.count(i, words[4], "root_pe");
    component.processes = text.processes(i, words[5], "tasks");
    component.threads = text.count(i, words.size() > 7 ? words[7] : "", "threads", 1);
    if (words.size() > 8) row.instances = text.count(i, words[8], "instances", 1);
    if (words.size() > 9) component.stride = text.count(i, words[9], "stride", 1);
    constexpr std::int64_t most = 2147483647;
    if (component.first_process + component.processes * component.stride > most)
        throw text.wrong(i, "root_pe, tasks and stride need more processes than there are");
    return row;
}

std::vector<CimeRow> cime_rows(const TimerText &text) {
    const std::size_t head = text.find("comp_pes");
    if (head == text.lines().size()) throw text.ends_without("the table of components is missing");
    std::vector<CimeRow> rows;
    std::set<std::string> names;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("---")) continue;
        if (line.empty()) break;
        rows.push_back(cime_row(text, i));
        const std::string &name = rows.back().component.name;
        if (!names.insert(name).second)
            throw text.wrong(i, fmt::format("{} stands twice in the table of components", name));
    }
    if (rows.empty()) throw text.wrong(head, "no component below this line");
    return rows;
}

struct CimeStop {
    double days = unknown; // NaN where that is not known; of months about
    std::string words;
};

// Simulated time that the stop option asks for.
CimeStop stop_of_cime(const TimerText &text) {
    const std::size_t i = cime_line(text, "stop option", "stop_option");
    if (i == text.lines().size()) return {};
    std::string_view unit = first_word(after(text.lines()[i], ":"));
    const std::string_view n = after(text.lines()[i], "stop_n =");
    if (!looks_like_number(n)) return {};
    while (unit.ends_with(',') || unit.ends_with('s'))
        unit.remove_suffix(1);
    // A month has 28 to 31 days, which only the run length tells.
    static const std::map<std::string_view, double> days = {{"nsecond", 1 / day_s}, {"nminute", 60 / day_s},
                                                            {"nhour", 1.0 / 24},    {"nday", 1},
                                                            {"nmonth", 30},         {"nyear", 365}};
    const auto found = days.find(unit);
    if (found == days.end()) return {};
    const double asked = found->second * text.number(i, n, "stop_n");
    return {asked, unit == "nmonth" ? std::string(n) + " months" : fmt::format("{:g}", asked)};
}

// The run's length by the file; what is wrong with it (CIME issue 1118) is told, and then it is not used.
void take_length(const TimerText &text, TimedRun &run) {
    const std::size_t i = cime_line(text, "run length", "run_length");
    if (i == text.lines().size()) throw text.ends_without("there is no line 'run length'");
    const std::vector<std::string_view> values = cime_values(text, i);
    const double days = text.number(i, values.empty() ? "" : values.front(), "run length");
    if (!(days > 0) || days > 1e7) throw text.wrong(i, fmt::format("run length is {} days", days));
    if (values.size() < 2 || !values[1].starts_with("day"))
        throw text.wrong(i, fmt::format("run length is {}, not in days", cime_unit(values)));
    const CimeStop asked = stop_of_cime(text);
    constexpr double apart = 1.9; // leap years and a month's length are not
    if (is_known(asked.days) && asked.days > 0 && (days / asked.days > apart || asked.days / days > apart)) {
        run.remark(
            Sentence::timers_run_length,
            {{"where", text.at(i, "run length")}, {"days", fmt::format("{:g}", days)}, {"asked", asked.words}});
        return;
    }
    run.simulated_s = {days * day_s, text.at(i, "run length")};
}

// Unknown in another unit: "    Model Cost:   973.33   pe-hrs/simulated_year   (scale= 0.50)"
TimedFigure cime_metric(const TimerText &text, const CimeLines &lines, std::string_view words, std::string_view unit,
                        TimedRun &run) {
    const auto found = lines.find(words);
    if (found == lines.end()) return {};
    const std::size_t i = found->second;
    const std::vector<std::string_view> values = cime_values(text, i);
    const double printed = text.number(i, values.empty() ? "" : values.front(), words);
    if (values.size() < 2 || values[1] != unit) {
        run.remark(Sentence::timers_other_unit, {{"where", text.at(i, words)},
                                                 {"unit", values.size() < 2 ? "no unit" : excerpt(values[1])},
                                                 {"known", std::string(unit)}});
        return {};
    }
    std::string_view scale = after(text.lines()[i], "scale=");
    scale = scale.substr(0, scale.find(')'));
    return {scale.empty() ? printed : printed / text.number(i, scale, "scale"), text.at(i, words)};
}

// Speed and cost that the file prints follow from what it tells of itself, but for their two decimals and the three
// of the run time.
void compare_metrics(const TimerText &text, const CimeLines &lines, TimedRun &run) {
    const TimedFigure speed = cime_metric(text, lines, "Model Throughput", "simulated_years/day", run),
                      cost = cime_metric(text, lines, "Model Cost", "pe-hrs/simulated_year", run);
    if (!run.simulated_s.known() || !(run.loop_s.value > 0)) return;
    const double years = run.simulated_s.value / (365 * day_s);
    const double sypd = years / (run.loop_s.value / day_s), chsy = run.cores.value * run.loop_s.value / 3600 / years;
    const auto differs = [&](double printed, double ours) {
        return is_known(printed) && std::abs(printed - ours) > 0.006 + ours * (0.0006 / run.loop_s.value + 1e-5);
    };
    if (differs(speed.value, sypd)) {
        run.remark_differs(Sentence::timers_speed_differs, speed.from, fmt::format("{:g}", speed.value),
                           decimal_text(sypd, 2));
        run.simulated_s = {};
        return;
    }
    if (!differs(cost.value, chsy)) return;
    run.remark(Sentence::timers_cost_differs, {{"where", cost.from},
                                               {"printed", fmt::format("{:g}", cost.value)},
                                               {"cores", fmt::format("{:g}", run.cores.value)},
                                               {"ours", decimal_text(chsy, 2)}});
}

// Lines "  CPL:ATM_RUN   1.000:   2.000" and CPL:ATM_RUN_BARRIER of the driver's timers, by the component's name.
using CimeTimers = std::map<std::string, std::vector<std::size_t>>;

CimeTimers cime_timers(const TimerText &text) {
    CimeTimers timers;
    std::set<std::string_view> seen; // some stand twice in the file
    for (std::size_t i = text.find("min:max driver timers"); i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.size() < 2 || !words.front().starts_with("CPL:") || words.back() == "<---->") continue;
        std::string_view name = words.front().substr(4);
        if (name.ends_with("_BARRIER")) name.remove_suffix(8);
        if (!name.ends_with("_RUN") || !seen.insert(words.front()).second) continue;
        timers[std::string(name.substr(0, name.size() - 4))].push_back(i);
    }
    return timers;
}

// A region each; in seconds a simulated day, as most over least.
void add_timers(const TimerText &text, const std::vector<std::size_t> &lines, double days,
                TimedComponent &component) {
    for (const std::size_t i : lines) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        const std::string_view name = words.front();
        std::string numbers;
        for (std::size_t w = 1; w < words.size(); ++w)
            if (words[w] != "<---->") numbers += words[w];
        const std::size_t colon = numbers.find(':');
        if (colon == std::string::npos) throw text.wrong(i, fmt::format("{} has no least and most", name));
        TimedPart part = text.part(i, name);
        part.min_s = text.seconds(i, std::string_view(numbers).substr(0, colon), name) * days;
        part.max_s = text.seconds(i, std::string_view(numbers).substr(colon + 1), name) * days;
        component.parts.push_back(std::move(part));
    }
}

void check_pes(const CimeRow &row, TimedRun &run) {
    const TimedComponent &component = row.component;
    const std::int64_t pes = component.processes * component.threads;
    if (row.pes == pes || (row.pes % row.instances == 0 && row.pes / row.instances == pes)) return;
    run.remark(Sentence::timers_comp_pes, {{"where", component.processes_from},
                                           {"pes", std::to_string(row.pes)},
                                           {"tasks", std::to_string(component.processes)},
                                           {"threads", std::to_string(component.threads)}});
}

// "9459679.chadmin1.180517-114852": the job's script made it as it began, by the machine's local clock. That is not
// UTC, but it puts the runs of an archive in order.
std::string start_of(std::string_view lid) {
    const std::string_view stamp = lid.substr(lid.rfind('.') + 1); // of a LID without a point all of it
    if (stamp.size() != 13 || stamp[6] != '-') return "";
    return iso_of_digits(fmt::format("20{}{}", stamp.substr(0, 6), stamp.substr(7)));
}

// The cores that the file's cost counts, and where these are not the nodes that the run had (CIME issue 158).
void take_cores(const TimerText &text, TimedRun &run) {
    const std::size_t i = cime_line(text, "pe count for cost estimate", "total pes active");
    if (i == text.lines().size()) throw text.ends_without("there is no line 'total pes active'");
    const std::int64_t cores = text.count(i, first_word(after(text.lines()[i], ":")), "the number of pes", 1);
    run.cores = {static_cast<double>(cores), text.at(i, "pe count for cost estimate")};
    const std::size_t node = cime_line(text, "mpi tasks per node", "pes per node");
    if (node == text.lines().size()) return;
    const std::int64_t node_cores = text.count(node, first_word(after(text.lines()[node], ":")), "pes per node", 1);
    if (cores % node_cores == 0) return;
    run.remark(Sentence::timers_part_of_node, {{"where", run.cores.from},
                                               {"cores", std::to_string(cores)},
                                               {"node", std::to_string(node_cores)},
                                               {"whole", std::to_string((cores / node_cores + 1) * node_cores)}});
}

} // namespace

bool is_cesm_timing(const TimerText &text) {
    return text.find(cime_head) < std::min<std::size_t>(text.lines().size(), 20) && !text.has("VIC TIMING PROFILE");
}

std::vector<TimedRun> read_cesm_timing(const TimerText &text) {
    text.refuse_second_run(text.find(cime_head), cime_head);
    TimedRun run;
    const std::string lid = cime_text(text, "LID");
    run.id = cime_text(text, "Case") + (lid.empty() ? "" : "." + lid);
    run.of = lid;
    run.leads = true; // over the statistics that CIME made it from
    run.started = start_of(lid);
    run.machine = cime_text(text, "Machine");
    const std::string driver = cime_text(text, "Driver");
    run.coupler = driver.empty() ? "CPL7" : driver;
    run.speed_is_of_loop = true;
    const CimeLines lines = cime_lines(text);
    run.startup_s = cime_figure(text, lines, "Init Time");
    run.loop_s = cime_figure(text, lines, "Run Time");
    run.shutdown_s = cime_figure(text, lines, "Final Time");
    if (!run.loop_s.known()) throw text.ends_without("there is no line 'Run Time': the file is cut");
    const std::vector<CimeRow> rows = cime_rows(text);
    take_length(text, run);
    take_cores(text, run);
    compare_metrics(text, lines, run);
    const CimeTimers timers = cime_timers(text);
    const double days = run.simulated_s.value / day_s;
    for (const CimeRow &row : rows) {
        check_pes(row, run);
        TimedComponent component = row.component;
        const std::string upper = upper_case(component.name);
        component.computing_s = cime_figure(text, lines, upper + " Run Time");
        if (!component.computing_s.known())
            throw text.wrong(row.line, fmt::format("{} has no line '... Run Time': the file is cut", component.name));
        if (!(component.computing_s.value > 0)) continue; // a stub
        if (const auto own = timers.find(upper); is_known(days) && own != timers.end())
            add_timers(text, own->second, days, component);
        run.components.push_back(std::move(component));
    }
    if (run.components.empty()) throw text.wrong(rows.front().line, "no component has a run time above 0");
    take_cime_layout(run, run.coupler == "CMEPS" ? "CMEPS" : "of CESM and E3SM");
    return {std::move(run)};
}

} // namespace cpl_lb
