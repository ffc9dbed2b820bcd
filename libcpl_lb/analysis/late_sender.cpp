// Converts the sums of partners to shares of the core time and to figures of a step.
#include "analysis/late_sender.hpp"

#include <vector>

namespace cpl_lb {
namespace {

constexpr double waited_from = 0.02;   // of the component's core time: less is not reported
constexpr double more_than_next = 1.5; // how much more others wait for it than for the next process
constexpr std::int64_t again_and_again = 10;

bool knows_waits(const Component &c) {
    return c.inside.known() && c.inside.traffic.known() && c.inside.length_s > 0 && !c.ranks.empty();
}

} // namespace

double share_of_core_time(const Component &c, double seconds) {
    return seconds / (static_cast<double>(c.ranks.size()) * c.inside.length_s);
}

const WaitedFor *late_sender(const Component &c) {
    const std::vector<WaitedFor> &all = c.inside.traffic.waited_for;
    if (!knows_waits(c) || all.empty()) return nullptr;
    const WaitedFor &most = all.front();
    const bool enough = most.waits >= again_and_again && share_of_core_time(c, most.in_loop_s) >= waited_from;
    const bool stands_out = all.size() < 2 || most.in_loop_s >= more_than_next * all[1].in_loop_s;
    return enough && stands_out ? &most : nullptr;
}

double late_sender_share(const Component &c) {
    if (!knows_waits(c)) return unknown;
    const WaitedFor *const late = late_sender(c);
    return late == nullptr ? 0 : share_of_core_time(c, late->in_loop_s);
}

StepTraffic traffic_of_step(const Component &c) {
    StepTraffic of_step;
    const InsideTraffic &traffic = c.inside.traffic;
    if (!traffic.known() || c.balance.step_count < 1) return of_step;
    const auto steps = static_cast<double>(c.balance.step_count);
    const GroupPair sum = traffic.sum();
    of_step.messages = static_cast<double>(sum.messages + traffic.messages_to_others) / steps;
    // Bytes were not counted for partners that did not fit into the table.
    if (traffic.messages_to_others == 0) of_step.bytes = static_cast<double>(sum.bytes) / steps;
    return of_step;
}

} // namespace cpl_lb
