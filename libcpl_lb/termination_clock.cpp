// The part of cpl_lb_terminate that brings all times onto one clock.
#include "cpl_lb/cpl_lb.h"
#include "termination.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cpl_lb {
namespace {

struct RunSpan {
    std::int64_t first_init;
    std::int64_t last_terminate;
    std::int64_t clock_bound;
    double simulated_s;
};

void widen(RunSpan &mine, const RunSpan &theirs) {
    mine.first_init = std::min(mine.first_init, theirs.first_init);
    mine.last_terminate = std::max(mine.last_terminate, theirs.last_terminate);
    mine.clock_bound = std::max(mine.clock_bound, theirs.clock_bound);
    mine.simulated_s = std::max(mine.simulated_s, theirs.simulated_s);
}

// Crystals differ by some ten ppm, and the kernel turns a clock by at most 500 ppm to bring it to time.
constexpr double largest_drift = 1e-3;

struct BoundOf {
    std::int32_t index;
    double bound_s;
};

} // namespace

bool Termination::agree_on_clock(Group &present) {
    ClockOffset last;
    const bool is_reference = r_.layout_.node_of_rank[static_cast<std::size_t>(present_.front())] == 0;
    const ClockOffset reference = is_reference ? ClockOffset{} : r_.first_offset_;
    if (!measure_offset(present, r_.layout_, reference, last)) return false;
    clock_ = CommonClock(r_.first_offset_, last);
    if (leads_node(present)) note_stepped_clock(last);
    RunSpan span{clock_.to_common(r_.first_point_.monotonic_ns), clock_.to_common(arrival_.monotonic_ns),
                 own_clock_bound_ns(), simulated_s_};
    if (!present.reduce(std::span(&span, 1), widen) || !present.broadcast(as_wire_out(span))) return false;
    zero_ = span.first_init;
    latest_arrival_ = span.last_terminate - zero_;
    clock_bound_ns_ = span.clock_bound;
    simulated_s_ = span.simulated_s > 0.0 ? span.simulated_s : r_.settings_.simulated_s;
    return true;
}

// What is not known of this process's times: the offset, and how long its clock took to be read at both ends.
std::int64_t Termination::own_clock_bound_ns() const {
    return clock_.bound() + (scale_.length_ns(arrival_.gap_ticks) + 1) / 2;
}

// One process of each node has something to say about its clock.
bool Termination::leads_node(const Group &present) const {
    const auto node_of = [&](int rank) { return r_.layout_.node_of_rank[static_cast<std::size_t>(rank)]; };
    const int here = r_.transport_.rank();
    const auto first = std::find_if(present.ranks().begin(), present.ranks().end(),
                                    [&](int rank) { return node_of(rank) == node_of(here); });
    return *first == here;
}

void Termination::note_stepped_clock(const ClockOffset &last) {
    const auto gained = static_cast<double>(r_.first_offset_.offset - last.offset);
    const auto passed = static_cast<double>(arrival_.monotonic_ns - r_.first_point_.monotonic_ns);
    const auto unsure = static_cast<double>(r_.first_offset_.bound + last.bound);
    if (std::abs(gained) <= unsure + largest_drift * std::abs(passed)) return;
    problem(
        CPL_LB_EDATA,
        fmt::format("the clock of a node {} {:.3g} s against that of the others, more than a clock drifts (was the "
                    "machine asleep?): times of its processes are off by up to that",
                    gained > 0 ? "gained" : "lost", 1e-9 * std::abs(gained)));
}

// On the leader, in the order of the group.
bool Termination::gather_clock_bounds(Group &group, std::vector<double> &bounds_s) const {
    WireWriter out;
    out.put(BoundOf{group.index(), to_seconds(own_clock_bound_ns())});
    Bytes all = out.take();
    const auto append = [](Bytes &mine, const Bytes &theirs) {
        mine.insert(mine.end(), theirs.begin(), theirs.end());
    };
    if (!group.combine_up(all, append)) return false;
    if (!group.leads()) return true;
    bounds_s.assign(static_cast<std::size_t>(group.size()), unknown);
    for (WireReader in(all); !in.done();) {
        const auto of = in.get<BoundOf>();
        if (of.index >= 0 && of.index < group.size()) bounds_s[static_cast<std::size_t>(of.index)] = of.bound_s;
    }
    return true;
}

} // namespace cpl_lb
