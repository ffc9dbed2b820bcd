// Which occurrences of the reference begin a coupling step: not those right after another one, and not set-up under
// the same name (docs/definitions.md, section 2, "Bursts").
#include "analysis/step_begins.hpp"

#include "analysis/intervals.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace cpl_lb {
namespace {

// The sizes of the groups of occurrences with less than that between them, in their order.
std::vector<std::size_t> burst_sizes(std::span<const Nanoseconds> apart, Nanoseconds right_after) {
    std::vector<std::size_t> bursts{1};
    for (const Nanoseconds gap : apart) {
        if (gap < right_after)
            ++bursts.back();
        else
            bursts.push_back(1);
    }
    return bursts;
}

// Many models send all their fields under one name: several exchanges right after each other, then a step of
// computing. Returns the number of exchanges that four of five bursts reach, because single exchanges come in
// between; 1: there are no bursts. `apart`: by occurrence, the computing between it and the next one.
std::size_t size_of_bursts(std::span<const Nanoseconds> apart, Nanoseconds right_after) {
    std::vector<std::size_t> bursts = burst_sizes(apart, right_after);
    bursts.pop_back(); // the last one may not be over
    if (bursts.empty()) return 1;
    const auto fifth = bursts.begin() + static_cast<std::ptrdiff_t>(bursts.size() / 5);
    std::nth_element(bursts.begin(), fifth, bursts.end());
    return *fifth;
}

// How long the component computed between each occurrence and the next one: waiting in other exchanges is left out.
std::vector<Nanoseconds> computing_between(std::span<const Occurrence> occurrences, const EventTable &events) {
    std::vector<Interval> waits;
    const auto [first, latest] = std::minmax(occurrences.front(), occurrences.back());
    for (Occurrence k = first; k <= latest; ++k) {
        const EventSpan span = events.spans[k];
        if (!span.empty() && is_exchange(events.keys.what(k).kind))
            waits.push_back({span.last_start, span.last_stop});
    }
    const auto before = [](const Interval &a, const Interval &b) { return a.start < b.start; };
    sort_nearly_sorted(waits, before);
    std::vector<Nanoseconds> between;
    Nanoseconds computed = 0; // until `left`
    Nanoseconds left = events.spans[occurrences.front()].last_start;
    Nanoseconds last = 0;
    std::size_t next = 0;
    for (const Occurrence &o : occurrences) {
        const Nanoseconds S = events.spans[o].last_start;
        for (; next < waits.size() && waits[next].start < S; ++next) {
            computed += std::max<Nanoseconds>(0, waits[next].start - left);
            left = std::max(left, waits[next].stop);
        }
        const Nanoseconds until = computed + std::max<Nanoseconds>(0, S - left);
        if (&o != &occurrences.front()) between.push_back(until - last);
        last = until;
    }
    return between;
}

// The mean, with the longest one of fifty reduced to the next one: a process that was stopped once is no pattern.
Nanoseconds usual_mean(std::vector<Nanoseconds> times) {
    const auto longest = times.end() - static_cast<std::ptrdiff_t>(2 + times.size() / 50);
    std::nth_element(times.begin(), longest, times.end());
    const Nanoseconds most = *longest;
    Nanoseconds sum = 0;
    for (const Nanoseconds t : times)
        sum += std::min(t, most);
    return sum / static_cast<Nanoseconds>(times.size());
}

// A header that is sent in each step may sometimes be sent twice: the second one begins no step. This is assumed if
// three or more, and at most a fifth, are repeated, and another exchange is as frequent as the rest.
std::vector<Occurrence> without_repeated(std::span<const Occurrence> occurrences, std::span<const Nanoseconds> apart,
                                         Nanoseconds right_after, const Occurs &occurs) {
    std::vector<Occurrence> rest{occurrences.front()};
    for (std::size_t n = 0; n < apart.size(); ++n)
        if (apart[n] >= right_after) rest.push_back(occurrences[n + 1]);
    if (rest.size() + 3 > occurrences.size() || 5 * rest.size() < 4 * occurrences.size()) return {};
    return occurs(static_cast<std::int64_t>(rest.size())) ? rest : std::vector<Occurrence>();
}

// Times at least as long as this one take half of all the time.
Nanoseconds half_of_all(std::span<const Nanoseconds> times) {
    std::vector<Nanoseconds> longest_first(times.begin(), times.end());
    std::ranges::sort(longest_first, std::greater());
    WideNanoseconds all = 0, so_far = 0;
    for (const Nanoseconds t : longest_first)
        all += t;
    for (const Nanoseconds t : longest_first)
        if (2 * (so_far += t) >= all) return t;
    return 0;
}

// Set-up, or what is sent at the end, may have the name that the steps have: many exchanges with nothing between them
// that a step computes, and soon over. Leaves as many of these as a step may have.
void leave_out_ends(std::vector<Occurrence> &occurrences, std::vector<Nanoseconds> &apart, const EventTable &events) {
    constexpr std::size_t many = 8;          // as few could be steps that happened to be short
    constexpr WideNanoseconds soon = 50;     // one of so many parts of the time of all
    constexpr Nanoseconds resolution = 1000; // of the clocks: who computes for less does not compute
    const std::vector<std::size_t> sizes = burst_sizes(apart, half_of_all(apart) / 10);
    if (sizes.size() < 4) return; // between the first and the last burst are two or more, which show the steps
    const std::size_t usual = *std::max_element(sizes.begin() + 1, sizes.end() - 1);
    const auto time = [&](std::size_t from, std::size_t to) {
        return events.spans[occurrences[to]].last_start - events.spans[occurrences[from]].last_start;
    };
    const auto are_none = [&](std::size_t from, std::size_t size) {
        if (size <= std::max(many, usual)) return false;
        const auto between = std::span(apart).subspan(from, size - 1);
        return *std::ranges::max_element(between) < resolution ||
               soon * time(from, from + size - 1) < time(0, apart.size());
    };
    const auto at = [](auto &list, std::size_t place) { return list.begin() + static_cast<std::ptrdiff_t>(place); };
    if (const std::size_t size = sizes.back(), from = occurrences.size() - size; are_none(from, size)) {
        occurrences.resize(from + usual);
        apart.resize(from + usual - 1);
    }
    if (const std::size_t size = sizes.front(); are_none(0, size)) {
        occurrences.erase(occurrences.begin(), at(occurrences, size - usual));
        apart.erase(apart.begin(), at(apart, size - usual));
    }
}

// Whether each half of the occurrences takes a tenth of the time or more.
bool are_even(std::span<const Occurrence> occurrences, const EventTable &events) {
    const auto S = [&](Occurrence o) { return events.spans[o].last_start; };
    const Nanoseconds middle = S(occurrences[occurrences.size() / 2]), begin = S(occurrences.front()),
                      end = S(occurrences.back());
    return WideNanoseconds{10} * std::min(middle - begin, end - middle) >= end - begin;
}

} // namespace

// Keeps the first occurrence of each burst. Parts of an interrupted burst are united up to the size of a burst.
void leave_step_begins(std::vector<Occurrence> &occurrences, const EventTable &events, const Occurs &occurs) {
    if (occurrences.size() < 6) return;
    // In a long run samples from the middle and both ends tell whether there are bursts, or set-up; nearly always
    // there are none.
    constexpr std::size_t enough = 4096;
    const auto has_bursts = [&](std::size_t from) {
        const std::vector<Nanoseconds> some = computing_between(std::span(occurrences).subspan(from, enough), events);
        return *std::ranges::min_element(some) < usual_mean(some) / 10;
    };
    const std::size_t size = occurrences.size();
    if (size > 2 * enough && are_even(occurrences, events) && !has_bursts((size - enough) / 2) && !has_bursts(0) &&
        !has_bursts(size - enough))
        return;
    std::vector<Nanoseconds> apart = computing_between(occurrences, events);
    leave_out_ends(occurrences, apart, events);
    const Nanoseconds right_after = usual_mean(apart) / 10;
    const std::size_t usual = size_of_bursts(apart, right_after);
    if (usual < 2) {
        const auto rest = without_repeated(occurrences, apart, right_after, occurs);
        if (!rest.empty()) occurrences = rest;
        return;
    }
    std::vector<Occurrence> first{occurrences.front()};
    std::size_t in_burst = 1;
    for (std::size_t n = 0; n < apart.size(); ++n) {
        if (apart[n] < right_after || in_burst < usual) {
            ++in_burst;
            continue;
        }
        first.push_back(occurrences[n + 1]);
        in_burst = 1;
    }
    occurrences = std::move(first);
}

} // namespace cpl_lb
