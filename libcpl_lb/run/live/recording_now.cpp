// The balance while the model runs: the waiting of this process, and that of the processes of a communicator.
#include "cpl_lb/cpl_lb.h"
#include "mpi/left_messages.hpp"
#include "mpi/mpi_carrier.hpp"
#include "run/live/recording.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>

namespace cpl_lb {
namespace {

// The ranks in the library's own communicator, by the model's: translating them takes as long as all messages. MPI
// may reuse a handle, so an entry is removed with its communicator. Never destroyed, because MPI ends later.
class KnownCommunicators {
public:
    NumberList ranks(MPI_Comm comm, MPI_Comm own) {
        const std::lock_guard lock(mutex_);
        if (const auto found = ranks_.find(comm); found != ranks_.end()) return found->second;
        NumberList ranks = ascending(ranks_in(own, comm));
        if (when_freed(comm, [this, comm] { forget(comm); })) ranks_.emplace(comm, ranks);
        return ranks;
    }

private:
    // Without the processes that are not recorded.
    static NumberList ascending(const NumberList &all) {
        std::vector<std::int32_t> ranks = all.all();
        std::erase(ranks, MPI_UNDEFINED);
        std::ranges::sort(ranks);
        return ranks;
    }
    void forget(MPI_Comm comm) {
        const std::lock_guard lock(mutex_);
        ranks_.erase(comm);
    }

    std::mutex mutex_;
    std::map<MPI_Comm, NumberList> ranks_;
};

KnownCommunicators &known_communicators() {
    static auto *const all = new KnownCommunicators;
    return *all;
}

} // namespace

// The library's own time is neither computing nor waiting of the model.
class Recording::OwnTime {
public:
    explicit OwnTime(Recording &recording) : recording_(recording), begin_(now()) {}
    ~OwnTime() {
        Recorder *const recorder = recording_.recorder();
        if (recorder == nullptr) return;
        const std::uint64_t ticks = now() - begin_;
        recording_.recent_steps_.add_own_time(ticks);
        ++recorder->problems().balance_calls;
        recorder->problems().balance_ticks += ticks;
    }
    OwnTime(const OwnTime &) = delete;
    OwnTime &operator=(const OwnTime &) = delete;

private:
    [[nodiscard]] std::uint64_t now() const { return read_ticks(recording_.record_.clock_source); }

    Recording &recording_;
    std::uint64_t begin_;
};

// Measuring takes longer than all else here, so it is done again only when the run is twice as long, and twice as
// exact.
double Recording::rate_now() {
    const std::uint64_t passed = read_ticks(record_.clock_source) - record_.first_point.ticks;
    if (rate_ <= 0 || passed / 2 > rate_passed_) {
        rate_ = ticks_per_s();
        rate_passed_ = passed;
    }
    return rate_;
}

RecentTimes Recording::recent_times(std::size_t steps) {
    const OwnTime own(*this);
    return recent_steps_.last(*record_.recorder, steps, rate_now());
}

BalanceNow Recording::own_balance(std::size_t steps) {
    BalanceNow mine;
    mine.name = component_here();
    mine.processes = 1;
    const auto properties = record_.properties.find(component_here());
    mine.io_servers = properties != record_.properties.end() && properties->second.is_io_server ? 1 : 0;
    if (drops() || steps == 0) return mine;
    RecentTimes times;
    try {
        times = recent_steps_.last(*record_.recorder, steps, rate_now());
    } catch (const std::bad_alloc &) { // the others wait: this process is not measured
        return mine;
    }
    mine.measured = times.steps > 0 ? 1 : 0;
    mine.steps = times.steps;
    mine.seconds = times.seconds;
    mine.waiting_s = times.waiting_s;
    mine.coupling_s = times.coupling_s;
    mine.own_s = times.own_s;
    const auto ns_ago = [&](std::uint64_t ticks) {
        return static_cast<std::int64_t>(1e9 * static_cast<double>(read_ticks(record_.clock_source) - ticks) /
                                         rate_now());
    };
    const std::int64_t now_ns = static_cast<std::int64_t>(monotonic_ns()) + record_.first_offset.offset;
    mine.from_ns = now_ns - ns_ago(times.from_ticks);
    mine.to_ns = now_ns - ns_ago(times.to_ticks);
    return mine;
}

std::optional<ComponentsNow> Recording::balance_now(MPI_Comm comm, std::size_t steps, int &code) {
    const OwnTime own(*this);
    if (now_ == nullptr)
        now_ = std::make_unique<Transport>(std::make_unique<MpiCarrier>(comm_), record_.settings.timeout_s);
    std::optional<ComponentsNow> now;
    if (!now_->failed() && !now_gave_up_) {
        now_gave_up_ = true; // unless all goes well: after half an exchange the next one would receive its messages
        Group group(*now_, known_communicators().ranks(comm, comm_), balance_now_tag);
        try {
            if (group.has(now_->rank())) now = agree_on_now(group, own_balance(steps));
        } catch (const MessageFailed &) { // now_ knows why
            now.reset();
        }
        now_gave_up_ = !now;
    }
    code = now ? CPL_LB_OK : now_->timed_out() ? CPL_LB_ETIMEOUT : CPL_LB_EMPI;
    return now;
}

} // namespace cpl_lb
