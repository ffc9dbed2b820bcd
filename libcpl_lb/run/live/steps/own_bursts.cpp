// Takes the computing between each two exchanges of the process from its own times.
#include "run/live/steps/tie_messages.hpp"

#include "data/kinds.hpp"
#include "events/decode.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace cpl_lb {
namespace {

// Computing between each exchange and the next one.
std::vector<Nanoseconds> computing_between(const ProcessRecord &record, const DecodedRecord &decoded) {
    const LocalTimeline &timeline = decoded.process.components.front();
    std::vector<Nanoseconds> between;
    Nanoseconds left = 0;
    bool any = false;
    const auto take = [&](std::size_t first, std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop) {
        for (std::size_t i = 0; i < start.size(); ++i) {
            if (!is_exchange(kind_of(timeline.what(first + i)))) continue;
            if (any) between.push_back(std::max<Nanoseconds>(0, start[i] - left));
            left = any ? std::max(left, stop[i]) : stop[i];
            any = true;
        }
    };
    if (timeline.times_in_marks)
        for_each_block_of_times(decode_input(record, decoded), take);
    else
        take(0, timeline.start, timeline.stop);
    return between;
}

} // namespace

std::size_t count_own_bursts(const ProcessRecord &record, const DecodedRecord &decoded) {
    const std::vector<Nanoseconds> between = computing_between(record, decoded);
    if (between.size() < 6) return 0;
    // The longest of fifty count as the next one: a process that was stopped once is no pattern.
    std::vector<Nanoseconds> sorted = between;
    const auto longest = sorted.end() - static_cast<std::ptrdiff_t>(2 + sorted.size() / 50);
    std::nth_element(sorted.begin(), longest, sorted.end());
    const auto usual = [most = *longest](Nanoseconds sum, Nanoseconds t) { return sum + std::min(t, most); };
    const Nanoseconds mean = std::accumulate(between.begin(), between.end(), Nanoseconds{0}, usual) /
                             static_cast<Nanoseconds>(between.size());
    return 1 +
           static_cast<std::size_t>(std::ranges::count_if(between, [&](Nanoseconds t) { return t >= mean / 10; }));
}

} // namespace cpl_lb
