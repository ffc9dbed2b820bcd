// Chooses the exchanges that hold most of the imbalance.
#include "analysis/chosen_exchanges.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

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
