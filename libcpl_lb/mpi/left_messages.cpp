// A list of requests, and the last thing done with them.
#include "mpi/left_messages.hpp"

#include "mpi/carrier.hpp"
#include "mpi/patience.hpp"
#include "mpi/receive_unread.hpp"
#include "mpi/when_freed.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <vector>

namespace cpl_lb {
namespace {

// MPI_Finalize waits for the other processes, too, and without a limit.
constexpr double longest_wait_for_others_s = 60;
// From a process's last word until a message that it sent before is here: it may be large.
constexpr double longest_way_s = 0.5;
struct LeftMessage {
    MPI_Request request;
    int source;
};
std::vector<LeftMessage> left;

class LastReceipts {
public:
    explicit LastReceipts(MPI_Comm comm) : comm_(comm) {}

    // Two processes may each have left a message to the other: both receive while they wait.
    bool all_finished() {
        receive_unread(comm_, MPI_ANY_TAG, [&](int source, int tag) {
            if (tag == last_word_tag && silent_.insert(source).second) last_word_ = deadline_in(longest_way_s);
        });
        std::erase_if(left, [](LeftMessage &message) {
            int done = 0;
            return MPI_Test(&message.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
        });
        const bool in_time = std::chrono::steady_clock::now() < last_word_;
        return std::ranges::none_of(left, [&](const LeftMessage &message) {
            return message.source == any_rank || in_time || !silent_.contains(message.source);
        });
    }

private:
    MPI_Comm comm_;
    std::set<int> silent_;
    SteadyTime last_word_;
};

void finish(MPI_Comm comm) {
    constexpr std::chrono::microseconds longest_sleep{2000};
    if (left.empty()) return receive_unread(comm, MPI_ANY_TAG);
    LastReceipts last(comm);
    static_cast<void>(
        wait_until(deadline_in(longest_wait_for_others_s), longest_sleep, [&] { return last.all_finished(); }));
}

} // namespace

void finish_messages_at_the_end(MPI_Comm comm) {
    when_freed(MPI_COMM_SELF, [comm] { finish(comm); });
}

void leave_message(MPI_Request request, int source,
                   std::unique_ptr<std::byte[]> memory) noexcept { // NOLINT(*-avoid-c-arrays)
    static_cast<void>(memory.release());
    try {
        left.push_back({request, source});
    } catch (const std::bad_alloc &) {
        MPI_Request_free(&request);
    }
}

} // namespace cpl_lb
