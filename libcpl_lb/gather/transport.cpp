#include "gather/transport.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace cpl_lb {
namespace {

// Longer data goes in pieces, so that what messages hold beside their caller is small.
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr std::size_t pieces_at_once = 2;
// The first message of data of any length: small enough to be sent without asking the receiver first.
constexpr std::size_t head_bytes = 2048;
constexpr std::chrono::microseconds longest_sleep_of_messages{2000};
constexpr int distress_tag = 18; // and 19, of cpl_lb_terminate

} // namespace

SteadyTime deadline_in(double seconds) {
    // A year is for ever here, and far from what the clock's type can hold.
    const double bounded = std::clamp(seconds, 0.0, 3.2e7);
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(bounded));
}

Transport::Transport(MPI_Comm comm, double timeout_s) : comm_(comm), timeout_s_(timeout_s) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

void Transport::note_error(int code, const char *call) {
    if (code == MPI_SUCCESS || !first_error_.empty()) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    first_error_ = std::string(call) + ": " + std::string(text.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::replace(first_error_.begin(), first_error_.end(), '\n', ' ');
}

// An error with a request in hand may be only a warning: what counts is whether the message arrives in time.
Letter Transport::start_send(int to, int tag, std::span<const std::byte> data) {
    Letter letter;
    const int code = letter.start_send(comm_, to, tag, data);
    note_error(code, "MPI_Isend");
    if (code != MPI_SUCCESS && !letter.under_way()) broken_ = true;
    return letter;
}

Letter Transport::start_receive(int from, int tag, std::size_t size) {
    Letter letter;
    const int code = letter.start_receive(comm_, from, tag, size);
    note_error(code, "MPI_Irecv");
    if (code != MPI_SUCCESS && !letter.under_way()) broken_ = true;
    return letter;
}

bool Transport::test(Letter &letter, int *source) {
    bool done = false;
    note_error(letter.test(done, source), "MPI_Test");
    return done;
}

bool Transport::wait(std::span<Letter> letters) {
    if (failed()) return false;
    const auto all_done = [&] {
        bool done = true;
        for (Letter &l : letters)
            if (l.under_way() && !test(l)) done = false;
        return done || distress_came();
    };
    if (!wait_until(deadline_in(timeout_s_), longest_sleep_of_messages, all_done, yields_)) timed_out_ = true;
    return !failed();
}

bool Transport::distress_came() {
    if (!distress_.under_way() || !test(distress_)) return false;
    distressed_ = broken_ = true;
    return true;
}

void Transport::watch_for_distress() {
    if (!distress_.under_way()) distress_ = start_receive(MPI_ANY_SOURCE, distress_tag + watched_, 0);
}

void Transport::send_distress() noexcept {
    for (int r = 0; r < size_; ++r) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (r != rank_ && MPI_Isend(nullptr, 0, MPI_BYTE, r, distress_tag + watched_, comm_, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
    }
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
    std::array<Letter, pieces_at_once> pieces;
    std::span<std::byte> asked = data; // what no receive has been started for
    const auto ask = [&](Letter &piece) {
        const std::size_t size = std::min(piece_bytes, asked.size());
        piece = start_receive(from, tag, size);
        asked = asked.subspan(size);
    };
    std::size_t turn = 0;
    if (failed()) return false;
    for (Letter &piece : pieces)
        if (!asked.empty() || &piece == pieces.data()) ask(piece);
    do {
        Letter &piece = pieces[turn];
        if (!wait(piece)) return false;
        std::copy(piece.data().begin(), piece.data().end(), data.begin());
        data = data.subspan(piece.data().size());
        if (!asked.empty()) ask(piece);
        turn = (turn + 1) % pieces_at_once;
    } while (!data.empty());
    return true;
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

bool Transport::receive_all(int from, int tag, Bytes &data) {
    if (failed()) return false;
    Letter letter = start_receive(from, tag, head_bytes);
    if (!wait(letter)) return false;
    const auto size = WireReader(letter.data()).get<std::size_t>();
    const auto first = letter.data().subspan(sizeof size, std::min(size, head_bytes - sizeof size));
    data.resize(size);
    std::copy(first.begin(), first.end(), data.begin());
    return first.size() == size || receive(from, tag, std::span(data).subspan(first.size()));
}

} // namespace cpl_lb
