// Rows are written or sent as they were planned; then their spans are read back and united, part by part.
#include "run/live/gather_rows.hpp"

#include "analysis/load_balance.hpp"
#include "run/live/row_stream.hpp"
#include "run/live/unite.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace cpl_lb {

static void wire_members(auto &way, Either<TimesAway> auto &away) {
    way.pass(away.differ, away.times);
}

namespace {

// What a process knows once its part of the rows has been written.
struct Written {
    std::vector<EventSpan> spans; // on the leader, of the rows that came to it
    std::string error;            // of this process
};

void keep_first(std::string &error, const std::string &later) {
    if (error.empty()) error = later;
}

// Unites two spans of the same event.
void unite_spans(EventSpan &mine, const EventSpan &theirs) {
    mine.first_start = std::min(mine.first_start, theirs.first_start);
    mine.last_start = std::max(mine.last_start, theirs.last_start);
    mine.last_stop = std::max(mine.last_stop, theirs.last_stop);
    mine.processes += theirs.processes;
}

std::vector<EventSpan> spans_of_nobody(std::size_t events) {
    std::vector<EventSpan> spans;
    spans.reserve(events);
    prefer_large_pages(spans);
    spans.resize(events);
    return spans;
}

void away_to_sink(Group &group, const OwnRow &row, RowSink *sink) {
    Transport &t = group.transport();
    if (!group.leads()) {
        WireWriter out;
        out.put(row.away());
        return t.send_all(group.ranks().front(), row_tag, out.take());
    }
    sink->away(0, row.away());
    Bytes bytes;
    for (int process = 1; process < group.size(); ++process) {
        t.receive_all(rank_at(group, process), row_tag, bytes);
        WireReader in(bytes);
        const auto intervals = in.get_vector<Interval>();
        in.finish("times away");
        sink->away(process, intervals);
    }
}

Written give_row(Group &group, const RowPlan &plan, RowFile *file, OwnRow &row) {
    const int me = group.index();
    Written mine;
    if (plan.writes_row(me))
        mine.error = failure_of([&] { row.write_to(*file, me, me % 2 != 0, [] {}); });
    else
        send_row(group, row);
    return mine;
}

// On the leader. First asks for the rows of the processes that do not write them: these come while this process
// writes its own.
Written take_rows(Group &group, const RowPlan &plan, RowFile &file, OwnRow &row) {
    std::vector<int> senders;
    for (int process = 1; process < group.size(); ++process)
        if (!plan.writes_row(process)) senders.push_back(process);
    Written all;
    const auto take_piece = [&](int process, std::size_t first, const Row &piece) {
        add_row(std::span(all.spans).subspan(first, piece.start.size()), piece);
        const auto write = [&] { file.write(process, static_cast<std::int64_t>(first), piece.start, piece.stop); };
        keep_first(all.error, failure_of(write));
    };
    const auto take_raster = [&](int process, std::span<const signed char> kinds) {
        keep_first(all.error, failure_of([&] { file.write_raster(process, kinds); }));
    };
    RowStream rows(group, std::move(senders), {plan.events, take_piece, take_raster, row.raster_bytes()});
    all.spans = spans_of_nobody(plan.events);
    keep_first(all.error, failure_of([&] { row.write_to(file, 0, false, [&] { rows.take_what_came(); }); }));
    rows.finish();
    return all;
}

// Finds out whether all could write their rows. The leader tells the sink about the first one that could not.
bool all_good(Group &group, const Written &written, RowSink *sink) {
    std::string why = written.error;
    unite_up(group, "why a row was not written", why, keep_first);
    bool good = why.empty();
    if (group.leads() && !good) sink->fail(why);
    tell_all(group, "whether all rows were written", good);
    return good;
}

// A part of the events.
struct Part {
    std::size_t first, events;
};
Part part_of(std::size_t events, std::size_t writer, std::size_t writers) {
    const std::size_t first = events * writer / writers;
    return {first, events * (writer + 1) / writers - first};
}

// Adds the spans of the rows that their processes wrote: each of these reads its part of the events of all their rows
// from the file, and sends it to the leader, the first of them. Rows that were sent were added as they passed.
void spans_from_file(Group &group, const RowPlan &plan, RowFile &file, OwnRow &row, Written &written) {
    const std::vector<int> writers = plan.writers();
    const std::span<EventSpan> spans = written.spans;
    if (writers.size() == 1) {
        add_row(spans, row.whole());
        return;
    }
    const auto mine = static_cast<std::size_t>(std::ranges::find(writers, group.index()) - writers.begin());
    const Part part = part_of(plan.events, mine, writers.size());
    std::vector<EventSpan> of_part(mine > 0 ? part.events : 0);
    const std::span<EventSpan> here = mine > 0 ? std::span(of_part) : spans.subspan(part.first, part.events);
    keep_first(written.error, failure_of([&] { file.add_to(here, writers, static_cast<std::int64_t>(part.first)); }));
    const auto from = [&](std::size_t w, std::span<EventSpan> values) {
        Group(group.transport(), {group.ranks().front(), rank_at(group, writers[w])}, row_tag)
            .reduce(values, unite_spans);
    };
    if (mine > 0) return from(mine, here);
    for (std::size_t w = 1; w < writers.size(); ++w) {
        const Part theirs = part_of(plan.events, w, writers.size());
        from(w, spans.subspan(theirs.first, theirs.events));
    }
}

// The spans; empty: the file failed.
std::optional<std::vector<EventSpan>> through_the_file(Group &group, const PlannedRows &rows, OwnRow &row,
                                                       RowSink *sink) {
    const RowPlan &plan = rows.plan;
    RowFile *const file = rows.file.get();
    Written written = group.leads() ? take_rows(group, plan, *file, row) : give_row(group, plan, file, row);
    if (!all_good(group, written, sink)) return {};
    if (file != nullptr) {
        spans_from_file(group, plan, *file, row, written);
        keep_first(written.error, failure_of([&] { file->close(); }));
    }
    if (!all_good(group, written, sink)) return {};
    return std::move(written.spans);
}

} // namespace

GatheredRows gather_rows(Group &group, const NumberList &nodes, OwnRow &row, std::size_t events,
                         std::int64_t away_intervals, EventKeys &keys, RowSink *sink) {
    if (group.leads()) sink->open(keys, away_intervals);
    if (away_intervals > 0) away_to_sink(group, row, sink);
    std::optional<PlannedRows> rows = plan_rows(group, nodes, events, sink);
    const bool wrote_itself = rows->plan.writes_row(group.index());
    if (rows->plan.has_file)
        if (auto spans = through_the_file(group, *rows, row, sink)) return {std::move(*spans), wrote_itself};
    rows.reset();
    return {reduce_spans(group, row, events), wrote_itself};
}

std::vector<EventSpan> reduce_spans(Group &group, OwnRow &row, std::size_t events) {
    std::vector<EventSpan> spans = spans_of_nobody(events);
    add_row(spans, row.whole());
    group.reduce(std::span(spans), unite_spans);
    if (!group.leads()) spans = std::vector<EventSpan>(); // = {} would keep the memory
    return spans;
}

TimesAway gather_away(Group &group, std::span<const Interval> row) {
    TimesAway all;
    add_away(all, row);
    const auto unite_two = [](TimesAway &mine, const TimesAway &theirs) {
        add_away(mine, theirs.times);
        mine.differ = mine.differ || theirs.differ;
        if (mine.differ) mine.times.assign(1, {}); // they mean nothing, but there are some
    };
    unite_up(group, "times away", all, unite_two);
    return all;
}

} // namespace cpl_lb
