// Asks for pieces ahead of the one that is worked on, across the borders of rows.
#include "run/live/row_stream.hpp"

#include "mpi/packed_times.hpp"
#include "run/live/unite.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::int64_t piece_events = std::int64_t{1} << 14U; // at most 272 KiB, packed
constexpr std::size_t pieces_ahead = 16;
constexpr std::size_t sends_at_once = 4;

std::size_t events_in(EventRange events) {
    return static_cast<std::size_t>(events.end - events.first);
}

template <class T>
std::span<const T> values_of(const std::vector<T> &values, EventRange events) {
    return std::span(values).subspan(static_cast<std::size_t>(events.first), events_in(events));
}

} // namespace

std::vector<EventRange> in_pieces(std::span<const EventRange> ranges) {
    std::vector<EventRange> pieces;
    for (EventRange r : ranges)
        for (; !r.empty(); r.first += piece_events)
            pieces.push_back({r.first, std::min(r.first + piece_events, r.end)});
    return pieces;
}

bool send_row(Group &group, OwnRow &own, std::span<const EventRange> pieces) {
    Transport &t = group.transport();
    const int leader = group.ranks().front();
    Letter told = t.start_receive(leader, row_tag, 0);
    const Row &row = own.whole();
    const std::span<const signed char> picture = own.raster(); // painted before this process may begin
    if (!t.wait(told)) return false;
    std::array<Letter, sends_at_once> sends;
    std::size_t turn = 0;
    Bytes packed;
    for (const EventRange &events : pieces) {
        pack_row(values_of(row.start, events), values_of(row.stop, events), packed);
        if (!t.wait(sends[turn])) return false;
        sends[turn] = t.start_send(leader, row_tag, packed);
        turn = (turn + 1) % sends_at_once;
    }
    return t.wait(sends) && t.send(leader, row_tag, std::as_bytes(picture));
}

RowStream::RowStream(Group &group, std::vector<int> senders, Receiver receiver)
    : group_(group), senders_(std::move(senders)), receiver_(std::move(receiver)) {
    ask();
}

void RowStream::ask() {
    Transport &t = group_.transport();
    while (under_way_.size() < pieces_ahead) {
        if (!of_sender_.empty()) {
            ask_for(senders_[asked_ - 1], of_sender_.front());
            of_sender_.pop_front();
        } else if (asked_ < senders_.size()) {
            const int next = senders_[asked_++];
            const std::vector<EventRange> pieces = receiver_.pieces_of(next);
            of_sender_.assign(pieces.begin(), pieces.end());
            of_sender_.push_back({});
            static_cast<void>(t.start_send(rank_at(group_, next), row_tag, {}));
        } else {
            return;
        }
    }
}

void RowStream::ask_for(int process, EventRange events) {
    const std::size_t bytes = events.empty() ? receiver_.picture_bytes : most_packed_row_bytes(events_in(events));
    const int from = rank_at(group_, process);
    under_way_.push_back({group_.transport().start_receive(from, row_tag, bytes), process, events});
}

void RowStream::take_first() {
    const Awaited came = std::move(under_way_.front());
    under_way_.pop_front();
    ask();
    const std::span<const std::byte> bytes = came.letter.data();
    if (came.events.empty()) {
        if (bytes.size() != receiver_.picture_bytes) throw DamagedMessage("a picture of a row");
        return receiver_.picture(came.process, {reinterpret_cast<const signed char *>(bytes.data()), bytes.size()});
    }
    piece_.start.resize(events_in(came.events));
    piece_.stop.resize(piece_.start.size());
    unpack_row(bytes, piece_.start, piece_.stop);
    receiver_.piece(came.process, static_cast<std::size_t>(came.events.first), piece_);
}

void RowStream::take_what_came() noexcept {
    Transport &t = group_.transport();
    try {
        while (!damage_ && !t.failed() && !under_way_.empty() && t.test(under_way_.front().letter))
            take_first();
    } catch (...) {
        damage_ = std::current_exception();
    }
}

bool RowStream::finish() {
    if (damage_) std::rethrow_exception(damage_);
    while (!under_way_.empty()) {
        if (!group_.transport().wait(under_way_.front().letter)) return false;
        take_first();
    }
    return true;
}

} // namespace cpl_lb
