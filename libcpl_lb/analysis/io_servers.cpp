// Finds I/O servers by what they said, and by their events.
#include "analysis/io_servers.hpp"

#include "analysis/load_balance.hpp"

#include <algorithm>

namespace cpl_lb {

namespace {

// When its sends count: in its coupling loop, because models meet to set up and at the end; without a loop always.
Interval judged_time(const Component &component) {
    const Window window = find_window(component.table, {component.window_first, component.window_last});
    return window.known() ? window.interval() : Interval{component.window_first, component.window_last};
}

} // namespace

bool is_io_server(const Component &component) {
    if (component.properties.is_io_server) return true;
    const ComponentBalance &b = component.balance;
    // Too few receives for a loop: idle, too.
    if (b.why_no_window.empty() && !(b.waiting_s > 0.5 * b.loop_s)) return false;
    bool receives = false;
    const EventTable &table = component.table;
    const Interval judged = judged_time(component);
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventSpan &span = table.spans[k];
        if (span.empty()) continue;
        const Kind kind = table.keys.what(k).kind;
        const bool sends = kind == Kind::put || kind == Kind::sync;
        if (sends && span.last_stop > judged.start && span.last_start < judged.stop) return false;
        receives = receives || kind == Kind::get;
    }
    return receives;
}

std::vector<bool> who_decides_the_end(const CoupledRun &run) {
    std::vector<bool> decides;
    for (const Component &c : run.components)
        decides.push_back(!is_io_server(c));
    // Somebody has to.
    if (std::find(decides.begin(), decides.end(), true) == decides.end()) decides.assign(decides.size(), true);
    return decides;
}

} // namespace cpl_lb
