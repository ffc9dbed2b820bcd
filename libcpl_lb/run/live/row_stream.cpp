// Asks for pieces ahead of the one that is worked on, across the borders of rows.
#include "run/live/row_stream.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::int64_t piece_events = std::int64_t{1} << 14U; // 256 KiB
constexpr std::size_t pieces_ahead = 16;
constexpr std::size_t sends_at_once = 4;

std::size_t events_in(EventRange events) {
    return static_cast<std::size_t>(events.end - events.first);
}

// The events of a row in pieces that are sent as one message each: their starts, then their stops.
std::deque<EventRange> in_pieces(std::size_t events) {
    std::deque<EventRange> pieces;
    const auto end = static_cast<std::int64_t>(events);
    for (std::int64_t first = 0; first < end; first += piece_events)
        pieces.push_back({first, std::min(first + piece_events, end)});
    return pieces;
}

} // namespace

void send_row(Group &group, OwnRow &own) {
    Transport &t = group.transport();
    const int leader = group.ranks().front();
    Letter told = t.start_receive(leader, row_tag, 0);
    const Row &row = own.whole();
    const std::span<const signed char> picture = own.raster(); // painted before this process may begin
    t.wait(told);
    std::array<Letter, sends_at_once> sends;
    std::size_t turn = 0;
    for (const EventRange &events : in_pieces(row.start.size())) {
        t.wait(sends[turn]);
        std::vector<Nanoseconds> times(row.start.begin() + events.first, row.start.begin() + events.end);
        times.insert(times.end(), row.stop.begin() + events.first, row.stop.begin() + events.end);
        sends[turn] = t.start_send(leader, row_tag, std::as_bytes(std::span(times)));
        turn = (turn + 1) % sends_at_once;
    }
    t.wait(sends);
    t.send(leader, row_tag, std::as_bytes(picture));
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
            of_sender_ = in_pieces(receiver_.events);
            of_sender_.push_back({});
            static_cast<void>(t.start_send(rank_at(group_, next), row_tag, {}));
        } else {
            return;
        }
    }
}

void RowStream::ask_for(int process, EventRange events) {
    const std::size_t bytes = events.empty() ? receiver_.picture_bytes : 2 * sizeof(Nanoseconds) * events_in(events);
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
    const std::size_t half = sizeof(Nanoseconds) * events_in(came.events);
    if (bytes.size() != 2 * half) throw DamagedMessage("a row");
    piece_.start.resize(events_in(came.events));
    piece_.stop.resize(piece_.start.size());
    std::memcpy(piece_.start.data(), bytes.data(), half);
    std::memcpy(piece_.stop.data(), bytes.data() + half, half);
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

void RowStream::finish() {
    if (damage_) std::rethrow_exception(damage_);
    while (!under_way_.empty()) {
        group_.transport().wait(under_way_.front().letter);
        take_first();
    }
}

} // namespace cpl_lb
