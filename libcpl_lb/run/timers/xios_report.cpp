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
#include "support/sentences.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <set>

namespace cpl_lb {
namespace {

constexpr std::string_view xios_client_whole = "Whole time from XIOS init and finalize";
constexpr std::string_view xios_client_total = "total time spent for XIOS";
constexpr std::string_view xios_client_wait = "time spent for waiting free buffer";
constexpr std::string_view xios_server_whole = "Time spent for XIOS";
constexpr std::string_view xios_server_events = "Time spent in processing events";

// The same line of several processes.
struct XiosLines {
    std::vector<double> seconds;
    std::size_t line = 0, second = 0; // the first ones
    std::string_view words;

    [[nodiscard]] double mean() const {
        double sum = 0;
        for (const double s : seconds)
            sum += s;
        return sum / static_cast<double>(seconds.size());
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
    const std::size_t n = lines.seconds.size();
    return {lines.mean(), n == 1 ? at : fmt::format("the mean of {} processes, the first: {}", n, at)};
}

TimedPart xios_part(const TimerText &text, const XiosLines &lines, const std::string &name) {
    TimedPart part;
    part.name = name;
    part.processes = static_cast<std::int64_t>(lines.seconds.size());
    const auto [least, most] = std::minmax_element(lines.seconds.begin(), lines.seconds.end());
    part.min_s = *least;
    part.mean_s = lines.mean();
    part.max_s = *most;
    part.from = xios_figure(text, lines).from;
    return part;
}

// Lines of one report must be there as often as each other.
void check_xios_counts(const TimerText &text, const XiosLines &whole, const XiosLines &other) {
    if (whole.seconds.size() == other.seconds.size()) return;
    throw text.wrong(text.lines().size() - 1,
                     fmt::format("'{}' is there {} times, and '{}' {} times: the file is cut", whole.words,
                                 whole.seconds.size(), other.words, other.seconds.size()));
}

// The ratio that the report prints behind its times: of one process; the ratios of several have no order.
void check_xios_ratio(const TimerText &text, const XiosLines &part, const XiosLines &whole, TimedRun &run) {
    if (whole.seconds.size() != 1 || !(whole.mean() > 0)) return;
    for (std::size_t i = part.line + 1; i < text.lines().size(); ++i) {
        const std::string_view rest = after(text.lines()[i], "Performance report :");
        if (!rest.starts_with("Ratio")) continue;
        std::string_view word = words_of(after(rest, ":")).empty() ? "" : words_of(after(rest, ":")).front();
        if (word.ends_with('%')) word.remove_suffix(1);
        const double printed = text.number(i, word, "Ratio");
        const double ours = 100 * part.mean() / whole.mean();
        if (std::abs(printed - ours) > 2e-5 * std::max(1.0, std::abs(printed))) {
            run.remarks.push_back(say(Sentence::timers_share_differs, {{"where", text.at(i, "Ratio")},
                                                                       {"printed", std::string(word)},
                                                                       {"ours", fmt::format("{:g}", ours)}}));
        }
        return;
    }
}

// A file of one process has one report. A log of several has them in any order; where all of them stand twice with
// the same figures it is one run that was written twice.
bool stands_twice(const XiosLines &lines) {
    const std::size_t half = lines.seconds.size() / 2;
    return half > 0 && lines.seconds.size() % 2 == 0 &&
           std::equal(lines.seconds.begin(), lines.seconds.begin() + static_cast<std::ptrdiff_t>(half),
                      lines.seconds.begin() + static_cast<std::ptrdiff_t>(half));
}

void count_xios_once(const TimerText &text, std::initializer_list<XiosLines *> all, TimedRun &run) {
    const std::string name = text.name();
    const bool of_one = name.starts_with("xios_client_") || name.starts_with("xios_server_");
    for (const XiosLines *lines : all)
        if (of_one && lines->seconds.size() > 1)
            throw text.wrong(lines->second, "a second run begins here: give each run its own file");
    const auto once_or_none = [](const XiosLines *lines) { return lines->seconds.empty() || stands_twice(*lines); };
    if (!std::all_of(all.begin(), all.end(), once_or_none)) return;
    const XiosLines &last = **std::prev(all.end()); // the first versions have no whole time
    run.remarks.push_back(
        say(Sentence::timers_told_twice,
            {{"where", text.at(last.line, last.words)}, {"reports", counted(last.seconds.size() / 2, "report")}}));
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

TimedComponent xios_component(const TimerText &text, const std::string &name, const XiosLines &whole) {
    TimedComponent component;
    component.name = name;
    component.is_share = true;
    component.processes = static_cast<std::int64_t>(whole.seconds.size());
    component.processes_from = xios_figure(text, whole).from;
    component.loop_s = xios_figure(text, whole);
    return component;
}

void read_xios_servers(const TimerText &text, TimedRun &run) {
    XiosLines whole = xios_lines(text, xios_server_whole), events = xios_lines(text, xios_server_events);
    if (whole.seconds.empty() && events.seconds.empty()) return;
    check_xios_counts(text, whole, events);
    count_xios_once(text, {&whole, &events}, run);
    TimedComponent server = xios_component(text, "xios_server", whole);
    server.is_io_server = true;
    server.computing_s = xios_figure(text, events);
    server.waiting_s = {whole.mean() - events.mean(), server.loop_s.from + " - " + server.computing_s.from};
    if (server.waiting_s.value < -1e-5 * whole.mean())
        throw text.wrong(events.line, "processing events took longer than all of XIOS");
    server.waiting_s.value = std::max(server.waiting_s.value, 0.0);
    server.parts.push_back(xios_part(text, whole, "XIOS server"));
    server.parts.push_back(xios_part(text, events, "Process events"));
    check_xios_ratio(text, events, whole, run);
    if (whole.seconds.size() == 1) add_xios_timers(text, server);
    run.components.push_back(std::move(server));
}

void read_xios_clients(const TimerText &text, TimedRun &run) {
    XiosLines whole = xios_lines(text, xios_client_whole), total = xios_lines(text, xios_client_total),
              wait = xios_lines(text, xios_client_wait);
    if (whole.seconds.empty() && total.seconds.empty() && wait.seconds.empty()) return;
    check_xios_counts(text, total, wait);
    const bool has_whole = !whole.seconds.empty(); // not in the first versions
    if (has_whole) check_xios_counts(text, whole, wait);
    count_xios_once(text, {&whole, &total, &wait}, run);
    TimedComponent client = xios_component(text, "xios_client", has_whole ? whole : total);
    if (!has_whole) client.loop_s = {};
    client.output_s = xios_figure(text, total);
    client.waits.push_back({"xios_server", xios_figure(text, wait)});
    if (has_whole) client.parts.push_back(xios_part(text, whole, "XIOS init/finalize"));
    client.parts.push_back(xios_part(text, total, "XIOS"));
    client.parts.push_back(xios_part(text, wait, "Blocking time"));
    if (has_whole) check_xios_ratio(text, wait, whole, run);
    if (wait.seconds.size() == 1) add_xios_timers(text, client);
    run.components.push_back(std::move(client));
}

} // namespace

bool is_xios_report(const TimerText &text) {
    for (const std::string_view words :
         {xios_client_total, xios_client_whole, xios_client_wait, xios_server_events, xios_server_whole}) {
        for (std::size_t i = text.find("Performance report :"); i < text.lines().size();
             i = text.find("Performance report :", i + 1))
            if (after(text.lines()[i], "Performance report :").starts_with(words)) return true;
    }
    return false;
}

std::vector<TimedRun> read_xios_report(const TimerText &text) {
    TimedRun run;
    const std::size_t slash = text.path().rfind('/');
    const std::string folder = slash == std::string::npos ? "." : text.path().substr(0, slash);
    run.of = "XIOS in " + folder;
    const std::size_t last = folder.rfind('/');
    if (folder != "." && folder != "..") run.id = last == std::string::npos ? folder : folder.substr(last + 1);
    if (run.id.empty()) run.id = "xios";
    read_xios_clients(text, run);
    read_xios_servers(text, run);
    if (run.components.empty())
        throw text.wrong(text.lines().empty() ? 0 : text.lines().size() - 1,
                         "no performance report of XIOS: the run did not end, or the file is cut");
    return {std::move(run)};
}

} // namespace cpl_lb
