// Gives the timelines row by row to other formats: one process at a time, so that any run fits into memory.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <cstdint>
#include <limits>
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

    [[nodiscard]] bool is_all() const {
        const ExportSelection all;
        return from_s == all.from_s && to_s == all.to_s && components.empty() && first_process == all.first_process &&
               last_process == all.last_process;
    }
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

} // namespace cpl_lb
