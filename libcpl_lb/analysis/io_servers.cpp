// Who only takes data, by its events and by what it said.
#include "analysis/io_servers.hpp"

#include <algorithm>

namespace cpl_lb {

bool is_io_server(const Component &component) {
    if (component.properties.is_io_server) return true;
    bool receives = false;
    const EventTable &table = component.table;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (table.spans[k].empty()) continue;
        const Kind kind = table.keys.what(k).kind;
        if (kind == Kind::put) return false;
        receives = receives || kind == Kind::get;
    }
    return receives;
}

std::vector<bool> who_decides_the_end(const CoupledRun &run) {
    std::vector<bool> decides;
    for (const Component &c : run.components) {
        const bool mostly_waits = c.balance.waiting_s > 0.5 * c.balance.loop_s; // false where they are not known
        decides.push_back(!c.properties.is_io_server && !(mostly_waits && is_io_server(c)));
    }
    // Somebody has to.
    if (std::find(decides.begin(), decides.end(), true) == decides.end()) decides.assign(decides.size(), true);
    return decides;
}

} // namespace cpl_lb
