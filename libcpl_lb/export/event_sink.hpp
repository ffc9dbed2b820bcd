// Gives the timelines row by row to other formats: one process at a time, so that any run fits into memory. And what
// these formats share: the arrows between components.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

// The part of the run that is exported.
struct ExportSelection {
    double from_s = -std::numeric_limits<double>::infinity();
    double to_s = std::numeric_limits<double>::infinity();
    std::vector<std::string> components; // by name; empty: all
    std::int64_t first_process = 0;      // of each component, from 0
    std::int64_t last_process = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool is_all() const { return *this == ExportSelection{}; }
    friend bool operator==(const ExportSelection &, const ExportSelection &) = default;
};

class EventSink {
public:
    EventSink() = default;
    EventSink(const EventSink &) = delete;
    EventSink &operator=(const EventSink &) = delete;
    virtual ~EventSink() = default;

    // True: all rows are given to look() once, before the first comes to row().
    [[nodiscard]] virtual bool looks_first() const { return false; }
    virtual void look(const Component & /*component*/, std::int64_t /*process*/, const Row & /*row*/) {}

    // row: element k belongs to component.table.keys[k]; `absent` also where the event lies outside the selection.
    virtual void row(const Component &component, std::int64_t process, const Row &row) = 0;
    // Called after the last row; here the result appears.
    virtual void finish() = 0;
};

// run: with the tables of its components, as load_run makes it; timelines: their files. Throws FileError, also where
// the selection names a component that the run does not have, or selects no event. progress: of the rows of each
// timeline.
void export_events(const CoupledRun &run, const std::vector<std::string> &timelines, const ExportSelection &selection,
                   EventSink &sink, const Progress &progress = {});

[[nodiscard]] std::string rank_of(const Component &component, std::int64_t process); // empty: not known
// In seconds (9 digits behind the point) or microseconds (3), exactly: "-0.000000001".
[[nodiscard]] std::string exact_time(Nanoseconds t, int digits);

// The formats. Each sink writes to `path`, where its result appears in finish(). They throw FileError.

// CSV (RFC 4180), a line for each event and process:
// component,process,rank,kind,field,counterpart,date,start_s,stop_s.
[[nodiscard]] std::unique_ptr<EventSink> make_csv_sink(const std::string &path, const CoupledRun &run);

// Trace event JSON, which ui.perfetto.dev and chrome://tracing open: a process for each component, a thread for each
// of its processes, an arrow from every PUT to its GET (between the first processes of both sides that took part).
// Format: "Trace Event Format" of the Chromium project; times in microseconds.
[[nodiscard]] std::unique_ptr<EventSink> make_perfetto_sink(const std::string &path, const CoupledRun &run);

// An OTF2 archive (Score-P's Open Trace Format 2): a node of the system's tree and a communicator for each component,
// a location group with one location for each process, a region for each component and, inside it, for each kind,
// field and counterpart; a message for each exchange, of unknown length; nanoseconds. `folder` must not
// exist. Throws FileError also where this build has no OTF2.
[[nodiscard]] std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun &run,
                                                        const ExportSelection &selection);

// component: its id; event: place in its table; process: the first of the exported ones that took part.
struct ArrowEnd {
    std::int32_t component = 0;
    std::int64_t process = -1;
    std::size_t event = 0;
    Nanoseconds start = 0, stop = 0; // of that event in that process
};

// From the start of a PUT to the end of its GET; of a collective operation, from the arrival of who came last to the
// end of the waiting for it.
struct Arrow {
    std::int32_t field = 0;
    ArrowEnd from, to;
};

// Give it all rows, those of one component in ascending order; then the arrows between them are known.
class Arrows {
public:
    explicit Arrows(const CoupledRun &run) : run_(run), ends_(run.components.size()) {}
    void row(const Component &component, std::int64_t process, const Row &row);
    // By exchange, in the order of time.
    [[nodiscard]] std::vector<Arrow> all() const;

private:
    const CoupledRun &run_;
    std::vector<std::vector<ArrowEnd>> ends_; // by component, event; process < 0: nobody
};

} // namespace cpl_lb
