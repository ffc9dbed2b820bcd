// Takes events out of all lists of a decoded process and numbers the places of the others anew.
#include "events/removed_events.hpp"

#include "events/place_table.hpp"
#include "events/timeline_filling.hpp"

#include <algorithm>
#include <span>

namespace cpl_lb {
namespace {

// gone: ascending, of this timeline.
void remove_from(LocalTimeline &t, std::span<const EventPlace> gone) {
    std::size_t next = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (next < gone.size() && gone[next].index == i) {
            ++next;
            continue;
        }
        t.place[kept] = t.place[i];
        t.start[kept] = t.start[i];
        t.stop[kept++] = t.stop[i];
    }
    resize_events(t, kept);
    PlaceTable::number_by_first_appearance(t);
    std::size_t before = 0;
    for (DateChange &d : t.dates) {
        while (before < gone.size() && gone[before].index < d.first)
            ++before;
        d.first -= before;
    }
}

// How many events of the same component are gone before this one.
std::size_t gone_before(const EventPlace &e, const std::vector<EventPlace> &gone) {
    const auto first = std::lower_bound(gone.begin(), gone.end(), EventPlace{e.component, 0});
    return static_cast<std::size_t>(std::lower_bound(first, gone.end(), e) - first);
}

} // namespace

void remove_events(DecodedProcess &process, std::vector<EventPlace> gone) {
    std::sort(gone.begin(), gone.end());
    for (auto first = gone.begin(); first != gone.end();) {
        const auto last =
            std::find_if(first, gone.end(), [&](const EventPlace &e) { return e.component != first->component; });
        remove_from(process.components[first->component], {first, last});
        first = last;
    }
    for (EventPlace &e : process.open_at_end)
        e.index -= gone_before(e, gone);
}

} // namespace cpl_lb
