// Reads the timelines row by row, cuts them to the selection, and passes them on to a format.
#include "export/event_sink.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"

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

void cut(Row &row, const ExportSelection &selection) {
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) continue;
        const bool inside = to_seconds(row.stop[k]) >= selection.from_s && to_seconds(row.start[k]) <= selection.to_s;
        if (!inside) row.start[k] = row.stop[k] = absent;
    }
}

using RowReceiver = void (EventSink::*)(const Component &, std::int64_t, const Row &);

void give_rows(const CoupledRun &run, const std::vector<std::string> &timelines, const ExportSelection &selection,
               EventSink &sink, RowReceiver receiver, const Progress &progress) {
    for (const std::string &path : timelines) {
        TimelineReader reader(path);
        reader.forget_keys();
        const Component *component = component_of(run, reader);
        if (component == nullptr || !is_selected(selection, *component)) continue;
        std::vector<Row> rows(static_cast<std::size_t>(reader.block_rows()));
        const std::int64_t end = std::min(reader.processes() - 1, selection.last_process) + 1;
        for (std::int64_t first = selection.first_process; first < end; first += reader.block_rows()) {
            const auto count = static_cast<std::size_t>(std::min(reader.block_rows(), end - first));
            reader.read_rows(first, std::span(rows).first(count));
            for (std::size_t r = 0; r < count; ++r) {
                cut(rows[r], selection);
                (sink.*receiver)(*component, first + static_cast<std::int64_t>(r), rows[r]);
            }
            if (progress) progress(first - selection.first_process, end - selection.first_process);
        }
    }
}

} // namespace

void export_events(const CoupledRun &run, const std::vector<std::string> &timelines, const ExportSelection &selection,
                   EventSink &sink, const Progress &progress) {
    check_names(run, selection);
    if (sink.looks_first()) give_rows(run, timelines, selection, sink, &EventSink::look, {});
    give_rows(run, timelines, selection, sink, &EventSink::row, progress);
    sink.finish();
}

} // namespace cpl_lb
