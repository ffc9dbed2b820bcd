// Chooses the exchanges that hold most of the imbalance.
#include "analysis/chosen_exchanges.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_groups = 4;

// Calls sink(exchange) for each exchange of the table that lies in the loop and has several processes; its group is
// its class. One sweep in the order of the earliest arrivals: each exchange counts with the time that no earlier one
// covers. Exchanges are not kept, because a run may have millions of them.
class Sweep {
public:
    Sweep(const EventTable &events, Interval loop) : events_(events), loop_(loop) {
        for (const EventClass &c : events.keys.classes())
            exchanging_.push_back(is_exchange(c.kind) ? 1 : 0);
    }
    // False: the table is not in the order in which the exchanges begin. The result is invalid; call sort() first.
    template <class Sink>
    bool operator()(Sink &&sink, Nanoseconds &imbalance) const {
        Nanoseconds covered_until = loop_.start, latest = absent;
        imbalance = 0;
        for (std::size_t i = 0; i < events_.spans.size(); ++i) {
            const std::size_t k = order_.empty() ? i : order_[i];
            const EventSpan span = events_.spans[k];
            const std::uint32_t event_class = events_.keys.class_of(k);
            if (exchanging_[event_class] == 0 || span.empty()) continue;
            if (span.first_start < latest) return false;
            latest = span.first_start;
            const Nanoseconds until = std::min(span.last_start, loop_.stop);
            const Nanoseconds counted = std::max<Nanoseconds>(until - std::max(covered_until, span.first_start), 0);
            covered_until = std::max(covered_until, until);
            imbalance += counted;
            if (span.processes >= 2 && lies_in(span, loop_))
                sink(ChosenExchange{static_cast<EventIndex>(k), event_class, span.first_start, span.jitter(),
                                    counted});
        }
        return true;
    }
    void sort() {
        order_.resize(events_.spans.size());
        std::iota(order_.begin(), order_.end(), EventIndex{0});
        std::ranges::stable_sort(order_, {}, [this](EventIndex k) { return events_.spans[k].first_start; });
    }

private:
    const EventTable &events_;
    Interval loop_;
    std::vector<std::uint8_t> exchanging_; // by class
    std::vector<EventIndex> order_;        // empty: the table is in order, as those of runs are
};

// Two exchanges in a row, of the same two classes each time. If nobody waits in between, who is a second later than
// usual at the first is a second later at the other one, too.
class InARow {
public:
    InARow(const EventTable &events, bool can_wait_inside) : events_(events), can_wait_inside_(can_wait_inside) {}

    void begin() { behind_ = 0; }
    // Both take the exchanges in the order of the sweep, the first one all of them before the second one any.
    void compare(const ChosenExchange &e) {
        if (behind_ > 0) of_pair_[{class_, e.group}].add(static_cast<double>(behind_), static_cast<double>(e.jitter));
        leave(e);
    }
    Nanoseconds late_anew(const ChosenExchange &e) {
        const bool carried = behind_ > 0 && (!can_wait_inside_ || of_pair_[{class_, e.group}].is_carried());
        const Nanoseconds late = carried ? std::clamp<Nanoseconds>(e.jitter - behind_, 0, e.counted) : e.counted;
        leave(e);
        return late;
    }

private:
    // Sums over all of them: how far apart they left the first exchange (before), and came to the second one (then).
    struct OfPair {
        double count = 0, before = 0, then = 0, before_2 = 0, then_2 = 0, both = 0;

        void add(double left, double came) {
            count += 1;
            before += left;
            then += came;
            before_2 += left * left;
            then_2 += came * came;
            both += left * came;
        }
        [[nodiscard]] bool is_carried() const {
            constexpr double more = 1.02, half = 0.5, resolution = 1e3; // of the clocks [ns]
            const bool grows = then > more * before;
            const double xx = before_2 - before * before / count, yy = then_2 - then * then / count;
            const double xy = both - before * then / count;
            if (xx <= count * resolution * resolution) return grows;
            return xy >= half * xx && (grows || xy * xy >= half * xx * yy);
        }
    };

    // If the last one does not wait, it leaves as far behind the first as it came; if it does, and in collective
    // operations, they leave together.
    void leave(const ChosenExchange &e) {
        const bool together =
            events_.keys.what(e.event).kind == Kind::sync || 20 * events_.spans[e.event].waiting() > e.jitter;
        behind_ = together ? 0 : e.jitter;
        class_ = e.group;
    }

    const EventTable &events_;
    bool can_wait_inside_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, OfPair> of_pair_;
    Nanoseconds behind_ = 0; // the last one, as they left the exchange before
    std::uint32_t class_ = 0;
};

struct OfClass {
    Nanoseconds counted = 0;
    std::size_t count = 0;
};

// The classes with the most counted time; those with few exchanges do not count.
std::vector<std::uint32_t> heaviest(const std::vector<OfClass> &classes) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t c = 0; c < classes.size(); ++c)
        if (classes[c].count >= least_exchanges && classes[c].counted > 0) list.push_back(c);
    std::ranges::stable_sort(list, std::greater(), [&](std::uint32_t c) { return classes[c].counted; });
    list.resize(std::min(list.size(), most_groups));
    return list;
}

bool is_prime(std::uint32_t n) {
    for (std::uint32_t d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
    return true;
}

// A prime number: every k-th step then stays every k-th among the chosen exchanges.
std::uint32_t one_in_so_many(std::size_t count, std::size_t most) {
    if (count <= most) return 1;
    auto one_in = static_cast<std::uint32_t>((count + most - 1) / most);
    while (!is_prime(one_in))
        ++one_in;
    return one_in;
}

// Calls sink(exchange, what of its lateness is new). Returns what was carried, in all.
template <class Sink>
Nanoseconds carried_lateness(const Sweep &sweep, const EventTable &events, bool can_wait_inside, Sink sink) {
    Nanoseconds imbalance = 0, carried = 0;
    InARow row(events, can_wait_inside);
    static_cast<void>(sweep([&](const ChosenExchange &e) { row.compare(e); }, imbalance));
    row.begin();
    const auto add = [&](const ChosenExchange &e) {
        const Nanoseconds anew = row.late_anew(e);
        sink(e, anew);
        carried += e.counted - anew;
    };
    static_cast<void>(sweep(add, imbalance));
    return carried;
}

} // namespace

std::vector<std::uint32_t> ChosenExchanges::places_of(std::uint32_t group) const {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < list.size(); ++i)
        if (list[i].group == group) places.push_back(i);
    return places;
}

bool ChosenExchanges::fits_together() const {
    std::vector<std::uint32_t> count(std::min<std::size_t>(groups, most_groups));
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].group >= count.size() || (i > 0 && list[i].event <= list[i - 1].event)) return false;
        ++count[list[i].group];
    }
    return count.size() == groups && std::ranges::find(count, 0U) == count.end();
}

double ChosenExchanges::counted_s() const {
    return to_seconds(std::accumulate(list.begin(), list.end(), Nanoseconds{0},
                                      [](Nanoseconds sum, const auto &e) { return sum + e.counted; }));
}

NewLateness new_lateness(const EventTable &events, Interval loop, bool can_wait_inside) {
    Sweep sweep(events, loop);
    Nanoseconds imbalance = 0;
    const auto none = [](const ChosenExchange & /*e*/) {};
    if (!sweep(none, imbalance)) sweep.sort();
    NewLateness late{std::vector<Nanoseconds>(events.spans.size())};
    const auto keep = [&](const ChosenExchange &e, Nanoseconds anew) { late.of_event[e.event] = anew; };
    late.carried = carried_lateness(sweep, events, can_wait_inside, keep);
    return late;
}

ChosenExchanges choose_exchanges(const EventTable &events, const Window &window, std::size_t processes,
                                 std::size_t most) {
    ChosenExchanges chosen;
    if (!window.known()) {
        chosen.why_not = "there is no coupling loop";
        return chosen;
    }
    if (processes < 2) {
        chosen.why_not = "it has one process";
        return chosen;
    }
    Sweep sweep(events, window.interval());
    std::vector<OfClass> classes(events.keys.classes().size());
    Nanoseconds imbalance = 0;
    const auto count = [&](const ChosenExchange &e) {
        classes[e.group].counted += e.counted;
        ++classes[e.group].count;
    };
    if (!sweep(count, imbalance)) {
        sweep.sort();
        classes.assign(classes.size(), {});
        static_cast<void>(sweep(count, imbalance));
    }
    chosen.imbalance_s = to_seconds(imbalance);
    const auto drop = [](const ChosenExchange & /*e*/, Nanoseconds /*anew*/) {};
    chosen.carried_s = to_seconds(carried_lateness(sweep, events, true, drop));
    const std::vector<std::uint32_t> groups = heaviest(classes);
    chosen.groups = static_cast<std::uint32_t>(groups.size());
    std::vector<std::uint32_t> group_of(classes.size(), chosen.groups), met(groups.size());
    std::size_t in_groups = 0;
    for (std::uint32_t g = 0; g < chosen.groups; ++g) {
        group_of[groups[g]] = g;
        in_groups += classes[groups[g]].count;
    }
    chosen.one_in = one_in_so_many(in_groups, most);
    const auto choose = [&](ChosenExchange e) {
        e.group = group_of[e.group];
        if (e.group < chosen.groups && met[e.group]++ % chosen.one_in == 0) chosen.list.push_back(e);
    };
    static_cast<void>(sweep(choose, imbalance));
    std::ranges::sort(chosen.list, {}, &ChosenExchange::event);
    if (chosen.list.empty()) {
        chosen.why_not = imbalance == 0 ? "its processes always come together or only one of them exchanges"
                                        : "no field is exchanged " + std::to_string(least_exchanges) +
                                              " times by several of its processes";
    }
    return chosen;
}

} // namespace cpl_lb
