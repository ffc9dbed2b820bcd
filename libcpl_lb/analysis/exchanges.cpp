// Finds the lag between PUTs and GETs of a field, and the receives that ended before their send began.
#include "analysis/exchanges.hpp"

#include "analysis/intervals.hpp"
#include "analysis/load_balance.hpp"
#include "data/field_parts.hpp"
#include "support/counted.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

// One end of a field: the events of one component with one kind and counterpart.
struct Side {
    std::int32_t component = 0;
    std::int32_t counterpart = 0; // 0: not known

    friend auto operator<=>(const Side &, const Side &) = default;
};
using Sides = std::set<Side>;

// The two ends of one field name.
struct FieldEnds {
    Sides puts, gets;
};

// In the order of the field ids, so that the result is fixed.
std::map<std::int32_t, FieldEnds> collect_ends(const CoupledRun &run) {
    std::map<std::int32_t, FieldEnds> fields;
    const FieldParts parts(run.field_names);
    for (const Component &component : run.components) {
        const EventKeys &keys = component.table.keys;
        std::vector<std::uint8_t> met(keys.classes().size());
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const EventClass &key = keys.what(k);
            if (met[keys.class_of(k)] != 0 || component.table.spans[k].empty()) continue;
            met[keys.class_of(k)] = 1;
            if (!is_message(key.kind) || key.field == 0 || parts.is_part(key.field)) continue;
            FieldEnds &ends = fields[key.field];
            (key.kind == Kind::put ? ends.puts : ends.gets).insert({component.id, key.counterpart});
        }
    }
    return fields;
}

// The only other component among the sides; 0: none or several.
std::int32_t only_partner(const Sides &opposite, std::int32_t component) {
    std::int32_t partner = 0;
    for (const Side &side : opposite) {
        if (side.component == component || side.component == partner) continue;
        if (partner != 0) return 0;
        partner = side.component;
    }
    return partner;
}

// The pairs of possible senders and receivers: one side names the other, or there are only two and neither names any.
std::set<std::pair<std::int32_t, std::int32_t>> pairs_of(const std::string &field, const FieldEnds &ends) {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    const auto may_be = [](const Sides &sides, std::int32_t component, std::int32_t other) {
        return sides.count({component, other}) > 0 || sides.count({component, 0}) > 0;
    };
    std::vector<std::int32_t> to_anybody, from_anybody;
    for (const Side &put : ends.puts) {
        if (put.counterpart == 0)
            to_anybody.push_back(put.component);
        else if (may_be(ends.gets, put.counterpart, put.component))
            pairs.emplace(put.component, put.counterpart);
    }
    for (const Side &get : ends.gets) {
        if (get.counterpart == 0)
            from_anybody.push_back(get.component);
        else if (may_be(ends.puts, get.counterpart, get.component))
            pairs.emplace(get.counterpart, get.component);
    }
    if (to_anybody.size() * from_anybody.size() > most_exchanges) {
        throw TooManyExchanges(counted(to_anybody.size(), "component") + " send " + field + " to anybody, and " +
                               counted(from_anybody.size(), "component") +
                               " receive it from anybody: too many to "
                               "tell who waits for whom");
    }
    for (const std::int32_t source : to_anybody)
        for (const std::int32_t target : from_anybody)
            if (source != target) pairs.emplace(source, target);
    return pairs;
}

// When sends count: in the coupling loop, if there is one, because models also exchange at set-up and at the end.
Interval judged_time(const Component &component) {
    const Window window = find_window(component.table, {component.window_first, component.window_last});
    return window.known() ? window.interval() : Interval{component.window_first, component.window_last};
}

// The lag between the PUTs and the GETs of an exchange (docs/definitions.md, section 1), in linear time.

// How many PUTs find a GET `lag` places on.
std::size_t pairs_at(std::size_t lag, std::size_t puts, std::size_t gets) {
    return lag < gets ? std::min(puts, gets - lag) : 0;
}

// If a constant lag leaves fewer pairs than this, the two sides have different histories and no lag.
std::size_t longest_lag(std::size_t puts, std::size_t gets) {
    const std::size_t least_pairs = std::max<std::size_t>(1, std::min(puts, gets) / 2);
    return gets > least_pairs ? gets - least_pairs : 0;
}

// violations[l]: pairs (n, n + l) whose GET ended before the PUT began. PUT n needs a lag of at least
// m - n, where GET m is the first that did not end before it; with a smaller one, its pair (if GET n + l exists,
// which it does below m) is a violation.
std::vector<std::int64_t> violations_by_lag(const std::vector<Nanoseconds> &put_begins,
                                            const std::vector<Nanoseconds> &get_ends, Nanoseconds clock_bound) {
    std::vector<std::int64_t> violations(longest_lag(put_begins.size(), get_ends.size()) + 1);
    std::size_t m = 0;
    for (std::size_t n = 0; n < put_begins.size(); ++n) {
        while (m < get_ends.size() && get_ends[m] < put_begins[n] - clock_bound)
            ++m;
        if (m > n) ++violations[std::min(m - n, violations.size()) - 1];
    }
    // So far element l counts PUTs that need exactly l + 1 (the last: at least). They violate at smaller lags, too.
    for (std::size_t l = violations.size() - 1; l > 0; --l)
        violations[l - 1] += violations[l];
    return violations;
}

} // namespace

std::string field_name(const CoupledRun &run, std::int32_t id) {
    const auto place = static_cast<std::size_t>(id) - 1;
    return place < run.field_names.size() ? run.field_names[place] : std::to_string(id);
}

void infer_counterparts(CoupledRun &run) {
    const std::map<std::int32_t, FieldEnds> fields = collect_ends(run);
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

Nanoseconds clock_bound(const CoupledRun &run) {
    constexpr Nanoseconds years = 100'000'000'000'000'000; // three
    if (!run.clock.why_not_comparable.empty()) return years;
    return is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
}

std::vector<Exchange> find_exchanges(const CoupledRun &run, const Budget &budget) {
    const Nanoseconds bound = clock_bound(run);
    std::map<std::int32_t, ExchangeEvents> events_of; // by id
    for (const Component &component : run.components)
        events_of.emplace(component.id, component.table);
    std::vector<Exchange> exchanges;
    for (const auto &[field, ends] : collect_ends(run)) {
        for (const auto &[source, target] : pairs_of(field_name(run, field), ends)) {
            budget.check();
            const std::vector<Nanoseconds> puts = events_of.at(source).times(Kind::put, field, target);
            const std::vector<Nanoseconds> gets = events_of.at(target).times(Kind::get, field, source);
            const Lag lag = find_lag(puts, gets, bound);
            exchanges.push_back({.field = field,
                                 .source = source,
                                 .target = target,
                                 .puts = static_cast<std::int64_t>(puts.size()),
                                 .gets = static_cast<std::int64_t>(gets.size()),
                                 .lag = lag.lag,
                                 .matched = lag.matched,
                                 .violations = lag.violations,
                                 .sync = false,
                                 .only_seen = false});
        }
    }
    const std::vector<Exchange> collective = find_sync_exchanges(run, budget);
    exchanges.insert(exchanges.end(), collective.begin(), collective.end());
    return exchanges;
}

void count_order_violations(CoupledRun &run, const std::vector<Exchange> &exchanges) {
    run.clock.order_violations = -1;
    if (!run.clock.why_not_comparable.empty()) return;
    if (std::ranges::any_of(run.components, &Component::table_left_out)) return;
    run.clock.order_violations = 0;
    for (const Exchange &exchange : exchanges)
        run.clock.order_violations += exchange.violations;
    if (run.clock.order_violations == 0) return;
    const std::string remark =
        say(Sentence::remark_received_before_sent, {{"gets", counted(run.clock.order_violations, "GET")},
                                                    {"whose", word_for(run.clock.order_violations, "its", "their")}});
    if (std::ranges::find(run.remarks, remark) == run.remarks.end()) run.remarks.push_back(remark);
}

bool is_io_server(const Component &component) {
    if (component.properties.is_io_server) return true;
    const ComponentBalance &b = component.balance;
    // Too few receives for a loop also mean that the component is idle.
    if (b.why_no_window.empty() && !(b.waiting_s > 0.5 * b.loop_s)) return false;
    bool receives = false;
    const EventTable &table = component.table;
    const Interval judged = judged_time(component);
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventSpan span = table.spans[k];
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
    // If no component decides, all do.
    if (std::ranges::find(decides, true) == decides.end()) decides.assign(decides.size(), true);
    return decides;
}

Lag find_lag(const std::vector<Nanoseconds> &put_begins, const std::vector<Nanoseconds> &get_ends,
             Nanoseconds clock_bound) {
    const std::vector<std::int64_t> violations = violations_by_lag(put_begins, get_ends, clock_bound);
    const auto best = std::ranges::min_element(violations);
    const auto lag = static_cast<std::size_t>(best - violations.begin());
    return {.lag = static_cast<std::int64_t>(lag),
            .matched = static_cast<std::int64_t>(pairs_at(lag, put_begins.size(), get_ends.size())),
            .violations = *best};
}

ExchangeEvents::ExchangeEvents(const EventTable &table) : table_(table), of_class_(table.keys.classes().size()) {
    std::vector<std::size_t> counts(of_class_.size());
    for (const std::uint32_t c : table.keys.of_events())
        ++counts[c];
    // Lists of millions that grow as they come leave as much freed memory behind as they take.
    for (std::uint32_t c = 0; c < of_class_.size(); ++c)
        if (is_exchange(key(c).kind)) of_class_[c].reserve(counts[c]);
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (is_exchange(table.keys.what(k).kind) && !table.spans[k].empty())
            of_class_[table.keys.class_of(k)].push_back(static_cast<std::uint32_t>(k));
    }
    for (std::uint32_t c = 0; c < of_class_.size(); ++c)
        if (!of_class_[c].empty()) sorted_.push_back(c);
    std::ranges::sort(sorted_, {}, [this](std::uint32_t c) -> const EventClass & { return key(c); });
}

EventPlaces ExchangeEvents::all_of(Kind kind, std::int32_t field) const {
    using Limits = std::numeric_limits<std::int32_t>;
    EventPlaces places;
    append({kind, field, Limits::min()}, {kind, field, Limits::max()}, places);
    std::ranges::sort(places);
    return places;
}

EventPlaces ExchangeEvents::arrivals(std::int32_t field) const {
    EventPlaces starts = all_of(Kind::put, field);
    EventPlaces completions = syncs(field);
    return starts.size() == completions.size() ? starts : completions;
}

EventPlaces ExchangeEvents::side(Kind kind, std::int32_t field, std::int32_t other) const {
    EventPlaces places = unsorted_side(kind, field, other);
    sort_nearly_sorted(places, [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(time_of(kind, a), a) < std::pair(time_of(kind, b), b);
    });
    return places;
}

std::vector<Nanoseconds> ExchangeEvents::times(Kind kind, std::int32_t field, std::int32_t other) const {
    const EventPlaces places = unsorted_side(kind, field, other);
    std::vector<Nanoseconds> times(places.size());
    std::ranges::transform(places, times.begin(), [&](std::uint32_t place) { return time_of(kind, place); });
    sort_nearly_sorted(times, std::less());
    return times;
}

EventPlaces ExchangeEvents::unsorted_side(Kind kind, std::int32_t field, std::int32_t other) const {
    EventPlaces places;
    append({kind, field, 0}, {kind, field, 0}, places);
    if (other != 0) append({kind, field, other}, {kind, field, other}, places);
    return places;
}

Nanoseconds ExchangeEvents::time_of(Kind kind, std::uint32_t place) const {
    const EventSpan span = table_.spans[place];
    return kind == Kind::put ? span.first_start : span.last_stop;
}

void ExchangeEvents::append(const EventClass &first, const EventClass &last, EventPlaces &places) const {
    auto c = std::ranges::lower_bound(sorted_, first, {},
                                      [this](std::uint32_t c) -> const EventClass & { return key(c); });
    for (; c != sorted_.end() && key(*c) <= last; ++c)
        places.insert(places.end(), of_class_[*c].begin(), of_class_[*c].end());
}

} // namespace cpl_lb
