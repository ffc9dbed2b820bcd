// Notes the first process of every event, and joins the events of both sides.
#include "export/arrows.hpp"

#include <algorithm>

namespace cpl_lb {
void Arrows::row(const Component &component, std::int64_t process, const Row &row) {
    std::vector<ArrowEnd> &ends = ends_[static_cast<std::size_t>(&component - run_.components.data())];
    ends.resize(row.start.size());
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] != absent && ends[k].process < 0 && is_exchange(component.table.keys.what(k).kind))
            ends[k] = {component.id, process, k, row.start[k], row.stop[k]};
    }
}

void Arrows::add(const Exchange &x, std::size_t source_event, std::size_t target_event,
                 std::vector<Arrow> &arrows) const {
    const ArrowEnd &from = ends_[static_cast<std::size_t>(x.source) - 1][source_event];
    const ArrowEnd &to = ends_[static_cast<std::size_t>(x.target) - 1][target_event];
    if (from.process >= 0 && to.process >= 0) arrows.push_back({x.field, from, to});
}

void Arrows::of_messages(const Exchange &x, const ExchangeEvents &source, const ExchangeEvents &target,
                         std::vector<Arrow> &arrows) const {
    const EventPlaces puts = source.side(Kind::put, x.field, x.target);
    const EventPlaces gets = target.side(Kind::get, x.field, x.source);
    const auto lag = static_cast<std::size_t>(x.lag);
    for (std::size_t n = 0; n < puts.size() && n + lag < gets.size(); ++n)
        add(x, puts[n], gets[n + lag], arrows);
}

// From who came last to a collective operation to those that waited for it.
void Arrows::of_sync(const Exchange &x, const SyncPlaces &source_places, const SyncPlaces &target_places,
                     std::vector<Arrow> &arrows) const {
    const EventTable &source = run_.components[static_cast<std::size_t>(x.source) - 1].table;
    const EventTable &target = run_.components[static_cast<std::size_t>(x.target) - 1].table;
    const std::vector<std::uint32_t> &from = source_places.at(x.field), &to = target_places.at(x.field);
    for (std::size_t n = 0; n < std::min(from.size(), to.size()); ++n) {
        if (target.keys.what(to[n]).counterpart == x.source &&
            source.spans[from[n]].last_start > target.spans[to[n]].last_start)
            add(x, from[n], to[n], arrows);
    }
}

std::vector<Arrow> Arrows::all() const {
    std::vector<Arrow> arrows;
    std::vector<ExchangeEvents> events;
    std::vector<SyncPlaces> syncs;
    for (const Component &c : run_.components) {
        events.emplace_back(c.table);
        syncs.push_back(sync_places(c.table));
    }
    for (const Exchange &x : find_exchanges(run_)) {
        const auto s = static_cast<std::size_t>(x.source) - 1, t = static_cast<std::size_t>(x.target) - 1;
        if (s >= ends_.size() || t >= ends_.size() || ends_[s].empty() || ends_[t].empty()) continue;
        if (x.sync)
            of_sync(x, syncs[s], syncs[t], arrows);
        else
            of_messages(x, events[s], events[t], arrows);
    }
    return arrows;
}

} // namespace cpl_lb
