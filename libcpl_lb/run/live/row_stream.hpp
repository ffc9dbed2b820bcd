// Rows on their way to the leader of a group: in pieces, with several under way, from one process after the other. A
// process begins when the leader asks it: rows that are sent earlier would lie in the leader's memory, and that must
// not grow with the processes.
#pragma once

#include "io/timeline/row_file.hpp"
#include "mpi/group.hpp"
#include "run/live/own_row.hpp"

#include <deque>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

inline constexpr int row_tag = 16;

// Sends this process's row, then its picture.
void send_row(Group &group, OwnRow &row);

// The leader's side.
class RowStream {
public:
    struct Receiver {
        std::size_t events = 0; // in each row
        std::function<void(int process, std::size_t first_event, const Row &piece)> piece;
        std::function<void(int process, std::span<const signed char> kinds)> picture;
        std::size_t picture_bytes = raster_bins; // of each process
    };
    // Asks the first of the senders. senders: ascending indices in the group.
    RowStream(Group &group, std::vector<int> senders, Receiver receiver);

    // Takes the pieces that have come. Never waits or throws; finish() throws later.
    void take_what_came() noexcept;
    // Waits until all pieces have come. Throws DamagedMessage, too.
    void finish();

private:
    struct Awaited {
        Letter letter;
        int process;
        EventRange events; // empty: the picture
    };
    void ask();
    void ask_for(int process, EventRange events);
    void take_first();

    Group &group_;
    std::vector<int> senders_;
    Receiver receiver_;
    std::size_t asked_ = 0;            // the number of senders asked
    std::deque<EventRange> of_sender_; // pieces of the last one asked that are still to ask for; empty range: picture
    std::deque<Awaited> under_way_;
    Row piece_; // reused
    std::exception_ptr damage_;
};

} // namespace cpl_lb
