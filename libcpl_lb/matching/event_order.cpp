#include "matching/event_order.hpp"

#include <algorithm>
#include <bit>

namespace cpl_lb {

void OccurrenceCounter::change_date(std::uint32_t event_class, std::int64_t date) {
    Count &c = counts_[event_class];
    if (!dates_go_up_) {
        counts_left_behind_[{event_class, c.date}] = c.count;
        c.count = counts_left_behind_[{event_class, date}];
    } else {
        c.count = 0;
    }
    c.date = date;
}

bool dates_go_up(const std::vector<DateChange> &dates) {
    // no_date follows the last date where TERM is, which no process repeats.
    const auto down = [](const DateChange &a, const DateChange &b) { return b.date < a.date && b.date != no_date; };
    return std::adjacent_find(dates.begin(), dates.end(), down) == dates.end();
}

SequenceHash hash_of(const LocalEvents &events) {
    SequenceHash h{events.size(), events.order.low(), events.order.high(), events.end_order, 0};
    for (const DateChange &d : events.dates) {
        const std::uint64_t change = static_cast<std::uint64_t>(d.first) * 0xd6e8feb86659fd93U;
        h.dates = std::rotl((h.dates ^ change) + static_cast<std::uint64_t>(d.date), 27) * 0x9fb21c651e98df25U;
    }
    return h;
}

} // namespace cpl_lb
