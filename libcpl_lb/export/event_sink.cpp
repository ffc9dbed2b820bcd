// Reads the timelines row by row, cuts them to the selection, and passes them on to a format.
#include "export/event_sink.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace cpl_lb {
namespace {

// Finds it by id, or by the name of the file if the file has no id.
const Component *component_of(const CoupledRun &run, const TimelineReader &reader) {
    const TimelineHeader &header = reader.header();
    const std::string stem = std::filesystem::path(reader.path()).stem().string();
    const auto found = std::find_if(run.components.begin(), run.components.end(), [&](const Component &c) {
        return header.component_id != 0 ? c.id == header.component_id : "timeline_" + c.name == stem;
    });
    return found == run.components.end() ? nullptr : &*found;
}

void check_names(const CoupledRun &run, const ExportSelection &selection) {
    for (const std::string &name : selection.components) {
        const bool known = std::any_of(run.components.begin(), run.components.end(),
                                       [&](const Component &c) { return c.name == name; });
        if (!known) throw FileError(name, "is no component of this run");
    }
}

bool is_selected(const ExportSelection &selection, const Component &component) {
    return selection.components.empty() || std::find(selection.components.begin(), selection.components.end(),
                                                     component.name) != selection.components.end();
}

// What was there to select from, and how much of it was selected.
struct Selected {
    std::int64_t most_processes = 0; // of a selected component
    std::int64_t processes = 0, events = 0;
    double first_s = unknown, last_s = unknown; // of the selected processes' events, also outside of the window
};

void cut(Row &row, const ExportSelection &selection, Selected &selected) {
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) continue;
        const double start_s = to_seconds(row.start[k]), stop_s = to_seconds(row.stop[k]);
        if (!(selected.first_s <= start_s)) selected.first_s = start_s;
        if (!(selected.last_s >= stop_s)) selected.last_s = stop_s;
        const bool inside = stop_s >= selection.from_s && start_s <= selection.to_s;
        if (inside)
            ++selected.events;
        else
            row.start[k] = row.stop[k] = absent;
    }
}

using RowReceiver = void (EventSink::*)(const Component &, std::int64_t, const Row &);

Selected give_rows(const CoupledRun &run, const std::vector<std::string> &timelines, const ExportSelection &selection,
                   EventSink &sink, RowReceiver receiver, const Progress &progress) {
    Selected selected;
    for (const std::string &path : timelines) {
        TimelineReader reader(path);
        reader.forget_keys();
        const Component *component = component_of(run, reader);
        if (component == nullptr || !is_selected(selection, *component)) continue;
        std::vector<Row> rows(static_cast<std::size_t>(reader.block_rows()));
        const std::int64_t end = std::min(reader.processes() - 1, selection.last_process) + 1;
        selected.most_processes = std::max(selected.most_processes, reader.processes());
        selected.processes += std::max<std::int64_t>(end - selection.first_process, 0);
        for (std::int64_t first = selection.first_process; first < end; first += reader.block_rows()) {
            const auto count = static_cast<std::size_t>(std::min(reader.block_rows(), end - first));
            reader.read_rows(first, std::span(rows).first(count));
            for (std::size_t r = 0; r < count; ++r) {
                cut(rows[r], selection, selected);
                (sink.*receiver)(*component, first + static_cast<std::int64_t>(r), rows[r]);
            }
            if (progress) progress(first - selection.first_process, end - selection.first_process);
        }
    }
    return selected;
}

// A file without events would look like a run without them.
void refuse_nothing(const Selected &selected, const std::string &folder) {
    if (selected.processes == 0) {
        throw FileError(
            folder,
            fmt::format("--processes selects none: processes are numbered from 0, and no component has more than {}",
                        selected.most_processes));
    }
    if (selected.events > 0) return;
    if (!is_known(selected.first_s)) throw FileError(folder, "no event of the run is selected");
    throw FileError(folder, fmt::format("no event lies in the --window: they are from {:.6g} to {:.6g} s",
                                        selected.first_s, selected.last_s));
}

} // namespace

void export_events(const CoupledRun &run, const std::vector<std::string> &timelines, const ExportSelection &selection,
                   EventSink &sink, const Progress &progress) {
    check_names(run, selection);
    if (sink.looks_first()) (void)give_rows(run, timelines, selection, sink, &EventSink::look, {});
    const Selected selected = give_rows(run, timelines, selection, sink, &EventSink::row, progress);
    if (!selection.is_all())
        refuse_nothing(selected, std::filesystem::path(timelines.front()).parent_path().string());
    sink.finish();
}

} // namespace cpl_lb
