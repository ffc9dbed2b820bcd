// Treats calls that ask repeatedly whether something has come as one wait.
#include "profiling/session.hpp"

#include <algorithm>
#include <ctime>

namespace cpl_lb::profiling {
namespace {

// A gap of at most a tenth of the wait does not end it.
constexpr std::uint64_t shortest_wait_by_gap = 10;

std::int64_t processor_time_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace

// Between two polls the process may lose its processor or sleep, which is no work of the model. So only the time that
// the thread computed counts as a gap. Part of that is the system's: an interrupt, or a shared machine, may take 300
// microseconds at once. So a long wait continues after a short gap, and the gap is left out of it.
void Session::poll_begins(std::uint64_t begin, std::uint64_t what) {
    if (polling_ && polled_ != what) abandon_poll();
    polled_ = what;
    if (!polling_ || begin - poll_end_ <= longest_gap_) return;
    const std::int64_t computed_ns = processor_time_ns() - processor_ns_;
    if (computed_ns <= longest_gap_ns + longest_gap_ns / 5) return;
    const auto computed = static_cast<std::uint64_t>(static_cast<double>(computed_ns) *
                                                     static_cast<double>(longest_gap_) / longest_gap_ns);
    if (computed > (poll_end_ - poll_begin_) / shortest_wait_by_gap) return abandon_poll();
    poll_begin_ += std::min(computed, begin - poll_end_);
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
    // This is a system call, so it is not made at every poll.
    if (!polling_ || end - processor_read_ > longest_gap_ / 5) {
        processor_ns_ = processor_time_ns();
        processor_read_ = end;
    }
    polling_ = true;
}

// Recorded as one call, at the end of the last poll.
void Session::abandon_poll() {
    polling_ = false;
    cpl_lb_inside(poll_class_, poll_end_ - poll_ticks_, poll_end_);
}

void Session::message_found(const Crossing &message, std::uint64_t begin, std::uint64_t end) {
    poll_over();
    probe_over();
    is_exchange();
    found_ = {message, begin, end, calls_};
}

// The time between the probe and the receive, for example to allocate the message, is not part of the wait.
std::uint64_t Session::waited_since(int field, std::uint64_t begin) {
    if (found_.message.field <= 0 || found_.message.field != field || calls_ != found_.call + 1) return begin;
    const std::uint64_t wait = found_.end - found_.begin;
    found_ = {};
    return begin - wait;
}

void Session::tell_probe() {
    Found probe = found_;
    found_ = {};
    probe.message.how = logged_next;
    span(CPL_LB_GET, probe.message, probe.begin, probe.end);
}

} // namespace cpl_lb::profiling
