// Reads the timelines row by row, cuts them to the selection, and passes them on to a format.
#include "export/event_sink.hpp"

#include "analysis/exchanges.hpp"
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
    const auto found = std::ranges::find_if(run.components, [&](const Component &c) {
        return header.component_id != 0 ? c.id == header.component_id : "timeline_" + c.name == stem;
    });
    return found == run.components.end() ? nullptr : &*found;
}

void check_names(const CoupledRun &run, const ExportSelection &selection) {
    for (const std::string &name : selection.components)
        if (std::ranges::find(run.components, name, &Component::name) == run.components.end())
            throw FileError(name, "is no component of this run");
}

bool is_selected(const ExportSelection &selection, const Component &component) {
    const std::vector<std::string> &names = selection.components;
    return names.empty() || std::ranges::find(names, component.name) != names.end();
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

std::string rank_of(const Component &component, std::int64_t process) {
    const auto place = static_cast<std::size_t>(process);
    return place < component.ranks.size() ? std::to_string(component.ranks[place]) : "";
}

std::string exact_time(Nanoseconds t, int digits) {
    const auto size = t < 0 ? 0U - static_cast<std::uint64_t>(t) : static_cast<std::uint64_t>(t);
    const std::uint64_t unit = digits == 9 ? 1'000'000'000U : 1000U;
    return fmt::format("{}{}.{:0{}}", t < 0 ? "-" : "", size / unit, size % unit, digits);
}

void Arrows::row(const Component &component, std::int64_t process, const Row &row) {
    std::vector<ArrowEnd> &ends = ends_[static_cast<std::size_t>(&component - run_.components.data())];
    ends.resize(row.start.size());
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] != absent && ends[k].process < 0 && is_exchange(component.table.keys.what(k).kind))
            ends[k] = {component.id, process, k, row.start[k], row.stop[k]};
    }
}

std::vector<Arrow> Arrows::all() const {
    std::vector<Arrow> arrows;
    std::vector<ExchangeEvents> events;
    std::vector<SyncPlaces> syncs, arrivals;
    for (const Component &c : run_.components) {
        events.emplace_back(c.table);
        syncs.push_back(sync_places(c.table));
        arrivals.push_back(arrival_places(c.table, syncs.back()));
    }
    for (const Exchange &x : find_exchanges(run_)) {
        const auto s = static_cast<std::size_t>(x.source) - 1, t = static_cast<std::size_t>(x.target) - 1;
        if (s >= ends_.size() || t >= ends_.size() || ends_[s].empty() || ends_[t].empty()) continue;
        const auto add = [&](std::size_t source_event, std::size_t target_event) {
            const ArrowEnd &from = ends_[s][source_event], &to = ends_[t][target_event];
            if (from.process >= 0 && to.process >= 0) arrows.push_back({x.field, from, to});
        };
        if (!x.sync) {
            const EventPlaces puts = events[s].side(Kind::put, x.field, x.target);
            const EventPlaces gets = events[t].side(Kind::get, x.field, x.source);
            const auto lag = static_cast<std::size_t>(x.lag);
            for (std::size_t n = 0; n < puts.size() && n + lag < gets.size(); ++n)
                add(puts[n], gets[n + lag]);
            continue;
        }
        // From who came last to a collective operation to those that waited for it.
        const EventTable &source = run_.components[s].table, &target = run_.components[t].table;
        const std::vector<std::uint32_t> &from = arrivals[s].at(x.field), &to = syncs[t].at(x.field);
        for (std::size_t n = 0; n < std::min(from.size(), to.size()); ++n) {
            if (target.keys.what(to[n]).counterpart == x.source &&
                source.spans[from[n]].last_start > target.spans[to[n]].last_start)
                add(from[n], to[n]);
        }
    }
    return arrows;
}

} // namespace cpl_lb
