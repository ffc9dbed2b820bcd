// Calls that ask again and again whether something has come: one wait.
#include "profiling/session.hpp"

#include <ctime>

namespace cpl_lb::profiling {
namespace {

std::int64_t processor_time_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace

// The process may lose its processor between two polls, or sleep: that is no work of the model, so that what counts
// of a longer gap is the time that the thread computed in it.
void Session::poll_begins(std::uint64_t begin, std::uint64_t what) {
    if (polling_ && polled_ != what) abandon_poll();
    polled_ = what;
    if (polling_ && begin - poll_end_ > longest_gap_ &&
        processor_time_ns() - processor_ns_ > longest_gap_ns + longest_gap_ns / 5)
        abandon_poll();
}

void Session::poll_failed(std::uint64_t begin, std::uint64_t end) {
    is_exchange();
    if (!polling_) {
        poll_begin_ = begin;
        poll_ticks_ = 0;
        poll_class_ = class_;
    }
    poll_ticks_ += end - begin;
    poll_end_ = end;
    // A system call: not at every poll.
    if (!polling_ || end - processor_read_ > longest_gap_ / 5) {
        processor_ns_ = processor_time_ns();
        processor_read_ = end;
    }
    polling_ = true;
}

// As one call, at the end of the last one.
void Session::abandon_poll() {
    polling_ = false;
    cpl_lb_inside(poll_class_, poll_end_ - poll_ticks_, poll_end_);
}

} // namespace cpl_lb::profiling
