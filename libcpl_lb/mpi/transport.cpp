// Divides data into pieces, and checks lengths and deadlines of messages.
#include "mpi/transport.hpp"

#include "support/fmt.hpp"
#include "support/memory_reserve.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace cpl_lb {
namespace {

// Longer data is sent in pieces, so that messages take little memory beside the caller's.
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr std::size_t pieces_at_once = 2;
// The first message of data of any length: small enough to be sent without asking the receiver first.
constexpr std::size_t head_bytes = 2048;
constexpr std::chrono::microseconds longest_sleep_of_messages{2000};
constexpr int distress_tag = 18; // and 19, of cpl_lb_terminate

std::int64_t in_ns(double seconds) {
    return static_cast<std::int64_t>(std::clamp(seconds, 0.0, longest_wait_s) * 1e9);
}

} // namespace

std::int64_t Transport::ns_after(double seconds) {
    return now_ns() + in_ns(seconds);
}

Letter Transport::begun(std::unique_ptr<UnderWay> message) {
    if (!message) broken_ = true;
    return Letter(std::move(message));
}

// If a process was stopped for a while, the others may have gone on: then nobody takes its messages.
Letter Transport::start_send(int to, int tag, std::span<const std::byte> data) {
    if (distress_came()) return {};
    if (!has_room_for_messages()) throw std::bad_alloc();
    auto message = carrier_->start_send(to, tag, data);
    heard_ = heard_ || message;
    return begun(std::move(message));
}

Letter Transport::start_receive(int from, int tag, std::size_t size) {
    if (!has_room_for_messages()) throw std::bad_alloc();
    return begun(carrier_->start_receive(from, tag, size));
}

void Transport::check() const {
    if (failed()) throw MessageFailed();
}

void Transport::wait(std::span<Letter> letters) {
    check();
    const std::int64_t deadline = ns_after(timeout_s_);
    Patience patience(longest_sleep_of_messages, yields_);
    const auto all_done = [&] {
        bool done = true;
        for (Letter &l : letters)
            if (!test(l)) done = false;
        return done || distress_came();
    };
    while (!all_done()) {
        if (now_ns() > deadline) {
            timed_out_ = true;
            break;
        }
        pause(patience, deadline);
    }
    check();
}

bool Transport::distress_came() {
    if (!distress_.under_way() || !test(distress_)) return false;
    distressed_ = broken_ = true;
    return true;
}

void Transport::watch_for_distress() {
    heard_ = false;
    if (!distress_.under_way()) distress_ = start_receive(any_rank, distress_tag + watched_, 0);
}

void Transport::send_distress() noexcept {
    for (int r = 0; r < size(); ++r)
        if (r != rank()) carrier_->send_empty(r, distress_tag + watched_);
}

// Processes of one build agree on lengths. If not, one of them is in trouble.
void Transport::check_length(std::size_t came, std::size_t awaited) {
    if (came == awaited) return;
    if (wrong_length_.empty()) wrong_length_ = fmt::format("a message has {} bytes instead of {}", came, awaited);
    broken_ = true;
    check();
}

// The next piece is under way while the one before is waited for.
void Transport::send(int to, int tag, std::span<const std::byte> data) {
    std::array<Letter, pieces_at_once> pieces;
    std::size_t turn = 0;
    do {
        const std::size_t size = std::min(piece_bytes, data.size());
        wait(pieces[turn]);
        pieces[turn] = start_send(to, tag, data.first(size));
        data = data.subspan(size);
        turn = (turn + 1) % pieces_at_once;
    } while (!data.empty());
    wait(pieces);
}

void Transport::receive(int from, int tag, std::span<std::byte> data) {
    receive_pieces(from, tag, data.size(), [&](std::span<const std::byte> piece) {
        std::copy(piece.begin(), piece.end(), data.begin());
        data = data.subspan(piece.size());
    });
}

// Calls take(piece) for each piece. The next one is requested while the current one is awaited.
template <class Take>
void Transport::receive_pieces(int from, int tag, std::size_t size, Take take) {
    std::array<Letter, pieces_at_once> pieces;
    std::size_t asked = 0;
    const auto ask = [&](Letter &piece) {
        const std::size_t next = std::min(piece_bytes, size - asked);
        piece = start_receive(from, tag, next);
        asked += next;
    };
    std::size_t turn = 0;
    check();
    for (Letter &piece : pieces)
        if (asked < size || &piece == pieces.data()) ask(piece);
    std::size_t taken = 0;
    do {
        Letter &piece = pieces[turn];
        wait_for(piece, std::min(piece_bytes, size - taken));
        take(piece.data());
        taken += piece.data().size();
        if (asked < size) ask(piece);
        turn = (turn + 1) % pieces_at_once;
    } while (taken < size);
}

void Transport::receive_into(int from, int tag, std::size_t size,
                             const std::function<std::span<std::byte>(std::size_t)> &room) {
    std::size_t taken = 0;
    receive_pieces(from, tag, size, [&](std::span<const std::byte> piece) {
        const std::span<std::byte> all = room(taken + piece.size());
        std::copy(piece.begin(), piece.end(), all.subspan(taken).begin());
        taken += piece.size();
    });
}

void Transport::send_all(int to, int tag, std::span<const std::byte> data) {
    const std::size_t size = data.size();
    const std::span<const std::byte> first = data.first(std::min(size, head_bytes - sizeof size));
    std::array<std::byte, head_bytes> head; // NOLINT(*-member-init): written as far as it is sent
    std::memcpy(head.data(), &size, sizeof size);
    std::copy(first.begin(), first.end(), head.begin() + sizeof size);
    send(to, tag, std::span(head).first(sizeof size + first.size()));
    if (first.size() < size) send(to, tag, data.subspan(first.size()));
}

// Memory is reserved as the length says, but written only as the data comes.
void Transport::receive_all(int from, int tag, Bytes &data) {
    check();
    Letter letter = start_receive(from, tag, head_bytes);
    wait(letter);
    WireReader in(letter.data());
    const auto size = in.get<std::size_t>();
    const std::size_t first = std::min(size, head_bytes - sizeof size);
    check_length(letter.data().size(), sizeof size + first);
    if (size > data.max_size()) check_length(size, data.max_size());
    data.clear();
    data.reserve(size);
    const auto append = [&](std::span<const std::byte> piece) {
        data.insert(data.end(), piece.begin(), piece.end());
    };
    append(letter.data().subspan(sizeof size));
    if (first < size) receive_pieces(from, tag, size - first, append);
}

} // namespace cpl_lb
