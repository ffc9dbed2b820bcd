// Finds I/O servers by what they said, and by their events.
#include "analysis/io_servers.hpp"

#include <algorithm>

namespace cpl_lb {

bool is_io_server(const Component &component) {
    if (component.properties.is_io_server) return true;
    const ComponentBalance &b = component.balance;
    // Too few receives for a loop: idle, too.
    if (b.why_no_window.empty() && !(b.waiting_s > 0.5 * b.loop_s)) return false;
    bool receives = false;
    const EventTable &table = component.table;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (table.spans[k].empty()) continue;
        const Kind kind = table.keys.what(k).kind;
        if (kind == Kind::put || kind == Kind::sync) return false;
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
