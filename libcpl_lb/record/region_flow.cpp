// Counts each pair of regions entered one inside the other, in the order of their first entry.
#include "record/region_flow.hpp"

#include <algorithm>
#include <new>

namespace cpl_lb {

void RegionFlow::annotate(int region, bool is_open) {
    if (shows(region)) return;
    const auto place = static_cast<std::size_t>(region);
    if (place >= newest_.size()) {
        shows_.resize(place + 1, false);
        newest_.resize(place + 1, none);
        latest_.resize(place + 1, none);
    }
    shows_[place] = true;
    open_.reserve(newest_.size()); // each region is open once at most: enter() allocates for new edges only
    if (is_open) enter(region);
}

void RegionFlow::enter(int region) noexcept {
    if (!shows(region)) return;
    const auto place = static_cast<std::size_t>(region);
    const int from = open_.empty() ? 0 : open_.back();
    if (open_.size() < open_.capacity()) open_.push_back(region);
    std::size_t at = latest_[place];
    if (at == none || edges_[at].from != from) {
        at = newest_[place];
        while (at != none && edges_[at].from != from)
            at = edges_[at].next;
    }
    if (at == none) {
        try {
            edges_.push_back({from, region, 0, newest_[place]});
        } catch (const std::bad_alloc &) {
            return; // this entry does not show
        }
        at = newest_[place] = edges_.size() - 1;
    }
    ++edges_[at].times;
    latest_[place] = at;
}

void RegionFlow::leave(int region) noexcept {
    if (!shows(region)) return;
    // Mostly the last one; a model may also end an outer region first.
    const auto at = std::find(open_.rbegin(), open_.rend(), region);
    if (at != open_.rend()) open_.erase(std::next(at).base());
}

} // namespace cpl_lb
