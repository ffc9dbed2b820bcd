// Timelines of a small coupled run in a folder, for tests of the command.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <fstream>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct TimedEvent {
    Kind kind;
    std::int32_t field, counterpart;
    double start_s, stop_s;
};

struct TimelineLiteral {
    std::string name;
    std::int32_t id = 0;
    std::vector<std::int32_t> ranks;
    std::vector<TimedEvent> events; // the same on all processes, by time
    std::vector<Interval> away;     // likewise
    std::int32_t threads = 1;
};

// Components are called "ocean", "atmosphere", "ice" by id if nothing else is given; the fields "T", "Q", "W".
inline void write_timeline(const std::string &directory, const TimelineLiteral &literal,
                           const std::vector<std::string> &names = {"ocean", "atmosphere", "ice"}) {
    TimelineHeader header;
    header.component_name = literal.name;
    header.component_id = literal.id;
    header.component_names = names;
    header.field_names = {"T", "Q", "W"};
    header.run_id = "literal";
    header.simulated_s = 86400;
    header.year_days = 365;
    header.clock_error_bound_s = 1e-6;
    header.first_init = 0;
    header.last_terminate = from_seconds(120);
    header.threads = literal.threads;
    header.ranks = literal.ranks;
    header.processes = static_cast<std::int64_t>(literal.ranks.size());
    header.away_intervals = header.processes * static_cast<std::int64_t>(literal.away.size());
    std::vector<Nanoseconds> start, stop;
    std::int64_t n = 0;
    for (const TimedEvent &e : literal.events) {
        header.keys.push_back({e.kind, e.field, e.counterpart, no_date, n++});
        start.push_back(from_seconds(e.start_s));
        stop.push_back(from_seconds(e.stop_s));
    }
    TimelineWriter writer(directory + "/timeline_" + literal.name + ".nc", header, false);
    for (std::int64_t p = 0; p < header.processes; ++p) {
        writer.write_rows(p, 1, start, stop);
        if (!literal.away.empty()) writer.write_away(p, literal.away);
    }
    writer.close();
}

// 11 steps of 10 s. Ocean, 1 process, sends T after 4 s of computing and leaves when atmosphere, 2 processes, comes
// after 10 s.
inline std::vector<TimelineLiteral> sleepers() {
    TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, {1, 2}, {}, {}};
    for (int n = 0; n < 11; ++n) {
        ocean.events.push_back({Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10});
        atmosphere.events.push_back({Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10});
    }
    return {ocean, atmosphere};
}

inline void write_run(const std::string &directory, const std::vector<TimelineLiteral> &components) {
    for (const TimelineLiteral &component : components)
        write_timeline(directory, component);
}

// What the run tells of itself, for more to be added.
inline CoupledRun told_run(const std::vector<TimelineLiteral> &components) {
    CoupledRun told;
    told.run.id = "literal";
    told.component_names = {"ocean", "atmosphere"};
    for (const TimelineLiteral &literal : components) {
        Component &c = told.components.emplace_back();
        c.name = literal.name;
        c.id = literal.id;
        c.ranks = literal.ranks;
    }
    return told;
}

inline void write_told(const std::string &directory, const CoupledRun &told) {
    std::ofstream(directory + "/load_balancing_info.json") << info_json(told);
}

// A table of scaling.
inline std::string write_curves(const TemporaryFolder &folder, const std::string &rows,
                                const std::string &columns = "component,processes,seconds") {
    std::string path = folder / "curves.csv";
    std::ofstream(path) << columns << '\n' << rows;
    return path;
}

} // namespace cpl_lb::test
