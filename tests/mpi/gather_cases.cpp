// What terminate makes of what all processes recorded, against plain loops over all of them: names, order, alignment,
// facts and meters.
#include "events/alignment.hpp"
#include "run/live/agree_on_events.hpp"
#include "run/live/component_facts.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/steps/one_list.hpp"
#include "run/live/unite.hpp"
#include "tests/mpi/cases.hpp"

#include <algorithm>
#include <map>

namespace cpl_lb::testing {
namespace {

// ---- Names.

std::vector<CatalogueEntry> entries_of(int rank) {
    std::vector<CatalogueEntry> entries;
    const std::string name = rank % 2 == 0 ? "ocean" : "atmosphere";
    for (int f = 0; f <= rank % 5; ++f)
        entries.push_back({name, rank % 2 == 0 ? Kind::put : Kind::get, "field" + std::to_string(f), {}});
    return entries;
}

std::string catalogue(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const std::string name = t.rank() % 2 == 0 ? "ocean" : "atmosphere";
    const Catalogue mine = agree_on_catalogue(all, {name}, entries_of(t.rank()));
    std::vector<CatalogueEntry> entries;
    std::vector<NumberList> members(t.size() > 1 ? 2 : 1);
    for (int r = 0; r < t.size(); ++r) {
        const auto of_rank = entries_of(r);
        entries.insert(entries.end(), of_rank.begin(), of_rank.end());
        members[static_cast<std::size_t>(r % 2)].push_back(r);
    }
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    std::vector<std::string> names = {"ocean"};
    if (t.size() > 1) names.emplace_back("atmosphere");
    const Catalogue right = make_catalogue(entries, names, members);
    found.expect(mine.component_names == right.component_names && mine.field_names == right.field_names &&
                     mine.members == right.members && mine.classes == right.classes &&
                     mine.entries == right.entries && mine.class_of_entry == right.class_of_entry,
                 "the catalogue");
    return found.text();
}

// ---- The merged order.

constexpr std::size_t classes = 5;
constexpr std::uint32_t last_class = classes - 1; // stays, whenever it starts

// Events of classes by chance, ascending; no two of the run start at the same time.
LocalEvents events_of(std::uint64_t seed, int rank, int ranks) {
    LocalEvents events;
    events.class_of_place = {0, 1, 2, 3, 4};
    const std::size_t n = 20 + figure_at(seed, rank, 0) % 30;
    Nanoseconds at = rank;
    for (std::size_t i = 0; i < n; ++i) {
        events.place.push_back(
            i + 1 == n ? last_class : static_cast<std::uint32_t>(figure_at(seed, rank, 2 * i + 1) % last_class));
        at += static_cast<Nanoseconds>(1 + figure_at(seed, rank, 2 * i + 2) % 50) * ranks;
        events.start.push_back(at);
        events.stop.push_back(at + 1);
    }
    return events;
}

struct Known {
    OccurrenceKey key;
    Nanoseconds start;
};

std::vector<Known> plain_union(std::uint64_t seed, int ranks) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Nanoseconds> first;
    for (int r = 0; r < ranks; ++r) {
        const LocalEvents events = events_of(seed, r, ranks);
        std::map<std::uint32_t, std::uint32_t> counts;
        for (std::size_t i = 0; i < events.place.size(); ++i) {
            const auto [at, is_new] =
                first.try_emplace({events.place[i], counts[events.place[i]]++}, events.start[i]);
            if (!is_new) at->second = std::min(at->second, events.start[i]);
        }
    }
    std::vector<Known> all;
    all.reserve(first.size());
    for (const auto &[key, start] : first)
        all.push_back({{no_date, key.first, key.second}, start});
    std::sort(all.begin(), all.end(), [](const Known &a, const Known &b) { return a.start < b.start; });
    return all;
}

// Without a limit all are there. With one: those that start before an end, and that end is the same on all.
std::string merged_order(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const std::vector<Known> right = plain_union(seed, t.size());
    const LocalEvents mine = events_of(seed, t.rank(), t.size());
    for (const UnionLimit limit : {UnionLimit{}, UnionLimit{30, last_class}}) {
        const EarlyOrder result = merge_order(all, mine, {classes, false, {}}, limit);
        std::vector<OccurrenceKey> order;
        std::size_t early = 0;
        for (const Known &k : right) {
            if (k.start >= result.end && k.key.event_class != limit.always) continue;
            order.push_back(k.key);
            if (k.key.event_class != limit.always) ++early;
        }
        found.expect(result.order == order, "the order");
        const bool all_fit = right.size() <= limit.events;
        found.expect(all_fit ? order.size() == right.size() : early < limit.events && early > 0, "how many stay");
    }
    return found.text();
}

// ---- Different numbers of an event.

// Steps of all classes; each rank has more at the beginning now and then, or does without one class.
LocalEvents uneven_events_of(std::uint64_t seed, int rank) {
    std::vector<std::pair<Nanoseconds, std::uint32_t>> events;
    for (std::uint32_t c = 0; c < classes; ++c) {
        const std::uint64_t by_chance = figure_at(seed, rank, 1'000 + c);
        if (by_chance % 7 == 0) continue;
        for (std::uint64_t n = by_chance % 5; n > 3; --n)
            events.emplace_back(static_cast<Nanoseconds>(figure_at(seed, rank, n) % 900), c);
        for (Nanoseconds step = 1; step <= 12 - static_cast<Nanoseconds>(by_chance / 35 % 3); ++step)
            events.emplace_back(1'000 * step + 10 * c + static_cast<Nanoseconds>(figure_at(seed, rank, c) % 300), c);
    }
    std::sort(events.begin(), events.end());
    LocalEvents local;
    local.class_of_place = {0, 1, 2, 3, 4};
    for (const auto &[start, event_class] : events) {
        local.place.push_back(event_class);
        local.start.push_back(start);
        local.stop.push_back(start + 5);
    }
    return local;
}

// By messages as by a look at all of them.
std::string aligned_events(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const Alignment right = align_occurrences(classes, ranks_below(t.size()), [seed](std::size_t r) {
        return uneven_events_of(seed, static_cast<int>(r));
    });
    KeyRule rule{classes, false, {}};
    std::vector<ClassShifts> shifts;
    const LocalEvents mine = uneven_events_of(seed, t.rank());
    align_occurrences(all, mine, 1'000, rule, shifts);
    found.expect(rule.first == right.first_of(static_cast<std::size_t>(t.rank())), "numbers");
    found.expect(!all.leads() || shifts == right.shifts, "shifts");
    return found.text();
}

// ---- Facts and meters.

std::string facts(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    ComponentFacts mine;
    mine.first_init = 100 - t.rank();
    mine.last_terminate = 1000 + t.rank();
    mine.window_first = t.rank();
    mine.window_last = 900 - t.rank();
    mine.dropped_events = 2;
    mine.properties.levels = t.rank() == t.size() - 1 && t.size() > 1 ? 5 : 4; // one does not agree
    mine.properties.output_B = 8;
    RegionSummary region;
    region.name = "solver";
    region.calls = 3;
    region.processes = 1;
    region.min_s = 1 + t.rank();
    region.mean_s = region.max_s = 2 + t.rank();
    mine.regions = {region};
    agree_on_facts(all, mine);
    const int n = t.size();
    found.expect(mine.first_init == 100 - (n - 1) && mine.last_terminate == 1000 + (n - 1), "init and terminate");
    found.expect(mine.window_first == n - 1 && mine.window_last == 900 - (n - 1), "the window");
    found.expect(mine.dropped_events == 2 * n && mine.properties.output_B == 8.0 * n, "sums");
    found.expect(mine.properties.levels == 4, "levels");
    found.expect(mine.disagreements == (n == 1 ? std::vector<std::string>() : std::vector<std::string>{"levels"}),
                 "disagreements");
    if (mine.regions.size() != 1) return "regions";
    const RegionSummary &r = mine.regions.front();
    // The mean of 2, 3, ..., n + 1.
    found.expect(r.calls == 3 * n && r.processes == n && r.min_s == 1 && r.max_s == n + 1 &&
                     r.mean_s == 0.5 * (n + 3),
                 "the region");
    return found.text();
}

// A gauge from 1 to 3 + rank with the mean 2 everywhere, and a counter of 8 on odd ranks only.
std::vector<MeterFigures> other_meters(int rank) {
    std::vector<MeterFigures> all(rank % 2 == 0 ? 1 : 2);
    all[0].meter = all[0].quantity = "load";
    all[0].over = {.min = 1, .max = 3.0 + rank, .sum = 2, .count = 1};
    all[0].series = {1.0, std::vector<Spread>(2)};
    all[0].series.values[1].add(rank);
    if (all.size() == 1) return all;
    all[1].meter = "net";
    all[1].quantity = "packets";
    all[1].counts_up = true;
    all[1].over.add(8);
    all[1].rate_per_s.add(4);
    return all;
}

std::string meters(Transport &t, std::uint64_t /*seed*/) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    GatheredMeters mine;
    mine.run.hwm_B.add(10 + t.rank());
    mine.components.resize(2);
    mine.components[static_cast<std::size_t>(t.rank() % 2)].rss_B.add(4);
    mine.run.node_power = {1.0, std::vector<Spread>(3)};
    mine.run.node_power.values[1].add(t.rank());
    if (t.rank() % 2 == 0) mine.nodes.push_back({t.rank() / 2, "machine", {}, {}});
    mine.run.others = other_meters(t.rank());
    mine.absent.push_back({"energy", t.rank() == 0 ? "no right" : "no counter", false, 1});
    unite_up(all, "meters", mine);
    std::vector<Interval> loops = {{1, all.leads() ? 2 : 7}};
    tell_all(all, "loops", loops);
    found.expect(loops == std::vector<Interval>{{1, 2}}, "loops");
    if (!all.leads()) return found.text();
    const int n = t.size(), half = n / 2;
    found.expect(mine.run.hwm_B.count == n && mine.run.hwm_B.min == 10 && mine.run.hwm_B.max == 9 + n, "the memory");
    found.expect(mine.components[0].rss_B.sum == 4.0 * (n - half) && mine.components[1].rss_B.count == half,
                 "memory of components");
    found.expect(mine.run.node_power.values.size() == 3 && mine.run.node_power.values[1].sum == 0.5 * n * (n - 1),
                 "series");
    found.expect(mine.nodes.size() == static_cast<std::size_t>((n + 1) / 2), "nodes");
    found.expect(mine.run.others.size() == (n == 1 ? 1U : 2U), "other meters");
    const MeterFigures &load = mine.run.others.front(), &packets = mine.run.others.back();
    found.expect(load.over.min == 1 && load.over.max == 2 + n && load.over.mean() == 2 && load.over.count == n,
                 "gauge of a meter");
    found.expect(load.series.values.size() == 2 && load.series.values[1].sum == 0.5 * n * (n - 1),
                 "series of a meter");
    found.expect(n == 1 || (packets.quantity == "packets" && packets.counts_up && packets.over.sum == 8.0 * half &&
                            packets.rate_per_s.mean() == 4 && packets.why_missing.empty()),
                 "counter that rank 0 does not have");
    found.expect(mine.absent.size() == (n == 1 ? 1U : 2U) && mine.absent.back().count == std::max(1, n - 1),
                 "absent");
    return found.text();
}

constexpr Case cases_of_gathering[] = {
    {"catalogue", catalogue}, {"merged_order", merged_order}, {"aligned_events", aligned_events}, {"facts", facts},
    {"meters", meters},
};

} // namespace

std::span<const Case> gather_cases() {
    return cases_of_gathering;
}

} // namespace cpl_lb::testing
