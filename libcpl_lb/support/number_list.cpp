// Puts numbers into runs, and finds them there.
#include "support/number_list.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {

void NumberList::push_back(std::int32_t number) {
    const auto step_to = [&](const Run &run) { return std::int64_t{number} - last_of(run); };
    if (!runs_.empty()) {
        Run &last = runs_.back();
        const std::int64_t step = step_to(last);
        const bool fits =
            step >= std::numeric_limits<std::int32_t>::min() && step <= std::numeric_limits<std::int32_t>::max();
        if (last.count == 1 && fits) last.step = static_cast<std::int32_t>(step);
        if (fits && last.step == step) {
            ++last.count;
            return;
        }
    }
    runs_.push_back({end_of_runs(), number, 0, 1});
}

void NumberList::push_counting(std::int32_t first, std::int32_t end) {
    for (int i = 0; i < 2 && first < end; ++i)
        push_back(first++);
    if (first >= end) return;
    if (runs_.back().step != 1) push_back(first++);
    runs_.back().step = 1; // of one number: any will do
    runs_.back().count += end - first;
}

std::int32_t NumberList::operator[](std::size_t place) const {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), place, [](std::size_t p, const Run &run) {
        return p < static_cast<std::size_t>(run.at);
    });
    const Run &run = *std::prev(after);
    return value_of(run, static_cast<std::int32_t>(place) - run.at);
}

std::size_t NumberList::place_of(std::int32_t number) const {
    const auto run = std::lower_bound(runs_.begin(), runs_.end(), number,
                                      [](const Run &r, std::int32_t n) { return last_of(r) < n; });
    if (run == runs_.end() || number < run->first) return size();
    const std::int32_t step = std::max(run->step, 1);
    if ((number - run->first) % step != 0) return size();
    const std::int32_t steps = (number - run->first) / step;
    return static_cast<std::size_t>(run->at) + static_cast<std::size_t>(steps);
}

std::vector<std::int32_t> NumberList::places_of(std::int32_t number) const {
    std::vector<std::int32_t> places;
    for (const Run &run : runs_) {
        if (run.step == 0) {
            for (std::int32_t i = 0; i < run.count && run.first == number; ++i)
                places.push_back(run.at + i);
            continue;
        }
        const std::int64_t from_first = std::int64_t{number} - run.first;
        const std::int64_t i = from_first / run.step;
        if (from_first % run.step == 0 && i >= 0 && i < run.count)
            places.push_back(run.at + static_cast<std::int32_t>(i));
    }
    return places;
}

std::int32_t NumberList::least() const {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (const Run &run : runs_)
        least = std::min({least, run.first, last_of(run)});
    return least;
}

std::int32_t NumberList::greatest() const {
    std::int32_t greatest = std::numeric_limits<std::int32_t>::min();
    for (const Run &run : runs_)
        greatest = std::max({greatest, run.first, last_of(run)});
    return greatest;
}

bool NumberList::take_runs(std::vector<Run> runs) {
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    std::int64_t at = 0;
    for (const Run &run : runs) {
        const std::int64_t last = run.first + std::int64_t{run.step} * (std::int64_t{run.count} - 1);
        if (run.at != at || run.count < 1 || last > largest || last < least) return false;
        at += run.count;
        if (at > largest) return false;
    }
    runs_ = std::move(runs);
    return true;
}

} // namespace cpl_lb
