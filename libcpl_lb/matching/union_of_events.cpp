#include "matching/union_of_events.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cpl_lb {

std::vector<FirstStart> first_starts(const LocalEvents &events, std::size_t classes, bool use_dates) {
    std::vector<FirstStart> mine(events.size());
    for_each_key(events, classes, use_dates, [&](std::size_t i, const OccurrenceKey &key) {
        mine[i] = {key, events.start[i]};
    });
    std::sort(mine.begin(), mine.end(), [](const FirstStart &a, const FirstStart &b) { return a.key < b.key; });
    return mine;
}

std::vector<FirstStart> union_of(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b) {
    std::vector<FirstStart> both;
    both.reserve(std::max(a.size(), b.size()));
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
        if (j == b.end() || (i != a.end() && i->key < j->key)) {
            both.push_back(*i++);
        } else if (i == a.end() || j->key < i->key) {
            both.push_back(*j++);
        } else {
            both.push_back({i->key, std::min(i->start, j->start)});
            ++i;
            ++j;
        }
    }
    return both;
}

std::vector<OccurrenceKey> in_order_of_start(std::vector<FirstStart> all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const FirstStart &a, const FirstStart &b) { return a.start < b.start; });
    std::vector<OccurrenceKey> order(all.size());
    std::transform(all.begin(), all.end(), order.begin(), [](const FirstStart &f) { return f.key; });
    return order;
}

Places::Places(std::span<const OccurrenceKey> order) : order_(order), sorted_(order.size()) {
    std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
    std::sort(sorted_.begin(), sorted_.end(), [&](std::size_t a, std::size_t b) { return order_[a] < order_[b]; });
}

std::size_t Places::of(const OccurrenceKey &key) const {
    return *std::lower_bound(sorted_.begin(), sorted_.end(), key,
                             [&](std::size_t a, const OccurrenceKey &k) { return order_[a] < k; });
}

Row row_of(LocalEvents &events, std::size_t classes, bool use_dates, std::size_t all, const Places &places) {
    Row row{std::vector<Nanoseconds>(all, absent), std::vector<Nanoseconds>(all, absent), std::move(events.away)};
    for_each_key(events, classes, use_dates, [&](std::size_t i, const OccurrenceKey &key) {
        const std::size_t place = places.of(key);
        row.start[place] = events.start[i];
        row.stop[place] = events.stop[i];
    });
    events = {};
    return row;
}

} // namespace cpl_lb
