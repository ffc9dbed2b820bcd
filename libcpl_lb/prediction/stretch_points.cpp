// Finds the exchanges of a stretch in a component's table.
#include "prediction/stretch_points.hpp"

#include "prediction/matched_events.hpp"

#include <map>

namespace cpl_lb {

std::vector<Placed> points_of(const Component &component, const Interval &stretch, Nanoseconds &end) {
    const EventTable &table = component.table;
    std::vector<Placed> points;
    end = stretch.stop;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventSpan &span = table.spans[k];
        if (span.empty() || span.last_stop <= stretch.start || span.last_start >= stretch.stop) continue;
        const Kind kind = table.keys.what(k).kind;
        if (!is_exchange(kind)) continue;
        if (span.last_stop > stretch.stop) {
            end = std::min(end, span.last_start);
            continue;
        }
        Placed p{static_cast<std::uint32_t>(k), std::max(span.last_start, stretch.start), span.last_stop, 0, 0};
        Nanoseconds done = p.arrive;
        for (std::size_t m = k + 1; m < table.keys.size() && table.spans[m].first_start < span.last_stop; ++m) {
            const EventSpan &inner = table.spans[m];
            if (!is_operation(table.keys.what(m).kind) || inner.empty() || inner.last_stop > span.last_stop) continue;
            const Nanoseconds from = std::max(done, inner.first_start);
            if (inner.last_stop <= from) continue;
            (kind == Kind::put ? p.before : p.after) += inner.last_stop - from;
            done = inner.last_stop;
        }
        points.push_back(p);
    }
    // Times inside other components of the same processes.
    for (const Interval &away : component.away) {
        if (away.stop <= stretch.start || away.start >= stretch.stop) continue;
        if (away.stop > stretch.stop)
            end = std::min(end, away.start);
        else
            points.push_back({gave_way, std::max(away.start, stretch.start), away.stop, 0, 0});
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const Placed &a, const Placed &b) { return a.arrive < b.arrive; });
    return points;
}

PointOfEvent room_for(const std::vector<Placed> &placed) {
    std::uint32_t first = gave_way;
    std::uint32_t last = 0;
    for (const Placed &p : placed) {
        if (p.event == gave_way) continue;
        first = std::min(first, p.event);
        last = std::max(last, p.event);
    }
    return first == gave_way ? PointOfEvent() : PointOfEvent(first, last);
}

std::vector<std::size_t> most_frequent(const EventTable &table, const std::vector<Placed> &placed,
                                       const PointOfEvent &point_of_event) {
    const std::vector<std::uint32_t> like = first_alike(table.keys.classes());
    std::map<std::uint32_t, std::vector<std::size_t>> by_class;
    for (const Placed &p : placed)
        if (p.event != gave_way) by_class[like[table.keys.class_of(p.event)]].push_back(point_of_event[p.event]);
    std::vector<std::size_t> most;
    for (auto &[what, points] : by_class)
        if (points.size() > most.size()) most = std::move(points);
    return most;
}

} // namespace cpl_lb
