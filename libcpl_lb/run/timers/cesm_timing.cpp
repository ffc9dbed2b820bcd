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
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace cpl_lb {
namespace {

constexpr double day_s = 86400;

struct CimeRow { // of the table of components
    std::string name, model;
    std::int64_t pes = 0, root = 0, tasks = 0, threads = 1, instances = 1, stride = 1;
    std::size_t line = 0;
};

std::string lower_case(std::string_view text) {
    std::string word(text);
    for (char &c : word)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

std::string upper_case(std::string_view text) {
    std::string word(text);
    for (char &c : word)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return word;
}

std::string cime_text(const TimerText &text, std::string_view words) {
    const std::size_t i = text.beginning(words);
    return i < text.lines().size() ? std::string(after(text.lines()[i], ":")) : "";
}

// The first word behind the colon of the line "  words  : ...".
TimedFigure cime_figure(const TimerText &text, std::string_view words) {
    for (std::size_t i = text.beginning(words); i < text.lines().size(); i = text.beginning(words, i + 1)) {
        const std::string_view rest = trimmed_line(trimmed_line(text.lines()[i]).substr(words.size()));
        if (!rest.starts_with(':')) continue;
        const std::vector<std::string_view> values = words_of(rest.substr(1));
        return {text.seconds(i, values.empty() ? "" : values.front(), words), text.at(i, words)};
    }
    return {};
}

// "  atm = cam        512         0        512    x 1       1      (1     ) "
CimeRow cime_row(const TimerText &text, std::size_t i) {
    const std::string_view line = text.lines()[i];
    std::string plain(line);
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
    const std::vector<std::string_view> words = words_of(plain);
    if (words.size() < 7 || words[1] != "=" || words[6] != "x")
        throw text.wrong(i, "a component's line needs: name = model, comp_pes, root_pe, tasks x threads");
    CimeRow row;
    row.line = i;
    row.name = lower_case(words[0]);
    row.model = words[2];
    row.pes = text.count(i, words[3], "comp_pes");
    row.root = text.count(i, words[4], "root_pe");
    row.tasks = text.processes(i, words[5], "tasks");
    row.threads = text.count(i, words.size() > 7 ? words[7] : "", "threads", 1);
    if (words.size() > 8) row.instances = text.count(i, words[8], "instances", 1);
    if (words.size() > 9) row.stride = text.count(i, words[9], "stride", 1);
    constexpr std::int64_t most = 2147483647;
    if (row.root + row.tasks * row.stride > most)
        throw text.wrong(i, "root_pe, tasks and stride need more processes than there are");
    return row;
}

std::vector<CimeRow> cime_rows(const TimerText &text) {
    const std::size_t head = text.find("comp_pes");
    if (head == text.lines().size()) throw text.wrong(head > 0 ? head - 1 : 0, "the table of components is missing");
    std::vector<CimeRow> rows;
    for (std::size_t i = head + 1; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        if (line.starts_with("---")) continue;
        if (line.empty()) break;
        rows.push_back(cime_row(text, i));
        const std::string &name = rows.back().name;
        if (std::count_if(rows.begin(), rows.end(), [&](const CimeRow &row) { return row.name == name; }) > 1)
            throw text.wrong(i, fmt::format("{} stands twice in the table of components", name));
    }
    if (rows.empty()) throw text.wrong(head, "no component below this line");
    return rows;
}

// Simulated days that the stop option asks for; NaN where that depends on the calendar, or is not known.
double days_of_stop(const TimerText &text) {
    std::size_t i = text.beginning("stop option");
    if (i == text.lines().size()) i = text.beginning("stop_option");
    if (i == text.lines().size()) return unknown;
    const std::vector<std::string_view> words = words_of(after(text.lines()[i], ":"));
    const std::string_view n = after(text.lines()[i], "stop_n =");
    if (words.empty() || !looks_like_number(n)) return unknown;
    std::string_view unit = words.front();
    while (unit.ends_with(',') || unit.ends_with('s'))
        unit.remove_suffix(1);
    static const std::map<std::string_view, double> days = {
        {"nsecond", 1 / day_s}, {"nminute", 60 / day_s}, {"nhour", 1.0 / 24}, {"nday", 1}, {"nyear", 365}};
    const auto found = days.find(unit);
    return found == days.end() ? unknown : found->second * text.number(i, n, "stop_n");
}

// The run's length by the file; what is wrong with it (CIME issue 1118) is told, and then it is not used.
void take_length(const TimerText &text, TimedRun &run) {
    std::size_t i = text.beginning("run length");
    if (i == text.lines().size()) i = text.beginning("run_length");
    if (i == text.lines().size()) throw text.wrong(text.lines().size() - 1, "there is no line 'run length'");
    const std::vector<std::string_view> words = words_of(after(text.lines()[i], ":"));
    const double days = text.number(i, words.empty() ? "" : words.front(), "run length");
    if (!(days > 0) || days > 1e7) throw text.wrong(i, fmt::format("run length is {} days", days));
    const double asked = days_of_stop(text);
    constexpr double apart = 1.9; // leap years and a month's length are not
    if (is_known(asked) && asked > 0 && (days / asked > apart || asked / days > apart)) {
        run.remarks.push_back(say(Sentence::timers_run_length, {{"where", text.at(i, "run length")},
                                                                {"days", fmt::format("{:g}", days)},
                                                                {"asked", fmt::format("{:g}", asked)}}));
        return;
    }
    run.simulated_s = {days * day_s, text.at(i, "run length")};
}

// "  CPL:ATM_RUN   1.000:   2.000" of the driver's timers -> a region; in seconds a simulated day, as most over
// least.
void add_timers(const TimerText &text, double days, TimedComponent &component, const std::string &upper) {
    const std::size_t head = text.find("min:max driver timers");
    for (std::size_t i = head; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.size() < 2 || !words.front().starts_with("CPL:") || words.back() == "<---->") continue;
        const std::string_view name = words.front();
        if (name != "CPL:" + upper + "_RUN_BARRIER" && name != "CPL:" + upper + "_RUN") continue;
        std::string numbers;
        for (std::size_t w = 1; w < words.size(); ++w)
            if (words[w] != "<---->") numbers += words[w];
        const std::size_t colon = numbers.find(':');
        if (colon == std::string::npos) throw text.wrong(i, fmt::format("{} has no least and most", name));
        const double least = text.seconds(i, std::string_view(numbers).substr(0, colon), name);
        const double most = text.seconds(i, std::string_view(numbers).substr(colon + 1), name);
        const auto has = [&](const TimedPart &p) { return p.name == name; };
        if (std::any_of(component.parts.begin(), component.parts.end(), has)) continue; // stands twice in the file
        TimedPart part;
        part.name = name;
        part.min_s = least * days;
        part.max_s = most * days;
        part.from = text.at(i, name);
        component.parts.push_back(std::move(part));
    }
}

void check_pes(const TimerText &text, const CimeRow &row, TimedRun &run) {
    const double pes = static_cast<double>(row.tasks) * static_cast<double>(row.threads);
    const auto printed = static_cast<double>(row.pes);
    if (printed == pes || printed == pes * static_cast<double>(row.instances)) return;
    run.remarks.push_back(say(Sentence::timers_comp_pes, {{"where", text.at(row.line, row.name)},
                                                          {"pes", std::to_string(row.pes)},
                                                          {"tasks", std::to_string(row.tasks)},
                                                          {"threads", std::to_string(row.threads)}}));
}

// "9459679.chadmin1.180517-114852": the job's script made it as it began, by the machine's local clock. That is not
// UTC, but it puts the runs of an archive in order.
std::string start_of(std::string_view lid) {
    const std::string_view stamp = lid.substr(lid.rfind('.') + 1); // of a LID without a point all of it
    const bool digits = stamp.size() == 13 && stamp[6] == '-' && stamp.find_first_not_of("0123456789") == 6 &&
                        stamp.find_first_not_of("0123456789", 7) == std::string_view::npos;
    if (!digits) return "";
    return fmt::format("20{}-{}-{}T{}:{}:{}", stamp.substr(0, 2), stamp.substr(2, 2), stamp.substr(4, 2),
                       stamp.substr(7, 2), stamp.substr(9, 2), stamp.substr(11, 2));
}

// The cores that the file's cost counts, and where these are not the nodes that the run had (CIME issue 158).
void take_cores(const TimerText &text, TimedRun &run) {
    std::size_t i = text.beginning("pe count for cost estimate");
    if (i == text.lines().size()) i = text.beginning("total pes active");
    if (i == text.lines().size()) throw text.wrong(text.lines().size() - 1, "there is no line 'total pes active'");
    const std::vector<std::string_view> words = words_of(after(text.lines()[i], ":"));
    const std::int64_t cores = text.count(i, words.empty() ? "" : words.front(), "the number of pes", 1);
    run.cores = {static_cast<double>(cores), text.at(i, "pe count for cost estimate")};
    std::size_t per_node = text.beginning("mpi tasks per node");
    if (per_node == text.lines().size()) per_node = text.beginning("pes per node");
    if (per_node == text.lines().size()) return;
    const std::vector<std::string_view> node = words_of(after(text.lines()[per_node], ":"));
    const std::int64_t node_cores = text.count(per_node, node.empty() ? "" : node.front(), "pes per node", 1);
    if (cores % node_cores == 0) return;
    run.remarks.push_back(
        say(Sentence::timers_part_of_node, {{"where", text.at(i, "pe count for cost estimate")},
                                            {"cores", std::to_string(cores)},
                                            {"node", std::to_string(node_cores)},
                                            {"whole", std::to_string((cores / node_cores + 1) * node_cores)}}));
}

void take_layout(const std::vector<CimeComponent> &layout, const std::string &coupler, TimedRun &run) {
    CimeLayout found = layout_of_cime(layout);
    if (found.layout.empty()) {
        run.remarks.push_back(say(Sentence::timers_no_layout, {{"why", found.why_not}}));
        return;
    }
    run.layout = std::move(found.layout);
    run.layout_rules = "root_pe, tasks and stride of the components, and the order in which the driver " +
                       std::string(coupler == "CMEPS" ? "CMEPS" : "of CESM and E3SM") + " runs them";
}

} // namespace

bool is_cesm_timing(const TimerText &text) {
    const std::size_t head = text.find("TIMING PROFILE ---");
    return head < text.lines().size() && head < 20 && text.find("VIC TIMING PROFILE") == text.lines().size();
}

std::vector<TimedRun> read_cesm_timing(const TimerText &text) {
    const std::size_t head = text.find("TIMING PROFILE ---");
    if (const std::size_t second = text.find("TIMING PROFILE ---", head + 1); second < text.lines().size())
        throw text.wrong(second, "a second run begins here: give each run its own file");
    TimedRun run;
    run.kind = "cesm";
    const std::string lid = cime_text(text, "LID");
    run.id = cime_text(text, "Case") + (lid.empty() ? "" : "." + lid);
    run.of = lid;
    run.leads = true; // over the statistics that CIME made it from
    run.started = start_of(lid);
    run.machine = cime_text(text, "Machine");
    const std::string driver = cime_text(text, "Driver");
    run.coupler = driver.empty() ? "CPL7" : driver;
    run.speed_is_of_loop = true;
    run.startup_s = cime_figure(text, "Init Time");
    run.loop_s = cime_figure(text, "Run Time");
    run.shutdown_s = cime_figure(text, "Final Time");
    if (!run.loop_s.known())
        throw text.wrong(text.lines().size() - 1, "there is no line 'Run Time': the file is cut");
    const std::vector<CimeRow> rows = cime_rows(text);
    take_length(text, run);
    take_cores(text, run);
    const double days = run.simulated_s.value / day_s;
    std::vector<CimeComponent> computing;
    for (const CimeRow &row : rows) {
        check_pes(text, row, run);
        TimedComponent component;
        component.name = row.name;
        component.processes = row.tasks;
        component.threads = row.threads;
        component.processes_from = text.at(row.line, row.name);
        component.first_process = row.root;
        component.stride = row.stride;
        const std::string upper = upper_case(row.name);
        component.computing_s = cime_figure(text, upper + " Run Time");
        if (!component.computing_s.known())
            throw text.wrong(row.line, fmt::format("{} has no line '... Run Time': the file is cut", row.name));
        if (!(component.computing_s.value > 0)) continue; // a stub
        if (is_known(days)) add_timers(text, days, component, upper);
        run.components.push_back(std::move(component));
        computing.push_back({row.name, row.root, row.tasks, row.stride});
    }
    if (run.components.empty()) throw text.wrong(rows.front().line, "no component has a run time above 0");
    take_layout(computing, run.coupler, run);
    return {std::move(run)};
}

} // namespace cpl_lb
