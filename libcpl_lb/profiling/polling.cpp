// Calls that ask again and again whether something has come: one wait.
#include "profiling/session.hpp"

#include <algorithm>
#include <ctime>

namespace cpl_lb::profiling {
namespace {

// A wait is not over for a gap that is a tenth of it, or less.
constexpr std::uint64_t shortest_wait_by_gap = 10;

std::int64_t processor_time_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace

// The process may lose its processor between two polls, or sleep: that is no work of the model, so that what counts
// of a longer gap is the time that the thread computed in it. Part of that is the system's: an interrupt, or a
// machine that several share, takes some 300 microseconds at once. So a long wait goes on behind a short gap, without
// its time.
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

void Session::message_found(const Crossing &message, std::uint64_t begin, std::uint64_t end) {
    poll_over();
    probe_over();
    is_exchange();
    found_ = {message, begin, end, calls_};
}

// The time between the probe and the receive, such as for the message's memory, is no wait.
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
