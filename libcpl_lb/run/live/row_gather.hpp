// Brings the rows of all processes of a component into its timeline's file, and makes the events' spans from them.
//
// If the file's format has fixed places, each process of the leader's node writes its row itself, all at the same
// time. Then each of them reads its part of the events of all those rows back from the page cache, and sends the
// leader their spans: nothing of size events x processes goes through one process. Processes of another node do the
// same if a trial shows that they see the same file: they write the pages that hold only rows of their node, and send
// the leader the times at the edges (docs/decisions/rows_of_other_nodes.md). All other rows (and those of compressed
// files) go to the leader in pieces. Without a file the spans are a reduction by messages.
#pragma once

#include "data/events.hpp"
#include "io/timeline/row_file.hpp"
#include "mpi/group.hpp"
#include "run/live/own_row.hpp"
#include "run/live/row_stream.hpp"
#include "support/held_up.hpp"
#include "support/messages.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Takes the rows on the leader.
class RowSink {
public:
    RowSink() = default;
    RowSink(const RowSink &) = delete;
    RowSink &operator=(const RowSink &) = delete;
    virtual ~RowSink() = default;
    // Called once, before the rows, when the events are known. keys may be moved out and back.
    virtual void open(EventKeys &keys, std::int64_t away_intervals) = 0;
    virtual void away(int process, std::span<const Interval> intervals) = 0;
    // Called after all times away. False: there will be no file.
    [[nodiscard]] virtual bool good() const = 0;
    // The place where each process may write its own row; nothing: the rows come in pieces.
    virtual std::optional<RowPlace> hand_over() = 0;
    virtual void piece(int process, std::size_t first_event, const Row &piece) = 0;
    virtual void raster(int process, std::span<const signed char> kinds) = 0;
    // A process could not write its row.
    virtual void fail(const std::string &why) = 0;
};

// Adds the row of one process, or unites two spans of the same event.
void unite_spans(EventSpan &mine, const EventSpan &theirs);

class RowGather {
public:
    // nodes: the node of each process of the group. events, away_intervals: the numbers of all, known to all.
    RowGather(Group &group, NumberList nodes, OwnRow &row, std::size_t events, std::int64_t away_intervals);

    // Collective over the group. sink, keys and spans count on the leader, which has a span for each event. False:
    // a message failed.
    bool run(RowSink *sink, EventKeys &keys, std::vector<EventSpan> &spans);
    // For a run without a timeline: only makes the spans.
    bool reduce(std::vector<EventSpan> &spans);
    // After run(): whether this process wrote its times itself, except at the edges of its node's pages.
    [[nodiscard]] bool wrote_itself() const { return way_of(group_.index()) != RowsOf::others; }

private:
    struct Outcome;
    enum class Way : std::int32_t { no_file, in_pieces, fixed_places };

    bool gather_away(RowSink *sink);
    bool agree_on_way(RowSink *sink);
    // Who writes the times of a process.
    enum class RowsOf : std::uint8_t { others, own_node, own_pages };
    void open_file();
    void try_out_file();
    void check_other_nodes();
    bool agree_on_writers();
    bool rows_to_file(RowSink *sink, std::vector<EventSpan> &spans);
    bool all_good(RowSink *sink, bool &good);
    bool spans_from_file(std::span<EventSpan> spans);
    bool spans_of_node(const std::vector<int> &writers, std::span<EventSpan> spans);
    bool spans_of_other_nodes(std::span<EventSpan> spans);
    RowStream ask_for_rows(RowSink &sink, std::vector<EventSpan> &spans);
    void take_piece(int process, std::size_t first, const Row &piece, RowSink &sink, std::span<EventSpan> spans);
    void take_raster(int process, std::span<const signed char> kinds, RowSink &sink);
    void write_own_row(const std::function<void()> &between);
    void make_spans(std::vector<EventSpan> &spans) const;
    template <class Action>
    void attempt(Action action);
    [[nodiscard]] RowsOf way_of(int index) const { return writers_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::int32_t node_of(int index) const { return nodes_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] bool is_of_leaders_node(int index) const { return node_of(index) == node_of(0); }
    [[nodiscard]] EventRange own_events(int index) const;
    [[nodiscard]] std::vector<EventRange> pieces_to_send(int index) const;
    [[nodiscard]] std::optional<int> first_writer_of(std::int32_t node) const;
    struct Part {
        std::size_t first, events;
    };
    [[nodiscard]] Part part_of(std::size_t writer, std::size_t writers) const; // of the events
    void add_part(const std::vector<int> &writers, Part part, std::span<EventSpan> spans);

    Group &group_;
    NumberList nodes_;
    OwnRow &row_;
    std::size_t events_;
    std::int64_t away_intervals_;
    Way way_ = Way::no_file;
    RowPlace place_;
    std::unique_ptr<RowFile> file_;
    std::vector<RowsOf> writers_; // by index
    std::string error_;           // of this process
};

template <class Action>
void RowGather::attempt(Action action) {
    const HeldUp by_the_file;
    try {
        action();
    } catch (const std::exception &e) {
        if (error_.empty()) error_ = in_words(e);
    }
}

} // namespace cpl_lb
