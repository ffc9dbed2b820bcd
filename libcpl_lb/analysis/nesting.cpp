// Finds the events inside others in one pass over the events in order of their starts.
#include "analysis/nesting.hpp"

#include "analysis/intervals.hpp"

#include <span>

namespace cpl_lb {
namespace {

// True for nearly all rows: the starts ascend, and no time is absent (the smallest number). Has no branch.
bool starts_go_up(std::span<const Nanoseconds> starts) {
    if (starts.empty()) return true;
    auto wrong = static_cast<std::uint64_t>(starts.front()); // the highest bit
    for (std::size_t k = 1; k < starts.size(); ++k) {
        const auto s = static_cast<std::uint64_t>(starts[k]);
        wrong |= s | (s - static_cast<std::uint64_t>(starts[k - 1]) - 1);
    }
    return wrong >> 63U == 0;
}

bool in_order(const Row &row) {
    if (starts_go_up(row.start)) return true;
    Nanoseconds start = absent;
    Nanoseconds stop = absent;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) continue;
        if (row.start[k] <= start && (row.start[k] < start || row.stop[k] > stop)) return false;
        start = row.start[k];
        stop = row.stop[k];
    }
    return true;
}

} // namespace

void RowOrder::set(const Row &row) {
    events_ = row.start.size();
    natural_ = in_order(row);
    order_.clear();
    if (natural_) return;
    for (std::size_t k = 0; k < events_; ++k) {
        if (row.start[k] != absent) order_.push_back(static_cast<EventIndex>(k));
    }
    sort_nearly_sorted(order_, [&row](EventIndex a, EventIndex b) {
        if (row.start[a] != row.start[b]) return row.start[a] < row.start[b];
        if (row.stop[a] != row.stop[b]) return row.stop[a] > row.stop[b];
        return a < b;
    });
}

} // namespace cpl_lb
