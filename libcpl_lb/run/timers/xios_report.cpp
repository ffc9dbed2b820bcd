// Reports of XIOS 1, 2 and 3: xios_client_*.out and xios_server_*.out, one file for each process, or all of them in
// the model's standard output (print_file=false). They are printed when XIOS ends:
//   -> report :  Performance report : Whole time from XIOS init and finalize: 123.4 s       clients
//   -> report :  Performance report : total time spent for XIOS : 12.3 s
//   -> report :  Performance report : time spent for waiting free buffer : 1.2 s
//   -> report :  Performance report : Ratio : 1 %                                           waiting / whole time
//   -> report : Performance report : Time spent for XIOS : 123.4                            servers
//   -> report : Performance report : Time spent in processing events : 12.3
//   -> report : Performance report : Ratio : 10%                                            events / time for XIOS
// in C++'s six digits; info_level 100 adds "Timer : NAME    -->   cumulated time : 1.2". Lines of several processes
// may stand in any order. A server that does not process events waits for its clients.
#include "run/timers/readers.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <set>
#include <span>

namespace cpl_lb {
namespace {

constexpr std::string_view xios_client_whole = "Whole time from XIOS init and finalize";
constexpr std::string_view xios_client_total = "total time spent for XIOS";
constexpr std::string_view xios_client_wait = "time spent for waiting free buffer";
constexpr std::string_view xios_server_whole = "Time spent for XIOS";
constexpr std::string_view xios_server_events = "Time spent in processing events";
constexpr std::array xios_words = {xios_client_whole, xios_client_total, xios_client_wait, xios_server_whole,
                                   xios_server_events};

// The same line of several processes.
struct XiosLines {
    std::vector<double> seconds;
    std::size_t line = 0, second = 0; // the first ones
    std::string_view words;

    [[nodiscard]] double mean() const {
        return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
    }
};

XiosLines xios_lines(const TimerText &text, std::string_view words) {
    XiosLines found{{}, 0, 0, words};
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::string_view rest = after(text.lines()[i], "Performance report :");
        if (!rest.starts_with(words)) continue;
        const std::vector<std::string_view> values = words_of(after(rest, ":"));
        if (found.seconds.empty()) found.line = i;
        if (found.seconds.size() == 1) found.second = i;
        if (values.size() > 1 && values[1] != "s") throw text.wrong(i, fmt::format("{} is not in seconds", words));
        found.seconds.push_back(text.seconds(i, values.empty() ? "" : values.front(), words));
    }
    return found;
}

TimedFigure xios_figure(const TimerText &text, const XiosLines &lines) {
    const std::string at = text.at(lines.line, lines.words);
    return {lines.mean(), lines.seconds.size() == 1 ? at : joint_source(at, std::ssize(lines.seconds))};
}

TimedPart xios_part(const TimerText &text, const XiosLines &lines, const std::string &name) {
    const auto [min, max] = std::ranges::minmax(lines.seconds);
    const TimedFigure mean = xios_figure(text, lines);
    return {name, 0, std::ssize(lines.seconds), min, mean.value, max, mean.from};
}

// Lines of one report must be there as often as each other.
void check_xios_counts(const TimerText &text, const XiosLines &whole, const XiosLines &other) {
    if (whole.seconds.size() == other.seconds.size()) return;
    throw text.ends_without(fmt::format("'{}' is there {} times, and '{}' {} times: the file is cut", whole.words,
                                        whole.seconds.size(), other.words, other.seconds.size()));
}

// The ratio that the report prints behind its times: of one process; the ratios of several have no order.
void check_xios_ratio(const TimerText &text, const XiosLines &part, const XiosLines &whole, TimedRun &run) {
    if (whole.seconds.size() != 1 || !(whole.mean() > 0)) return;
    for (std::size_t i = part.line + 1; i < text.lines().size(); ++i) {
        const std::string_view rest = after(text.lines()[i], "Performance report :");
        if (!rest.starts_with("Ratio")) continue;
        std::string_view word = first_word(after(rest, ":"));
        if (word.ends_with('%')) word.remove_suffix(1);
        const double printed = text.number(i, word, "Ratio");
        const double ours = 100 * part.mean() / whole.mean();
        if (std::abs(printed - ours) > 2e-5 * std::max(1.0, std::abs(printed)))
            run.remark_differs(Sentence::timers_share_differs, text.at(i, "Ratio"), std::string(word),
                               fmt::format("{:g}", ours));
        return;
    }
}

// A file of one process has one report. A log of several has them in any order; where all of them stand twice with
// the same figures it is one run that was written twice.
bool stands_twice(const XiosLines &lines) {
    const std::span<const double> seconds = lines.seconds;
    const std::size_t half = seconds.size() / 2;
    return half > 0 && seconds.size() % 2 == 0 && std::ranges::equal(seconds.first(half), seconds.last(half));
}

void count_xios_once(const TimerText &text, std::initializer_list<XiosLines *> all, TimedRun &run) {
    const std::string name = text.name();
    const bool of_one = name.starts_with("xios_client_") || name.starts_with("xios_server_");
    for (const XiosLines *lines : all)
        if (of_one && lines->seconds.size() > 1) throw text.second_run(lines->second);
    const auto once_or_none = [](const XiosLines *lines) { return lines->seconds.empty() || stands_twice(*lines); };
    if (!std::ranges::all_of(all, once_or_none)) return;
    const XiosLines &last = **std::prev(all.end()); // the first versions have no whole time
    run.remark(Sentence::timers_told_twice,
               {{"where", text.at(last.line, last.words)}, {"reports", counted(last.seconds.size() / 2, "report")}});
    for (XiosLines *lines : all)
        lines->seconds.resize(lines->seconds.size() / 2);
}

// "Timer : NAME    -->   cumulated time : 1.2"
void add_xios_timers(const TimerText &text, TimedComponent &component) {
    std::set<std::string> names;
    for (const TimedPart &part : component.parts)
        names.insert(part.name);
    for (std::size_t i = text.beginning("Timer : "); i < text.lines().size(); i = text.beginning("Timer : ", i + 1)) {
        const std::string_view line = text.lines()[i];
        const std::string_view rest = after(line, "Timer : ");
        const std::size_t arrow = rest.find("-->");
        if (arrow == std::string_view::npos) continue;
        const std::string name(trimmed_line(rest.substr(0, arrow)));
        XiosLines one{{text.seconds(i, trimmed_line(rest.substr(rest.rfind(':') + 1)), excerpt(name))}, i, 0, name};
        if (names.insert(name).second) component.parts.push_back(xios_part(text, one, name));
    }
}

TimedComponent &add_xios_component(const TimerText &text, const std::string &name, const XiosLines &whole,
                                   TimedRun &run) {
    TimedComponent &component = run.add_component(name);
    component.is_share = true;
    component.processes = std::ssize(whole.seconds);
    component.loop_s = xios_figure(text, whole);
    component.processes_from = component.loop_s.from;
    return component;
}

void read_xios_servers(const TimerText &text, TimedRun &run) {
    XiosLines whole = xios_lines(text, xios_server_whole), events = xios_lines(text, xios_server_events);
    if (whole.seconds.empty() && events.seconds.empty()) return;
    check_xios_counts(text, whole, events);
    count_xios_once(text, {&whole, &events}, run);
    TimedComponent &server = add_xios_component(text, "xios_server", whole, run);
    server.is_io_server = true;
    server.computing_s = xios_figure(text, events);
    server.waiting_s = server.loop_s - server.computing_s;
    if (server.waiting_s.value < -1e-5 * whole.mean())
        throw text.wrong(events.line, "processing events took longer than all of XIOS");
    server.waiting_s.value = std::max(server.waiting_s.value, 0.0);
    server.parts.push_back(xios_part(text, whole, "XIOS server"));
    server.parts.push_back(xios_part(text, events, "Process events"));
    check_xios_ratio(text, events, whole, run);
    if (whole.seconds.size() == 1) add_xios_timers(text, server);
}

void read_xios_clients(const TimerText &text, TimedRun &run) {
    XiosLines whole = xios_lines(text, xios_client_whole), total = xios_lines(text, xios_client_total),
              wait = xios_lines(text, xios_client_wait);
    if (whole.seconds.empty() && total.seconds.empty() && wait.seconds.empty()) return;
    check_xios_counts(text, total, wait);
    const bool has_whole = !whole.seconds.empty(); // not in the first versions
    if (has_whole) check_xios_counts(text, whole, wait);
    count_xios_once(text, {&whole, &total, &wait}, run);
    TimedComponent &client = add_xios_component(text, "xios_client", has_whole ? whole : total, run);
    if (!has_whole) client.loop_s = {};
    client.output_s = xios_figure(text, total);
    client.waits.push_back({"xios_server", xios_figure(text, wait)});
    if (has_whole) client.parts.push_back(xios_part(text, whole, "XIOS init/finalize"));
    client.parts.push_back(xios_part(text, total, "XIOS"));
    client.parts.push_back(xios_part(text, wait, "Blocking time"));
    if (has_whole) check_xios_ratio(text, wait, whole, run);
    if (wait.seconds.size() == 1) add_xios_timers(text, client);
}

} // namespace

bool is_xios_report(const TimerText &text) {
    return text.has([](std::string_view line) {
        const std::string_view rest = after(line, "Performance report :");
        return std::ranges::any_of(xios_words, [&](std::string_view words) { return rest.starts_with(words); });
    });
}

std::vector<TimedRun> read_xios_report(const TimerText &text) {
    TimedRun run;
    const std::string folder = text.folder();
    run.of = "XIOS in " + folder;
    if (folder != "." && folder != "..") run.id = folder.substr(folder.rfind('/') + 1);
    if (run.id.empty()) run.id = "xios";
    read_xios_clients(text, run);
    read_xios_servers(text, run);
    if (run.components.empty())
        throw text.ends_without("no performance report of XIOS: the run did not end, or the file is cut");
    return {std::move(run)};
}

} // namespace cpl_lb
