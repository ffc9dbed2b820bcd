// Joins and splits lists of names, counts occurrences, fills the header from a component, and looks whose file is
// there.
#include "io/timeline/timeline.hpp"

#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <map>
#include <sys/stat.h>

namespace cpl_lb {

TimelineHeader header_of_run(const CoupledRun &run, Nanoseconds run_end) {
    TimelineHeader header;
    header.component_names = run.component_names;
    header.field_names = run.field_names;
    header.run_id = run.run.id;
    header.zero_time = run.run.zero.time;
    header.simulated_s = run.run.simulated_s;
    header.year_days = run.run.year_days;
    header.clock_error_bound_s = run.clock.error_bound_s;
    header.run_end = run_end;
    return header;
}

void describe(TimelineHeader &header, const Component &component) {
    header.component_name = component.name;
    header.component_id = component.id;
    header.first_init = component.first_init;
    header.last_terminate = component.last_terminate;
    if (component.window_first != Component().window_first) header.window_first = component.window_first;
    if (component.window_last != Component().window_last) header.window_last = component.window_last;
    header.threads = component.threads;
    header.dropped_events = component.dropped_events;
    header.processes = static_cast<std::int64_t>(component.ranks.size());
    header.ranks = component.ranks;
    header.clock_error_bounds_s = component.clock_error_bounds_s;
}

std::string join_names(std::span<const std::string> names) {
    std::string joined;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) joined += ',';
        for (const char c : names[i]) {
            if (c == ',')
                joined += "%2C";
            else if (c == '%')
                joined += "%25";
            else
                joined += c;
        }
    }
    return joined;
}

namespace {

std::string unescaped(std::string_view text) {
    if (text.find('%') == std::string_view::npos) return std::string(text);
    std::string name;
    while (!text.empty()) {
        const bool comma = text.substr(0, 3) == "%2C" || text.substr(0, 3) == "%2c";
        const bool percent = text.substr(0, 3) == "%25";
        name += comma ? ',' : text.front();
        text.remove_prefix(comma || percent ? 3 : 1);
    }
    return name;
}

} // namespace

std::vector<std::string> split_names(std::string_view joined) {
    std::vector<std::string> names;
    if (joined.empty()) return names;
    names.reserve(static_cast<std::size_t>(std::count(joined.begin(), joined.end(), ',')) + 1);
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
        comma = joined.find(',');
        names.push_back(unescaped(joined.substr(0, comma)));
        if (comma != std::string_view::npos) joined.remove_prefix(comma + 1);
    }
    return names;
}

namespace {

struct Counter {
    std::int64_t date = no_date;
    std::int64_t next = 0;
};

} // namespace

void count_occurrences(EventKeys &keys) {
    std::vector<std::int64_t> occurrences(keys.size());
    std::vector<Counter> counters(keys.classes().size());
    std::map<EventKey, std::int64_t> left_behind; // counts of dates that may come again
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const EventClass &c = keys.what(k);
        Counter &counter = counters[keys.class_of(k)];
        if (keys.date(k) != counter.date) {
            left_behind[{c.kind, c.field, c.counterpart, counter.date, 0}] = counter.next;
            counter = {keys.date(k), left_behind[{c.kind, c.field, c.counterpart, keys.date(k), 0}]};
        }
        occurrences[k] = counter.next++;
    }
    keys.set_occurrences(std::move(occurrences));
}

bool pair_up(Row &row) {
    bool good = true;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        const bool there = row.start[k] != absent && row.stop[k] != absent;
        good &= !there || row.start[k] <= row.stop[k];
        if (!there) row.start[k] = row.stop[k] = absent;
    }
    return good;
}

// The words are looked for in the bytes of the header, without netCDF: in a classic file the attributes of the whole
// file stand before the names of the variables, so whoever finds timer_strt has seen whether cpl_lb_version is there.
bool is_foreign_timeline(const std::string &path) {
    constexpr std::size_t most_read = 1U << 20U;
    std::string bytes;
    try {
        const FileHandle file = open_to_read(path);
        struct stat found {};
        if (::fstat(file.descriptor(), &found) != 0) return false;
        bytes.resize(std::min(most_read, static_cast<std::size_t>(found.st_size)));
        if (read_at(file.descriptor(), 0, std::as_writable_bytes(std::span(bytes))) < bytes.size()) return false;
    } catch (const FileError &) { // there is none
        return false;
    }
    const auto holds = [&](std::string_view word) { return bytes.find(word) != std::string::npos; };
    return bytes.starts_with("CDF") && holds("timer_strt") && !holds("cpl_lb_version");
}

std::string timeline_name_in(const std::string &directory, std::string_view stem) {
    std::string name = timeline_file_name(stem);
    if (!is_foreign_timeline(path_in(directory, name))) return name;
    return timeline_file_name(std::string(stem) + ".cpl_lb");
}

std::string words_for_other_name(const std::string &name, std::string_view stem) {
    const std::string usual = timeline_file_name(stem);
    return name == usual ? ""
                         : fmt::format("{} belongs to another program and was left as it is: see {}", usual, name);
}

} // namespace cpl_lb
