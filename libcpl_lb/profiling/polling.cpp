// Treats calls that ask repeatedly whether something has come as one wait (docs/definitions.md, section 1).
#include "profiling/session.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace cpl_lb::profiling {
namespace {

// A gap of at most a tenth of the wait does not end it.
constexpr std::uint64_t shortest_wait_by_gap = 10;
// Gaps up to a fifth of the longest one are the loop that asks, not computing.
constexpr std::uint64_t long_gap_part = 5;
// A thread that computes less than a fourth of a gap is asleep: to sleep and to wake up takes some 10 microseconds.
constexpr std::uint64_t asleep_part = 4;

std::int64_t processor_time_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace

// A wait may ask for several things in turn. Something new belongs to it if it is asked for soon.
void Session::poll_begins(std::uint64_t begin, std::uint64_t what, bool waits) {
    if (polling_ && !is_asked(what) && (waits || begin - poll_end_ > longest_gap_)) abandon_poll();
    polled_ = what;
    if (!polling_) return;
    const std::uint64_t gap = begin - poll_end_;
    ++gap_count_;
    if (gap > longest_gap_ / long_gap_part) {
        long_gaps_ += gap;
        ++long_gap_count_;
    }
    if (gap > longest_gap_) leave_out_computing(begin);
}

// Between two polls the process may lose its processor or sleep, which is no work of the model. So only what the
// thread computed in long gaps counts: its processor time, less all the time outside of these gaps. Part of that is
// the system's: an interrupt, or a shared machine, may take 300 microseconds at once. So a long wait goes on after
// it.
void Session::leave_out_computing(std::uint64_t now) {
    const std::int64_t ns = processor_time_ns();
    const auto thread = static_cast<std::uint64_t>(static_cast<double>(ns - processor_ns_) *
                                                   static_cast<double>(longest_gap_) / longest_gap_ns);
    const std::uint64_t gaps = std::exchange(long_gaps_, 0), count = std::exchange(long_gap_count_, 0);
    const std::uint64_t all = std::exchange(gap_count_, 0);
    const std::uint64_t elsewhere = now - processor_read_ - gaps;
    processor_ns_ = ns;
    processor_read_ = now;
    if (gaps == 0 || thread <= elsewhere) return;
    const std::uint64_t computed = std::min(thread - elsewhere, gaps);
    if (computed > longest_gap_ + longest_gap_ / long_gap_part &&
        computed > (poll_end_ - poll_begin_) / shortest_wait_by_gap)
        return abandon_poll();
    if (2 * count < all) return; // few long gaps among many are the system's
    // It may compute as before, and have lost its processor, too.
    const bool as_before = computes_in_gap_ > 0 && 2 * computed >= count * computes_in_gap_;
    if (computed > gaps / 2) computes_in_gap_ = computed / count;
    if (as_before || computed > gaps / asleep_part) poll_begin_ += gaps;
}

void Session::poll_failed(std::uint64_t begin, std::uint64_t end) {
    is_exchange();
    // It reads a clock by a system call, so not at every poll.
    if (polling_ && end - processor_read_ > longest_gap_ / long_gap_part) leave_out_computing(end);
    if (!polling_) {
        poll_begin_ = begin;
        processor_read_ = end;
        processor_ns_ = processor_time_ns();
        poll_ticks_ = long_gaps_ = long_gap_count_ = computes_in_gap_ = 0;
        asked_count_ = gap_count_ = 0;
        poll_class_ = class_;
        polling_ = true;
    }
    if (asked_count_ < asked_.size() && !is_asked_before(polled_)) asked_[asked_count_++] = polled_;
    poll_ticks_ += end - begin;
    poll_end_ = end;
}

void Session::poll_beside(std::uint64_t begin) {
    if (polling_) poll_begins(begin, polled_);
    if (!polling_) return;
    is_exchange();
    poll_end_ = now();
    poll_ticks_ += poll_end_ - begin;
}

std::uint64_t Session::poll_began(std::uint64_t begin) {
    if (polling_ && long_gaps_ > 0) leave_out_computing(now());
    return polling_ ? std::min(poll_begin_, begin) : begin;
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
