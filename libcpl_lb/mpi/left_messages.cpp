// A list of requests, and the last thing done with them.
#include "mpi/left_messages.hpp"

#include "mpi/carrier.hpp"
#include "mpi/patience.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <set>
#include <vector>

namespace cpl_lb {
namespace {

// MPI_Finalize waits for the other processes, too, and has no limit.
constexpr double longest_wait_for_others_s = 60;
// How long a message may take that a process sent before its last word: it may be large.
constexpr double longest_way_s = 0.5;
struct LeftMessage {
    MPI_Request request;
    int source;
};
std::vector<LeftMessage> left;

class LastReceipts {
public:
    explicit LastReceipts(MPI_Comm comm) : comm_(comm) {}

    // Two processes may each have left a message to the other, so both receive while they wait.
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

namespace {

bool receive_one(MPI_Comm comm, int tag, const std::function<void(int, int)> &came) {
    int found = 0;
    int bytes = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status) != MPI_SUCCESS || found == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    auto memory =
        std::make_unique<std::byte[]>(static_cast<std::size_t>(std::max(bytes, 0))); // NOLINT(*-avoid-c-arrays)
    // With the functions of all other messages of the library: tools that count MPI_Recv see the model's alone.
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_Irecv(memory.get(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm, &request);
    for (int done = 0; done == 0 && code == MPI_SUCCESS;)
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) {
        static_cast<void>(memory.release()); // MPI may still write to it
        return false;
    }
    came(status.MPI_SOURCE, status.MPI_TAG);
    return true;
}

} // namespace

// A probe looks once at what has come, and another message may follow the one that it finds.
void receive_unread(MPI_Comm comm, int tag, const std::function<void(int, int)> &came) {
    constexpr int looks = 20;
    for (int in_vain = 0; in_vain < looks; ++in_vain)
        if (receive_one(comm, tag, came)) in_vain = -1;
}

extern "C" {
static int cpl_lb_communicator_ends(MPI_Comm /*comm*/, int /*key*/, void *value, void * /*extra*/) {
    const std::unique_ptr<std::function<void()>> then(static_cast<std::function<void()> *>(value));
    try {
        (*then)();
    } catch (const std::bad_alloc &) { // the model ends: MPI reports what is left
    }
    return MPI_SUCCESS;
}
}

bool when_freed(MPI_Comm comm, std::function<void()> then) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_communicator_ends, &key, nullptr);
    if (key == MPI_KEYVAL_INVALID) return false;
    stay_loaded(); // MPI calls this library later, even if everything else fails here
    auto value = std::make_unique<std::function<void()>>(std::move(then));
    const bool set = MPI_Comm_set_attr(comm, key, value.get()) == MPI_SUCCESS;
    if (set) static_cast<void>(value.release());
    MPI_Comm_free_keyval(&key); // the attribute keeps it alive
    return set;
}

} // namespace cpl_lb
