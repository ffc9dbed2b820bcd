// Finds the lag between PUTs and GETs of a field, and the receives that ended before their send began.
#include "analysis/exchanges.hpp"

#include "analysis/nearly_sorted.hpp"
#include "analysis/sync_exchanges.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace cpl_lb {
namespace {

// The events of one component with one kind, field and counterpart.
struct Side {
    std::int32_t component = 0;
    std::int32_t counterpart = 0;   // 0: not known
    std::vector<Nanoseconds> times; // when PUTs began or GETs ended

    [[nodiscard]] bool may_be(std::int32_t other) const { return counterpart == 0 || counterpart == other; }
};

// The two ends of one field name.
struct FieldEnds {
    std::vector<Side> puts, gets;
};

Side &side_of(std::vector<Side> &sides, std::int32_t component, std::int32_t counterpart) {
    for (Side &side : sides) {
        if (side.component == component && side.counterpart == counterpart) return side;
    }
    return sides.emplace_back(Side{component, counterpart, {}});
}

// Ordered by field id, so that the result has a fixed order. `with_times`: else only who exchanges what.
std::map<std::int32_t, FieldEnds> collect_ends(const CoupledRun &run, bool with_times) {
    std::map<std::int32_t, FieldEnds> fields;
    for (const Component &component : run.components) {
        const EventKeys &keys = component.table.keys;
        // The side of each class of events, looked up once; by place, because the list of sides may move.
        std::vector<std::pair<FieldEnds *, std::size_t>> side_of_class(keys.classes().size());
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const EventClass &key = keys.what(k);
            const EventSpan &span = component.table.spans[k];
            if (!is_message(key.kind) || key.field == 0 || span.empty()) continue;
            auto &[ends, place] = side_of_class[keys.class_of(k)];
            if (ends == nullptr) {
                ends = &fields[key.field];
                std::vector<Side> &sides = key.kind == Kind::put ? ends->puts : ends->gets;
                place = static_cast<std::size_t>(&side_of(sides, component.id, key.counterpart) - sides.data());
            }
            if (!with_times) continue;
            if (key.kind == Kind::put)
                ends->puts[place].times.push_back(span.first_start);
            else
                ends->gets[place].times.push_back(span.last_stop);
        }
    }
    return fields;
}

// The only other component among the sides; 0: none or several.
std::int32_t only_partner(const std::vector<Side> &opposite, std::int32_t component) {
    std::int32_t partner = 0;
    for (const Side &side : opposite) {
        if (side.component == component || side.component == partner) continue;
        if (partner != 0) return 0;
        partner = side.component;
    }
    return partner;
}

// All times of the component's events that may have gone to or come from `other`.
std::vector<Nanoseconds> times_between(const std::vector<Side> &sides, std::int32_t component, std::int32_t other) {
    std::vector<Nanoseconds> times;
    for (const Side &side : sides) {
        if (side.component != component || !side.may_be(other)) continue;
        times.insert(times.end(), side.times.begin(), side.times.end());
    }
    sort_nearly_sorted(times, [](Nanoseconds a, Nanoseconds b) { return a < b; });
    return times;
}

} // namespace

void infer_counterparts(CoupledRun &run) {
    const std::map<std::int32_t, FieldEnds> fields = collect_ends(run, false);
    for (Component &component : run.components) {
        std::map<std::tuple<Kind, std::int32_t>, std::int32_t> partners;
        for (EventClass &key : component.table.keys.classes()) {
            if (!is_message(key.kind) || key.counterpart != 0) continue;
            const auto ends = fields.find(key.field);
            if (ends == fields.end()) continue;
            const auto [partner, is_new] = partners.try_emplace({key.kind, key.field}, 0);
            if (is_new) {
                const auto &opposite = key.kind == Kind::put ? ends->second.gets : ends->second.puts;
                partner->second = only_partner(opposite, component.id);
            }
            key.counterpart = partner->second;
        }
    }
}

std::vector<Exchange> find_exchanges(const CoupledRun &run) {
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    std::vector<Exchange> exchanges;
    for (const auto &[field, ends] : collect_ends(run, true)) {
        std::map<std::tuple<std::int32_t, std::int32_t>, bool> pairs;
        for (const Side &put : ends.puts) {
            for (const Side &get : ends.gets) {
                const bool named = put.counterpart == get.component || get.counterpart == put.component;
                if (!put.may_be(get.component) || !get.may_be(put.component)) continue;
                if (put.component != get.component || named) pairs[{put.component, get.component}] = true;
            }
        }
        for (const auto &[pair, found] : pairs) {
            const auto [source, target] = pair;
            const std::vector<Nanoseconds> puts = times_between(ends.puts, source, target);
            const std::vector<Nanoseconds> gets = times_between(ends.gets, target, source);
            const Lag lag = find_lag(puts, gets, bound);
            exchanges.push_back({.field = field,
                                 .source = source,
                                 .target = target,
                                 .puts = static_cast<std::int64_t>(puts.size()),
                                 .gets = static_cast<std::int64_t>(gets.size()),
                                 .lag = lag.lag,
                                 .matched = lag.matched,
                                 .violations = lag.violations,
                                 .sync = false});
        }
    }
    const std::vector<Exchange> collective = find_sync_exchanges(run);
    exchanges.insert(exchanges.end(), collective.begin(), collective.end());
    return exchanges;
}

void count_order_violations(CoupledRun &run, const std::vector<Exchange> &exchanges) {
    run.clock.order_violations = -1;
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; }))
        return;
    run.clock.order_violations = 0;
    for (const Exchange &exchange : exchanges)
        run.clock.order_violations += exchange.violations;
    if (run.clock.order_violations == 0) return;
    const std::string remark = counted(run.clock.order_violations, "GET") + " ended before " +
                               word_for(run.clock.order_violations, "its", "their") +
                               " PUT began, which is impossible: the clocks of the nodes differ by "
                               "more than their bound, or the events of a field are not recorded on both sides";
    if (std::find(run.remarks.begin(), run.remarks.end(), remark) == run.remarks.end()) run.remarks.push_back(remark);
}

} // namespace cpl_lb
