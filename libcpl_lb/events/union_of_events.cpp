// Merges lists of events that are sorted by their start.
#include "events/union_of_events.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cpl_lb {

std::vector<FirstStart> first_starts(const LocalEvents &events, const KeyRule &rule) {
    std::vector<FirstStart> mine(events.size());
    for_each_key(events, rule, [&](std::size_t i, const OccurrenceKey &key) { mine[i] = {key, events.start[i]}; });
    std::sort(mine.begin(), mine.end(), [](const FirstStart &a, const FirstStart &b) { return a.key < b.key; });
    return mine;
}

namespace {

// Calls visit(event) for each that is in one list or in both; both are sorted by key.
template <class Visit>
void for_each_of_both(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b, Visit visit) {
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
        if (j == b.end() || (i != a.end() && i->key < j->key)) {
            visit(*i++);
        } else if (i == a.end() || j->key < i->key) {
            visit(*j++);
        } else {
            visit(FirstStart{i->key, std::min(i->start, j->start)});
            ++i;
            ++j;
        }
    }
}

// Before it start fewer than `most` of these.
Nanoseconds end_of_earliest(std::vector<Nanoseconds> starts, std::size_t most) {
    const auto last = starts.begin() + static_cast<std::ptrdiff_t>(std::min(most, starts.size()) - 1);
    std::nth_element(starts.begin(), last, starts.end());
    return *last;
}

} // namespace

std::vector<FirstStart> union_of(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b) {
    EarlyEvents both{a, std::numeric_limits<Nanoseconds>::max()};
    unite(both, {b, std::numeric_limits<Nanoseconds>::max()}, {});
    return std::move(both.list);
}

// Counted before it is made: no room is asked for in vain.
void unite(EarlyEvents &mine, const EarlyEvents &theirs, const UnionLimit &limit) {
    mine.end = std::min(mine.end, theirs.end);
    const auto stays = [&](const FirstStart &f) { return f.start < mine.end || f.key.event_class == limit.always; };
    const auto count = [&] {
        std::size_t n = 0;
        for_each_of_both(mine.list, theirs.list, [&](const FirstStart &f) { n += stays(f) ? 1 : 0; });
        return n;
    };
    std::size_t n = count();
    if (n > limit.events) {
        std::vector<Nanoseconds> starts;
        starts.reserve(n);
        for_each_of_both(mine.list, theirs.list, [&](const FirstStart &f) {
            if (f.start < mine.end && f.key.event_class != limit.always) starts.push_back(f.start);
        });
        if (!starts.empty()) mine.end = end_of_earliest(std::move(starts), std::max<std::size_t>(limit.events, 1));
        n = count();
    }
    std::vector<FirstStart> both;
    both.reserve(n);
    for_each_of_both(mine.list, theirs.list, [&](const FirstStart &f) {
        if (stays(f)) both.push_back(f);
    });
    mine.list = std::move(both);
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

std::optional<std::size_t> Places::of(const OccurrenceKey &key) const {
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), key,
                                     [&](std::size_t a, const OccurrenceKey &k) { return order_[a] < k; });
    return at != sorted_.end() && order_[*at] == key ? std::optional(*at) : std::nullopt;
}

Row row_of(LocalEvents &events, const KeyRule &rule, std::size_t all, const Places &places, std::int64_t *left_out) {
    Row row{std::vector<Nanoseconds>(all, absent), std::vector<Nanoseconds>(all, absent), std::move(events.away)};
    for_each_key(events, rule, [&](std::size_t i, const OccurrenceKey &key) {
        const std::optional<std::size_t> place = places.of(key);
        if (place) {
            row.start[*place] = events.start[i];
            row.stop[*place] = events.stop[i];
        } else if (left_out != nullptr) {
            ++*left_out;
        }
    });
    events = {};
    return row;
}

} // namespace cpl_lb
