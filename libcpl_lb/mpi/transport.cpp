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

bool Transport::wait(std::span<Letter> letters) {
    if (failed()) return false;
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
    return !failed();
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
bool Transport::has_length(std::size_t came, std::size_t awaited) {
    if (came == awaited) return true;
    if (wrong_length_.empty()) wrong_length_ = fmt::format("a message has {} bytes instead of {}", came, awaited);
    broken_ = true;
    return false;
}

// The next piece is under way while the one before is waited for.
bool Transport::send(int to, int tag, std::span<const std::byte> data) {
    std::array<Letter, pieces_at_once> pieces;
    std::size_t turn = 0;
    do {
        const std::size_t size = std::min(piece_bytes, data.size());
        if (!wait(pieces[turn])) return false;
        pieces[turn] = start_send(to, tag, data.first(size));
        data = data.subspan(size);
        turn = (turn + 1) % pieces_at_once;
    } while (!data.empty());
    return wait(pieces);
}

bool Transport::receive(int from, int tag, std::span<std::byte> data) {
    return receive_pieces(from, tag, data.size(), [&](std::span<const std::byte> piece) {
        std::copy(piece.begin(), piece.end(), data.begin());
        data = data.subspan(piece.size());
    });
}

// Calls take(piece) for each piece. The next one is requested while the current one is awaited.
template <class Take>
bool Transport::receive_pieces(int from, int tag, std::size_t size, Take take) {
    std::array<Letter, pieces_at_once> pieces;
    std::size_t asked = 0;
    const auto ask = [&](Letter &piece) {
        const std::size_t next = std::min(piece_bytes, size - asked);
        piece = start_receive(from, tag, next);
        asked += next;
    };
    std::size_t turn = 0;
    if (failed()) return false;
    for (Letter &piece : pieces)
        if (asked < size || &piece == pieces.data()) ask(piece);
    std::size_t taken = 0;
    do {
        Letter &piece = pieces[turn];
        if (!wait(piece) || !has_length(piece.data().size(), std::min(piece_bytes, size - taken))) return false;
        take(piece.data());
        taken += piece.data().size();
        if (asked < size) ask(piece);
        turn = (turn + 1) % pieces_at_once;
    } while (taken < size);
    return true;
}

bool Transport::receive_into(int from, int tag, std::size_t size,
                             const std::function<std::span<std::byte>(std::size_t)> &room) {
    std::size_t taken = 0;
    return receive_pieces(from, tag, size, [&](std::span<const std::byte> piece) {
        const std::span<std::byte> all = room(taken + piece.size());
        std::copy(piece.begin(), piece.end(), all.subspan(taken).begin());
        taken += piece.size();
    });
}

bool Transport::send_all(int to, int tag, std::span<const std::byte> data) {
    const std::size_t size = data.size();
    const std::span<const std::byte> first = data.first(std::min(size, head_bytes - sizeof size));
    std::array<std::byte, head_bytes> head; // NOLINT(*-member-init): written as far as it is sent
    std::memcpy(head.data(), &size, sizeof size);
    std::copy(first.begin(), first.end(), head.begin() + sizeof size);
    return send(to, tag, std::span(head).first(sizeof size + first.size())) &&
           (first.size() == size || send(to, tag, data.subspan(first.size())));
}

// Memory is reserved as the length says, but written only as the data comes.
bool Transport::receive_all(int from, int tag, Bytes &data) {
    if (failed()) return false;
    Letter letter = start_receive(from, tag, head_bytes);
    if (!wait(letter)) return false;
    WireReader in(letter.data());
    const auto size = in.get<std::size_t>();
    const std::size_t first = std::min(size, head_bytes - sizeof size);
    if (!has_length(letter.data().size(), sizeof size + first)) return false;
    if (size > data.max_size()) return has_length(size, data.max_size());
    data.clear();
    data.reserve(size);
    const auto append = [&](std::span<const std::byte> piece) {
        data.insert(data.end(), piece.begin(), piece.end());
    };
    append(letter.data().subspan(sizeof size));
    return first == size || receive_pieces(from, tag, size - first, append);
}

} // namespace cpl_lb
