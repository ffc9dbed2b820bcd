// The rows of all processes of a component into its timeline's file, and the spans of the events from them.
//
// Where the file's format has fixed places, each process of the leader's node writes its row itself, all at the same
// time; then each of them reads its part of the events back, of all those rows, from the page cache, and sends the
// leader what they come to: nothing of size events x processes goes through one process. The rows of other nodes (and
// all rows of compressed files) go to the leader in pieces. Without a file the spans are a reduction by messages.
#pragma once

#include "data/events.hpp"
#include "io/timeline/row_file.hpp"
#include "mpi/group.hpp"
#include "run/live/own_row.hpp"

#include <cstdint>
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
    // Once, before the rows: the events are known. keys may be moved out and back.
    virtual void open(EventKeys &keys, std::int64_t away_intervals) = 0;
    virtual void away(int process, std::span<const Interval> intervals) = 0;
    // After all times away. False: there will be no file.
    [[nodiscard]] virtual bool good() const = 0;
    // Where rows may be written by whoever has them; none: they come in pieces.
    virtual std::optional<RowPlace> hand_over() = 0;
    virtual void piece(int process, std::size_t first_event, const Row &piece) = 0;
    virtual void raster(int process, std::span<const signed char> kinds) = 0;
    // Of a process that could not write its row.
    virtual void fail(const std::string &why) = 0;
};

// Adds the row of one process, or unites two spans of the same event.
void unite_spans(EventSpan &mine, const EventSpan &theirs);

class RowGather {
public:
    // nodes: of each process of the group. events, away_intervals: of all, known to all.
    RowGather(Group &group, std::span<const std::int32_t> nodes, OwnRow &row, std::size_t events,
              std::int64_t away_intervals);

    // Collective over the group. sink, keys and spans count on the leader; spans are as many as events. False: a
    // message failed.
    bool run(RowSink *sink, EventKeys &keys, std::vector<EventSpan> &spans);
    // Without a timeline: the spans only.
    bool reduce(std::vector<EventSpan> &spans);

private:
    struct Outcome;
    enum class Way : std::int32_t { no_file, in_pieces, fixed_places };

    bool gather_away(RowSink *sink);
    bool agree_on_way(RowSink *sink);
    bool agree_on_writers();
    bool rows_to_file(RowSink *sink, std::span<EventSpan> spans);
    bool all_good(RowSink *sink, bool &good);
    bool spans_from_file(std::span<EventSpan> spans);
    bool send_row();
    bool receive_rows(RowSink &sink, std::span<EventSpan> spans);
    bool receive_row(std::size_t process, RowSink &sink, std::span<EventSpan> spans);
    void take_piece(std::size_t process, std::size_t first, const Row &piece, RowSink &sink,
                    std::span<EventSpan> spans);
    void take_raster(int process, std::span<const signed char> kinds, RowSink &sink);
    void write_own_row();
    void make_spans(std::vector<EventSpan> &spans) const;
    template <class Action>
    void attempt(Action action);
    [[nodiscard]] bool writes(int index) const { return writers_[static_cast<std::size_t>(index)] != 0; }
    struct Part {
        std::size_t first, events;
    };
    [[nodiscard]] Part part_of(std::size_t writer, std::size_t writers) const; // of the events

    Group &group_;
    std::span<const std::int32_t> nodes_;
    OwnRow &row_;
    std::size_t events_;
    std::int64_t away_intervals_;
    Way way_ = Way::no_file;
    std::unique_ptr<RowFile> file_;
    std::vector<std::uint8_t> writers_; // by index: whether it writes its own row
    std::string error_;                 // of this process
};

} // namespace cpl_lb
