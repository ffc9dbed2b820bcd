// The leader finds the window. Then each process gets what it needs for its share of the waiting, and only sums come
// back.
#include "run/live/loop_and_waiting.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/share_calculator.hpp"
#include "run/live/unite.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {

static void wire_members(auto &way, Either<ChosenExchanges> auto &chosen) {
    way.pass(chosen.why_not, chosen.list, chosen.groups, chosen.imbalance_s, chosen.carried_s, chosen.one_in);
}

static void wire_members(auto &way, Either<RegionPlan> auto &plan) {
    way.pass(plan.regions, plan.edges);
}

namespace {

std::uint64_t hash_of(const EventSet &events) {
    std::uint64_t hash = events.size();
    for (const std::uint64_t word : events)
        hash = std::rotl((hash ^ word) * 0x9fb21c651e98df25U, 27);
    return hash;
}

// Whether all processes have the same events inside exchanges: times decide. With a coarse clock, two marks may have
// the same time on one process only.
bool all_nest_alike(Group &group, const EventSet &nested) {
    struct Range {
        std::uint64_t least, greatest;
    };
    const std::uint64_t mine = hash_of(nested);
    Range range{mine, mine};
    const auto widen = [](Range &a, const Range &b) {
        a = {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
    };
    reduce_for_all(group, std::span(&range, 1), widen);
    return range.least == range.greatest;
}

// The steps are many: element by element, in blocks. Not all processes have as many.
void add_up_steps(Group &group, Share &share) {
    struct Counts {
        std::size_t waiting, away;
    };
    Counts counts{share.step_waiting.size(), share.step_away.size()};
    const auto longer = [](Counts &a, const Counts &b) {
        a = {std::max(a.waiting, b.waiting), std::max(a.away, b.away)};
    };
    reduce_for_all(group, std::span(&counts, 1), longer);
    share.step_waiting.resize(counts.waiting);
    share.step_away.resize(counts.away);
    group.reduce(std::span(share.step_waiting), sum_up);
    group.reduce(std::span(share.step_away), sum_up);
}

Share added_up(Group &group, Share share) {
    add_up_steps(group, share);
    std::vector<WideNanoseconds> waiting = std::exchange(share.step_waiting, {});
    std::vector<WideNanoseconds> away = std::exchange(share.step_away, {});
    unite_up(group, "a share", share, sum_up);
    share.step_waiting = std::move(waiting);
    share.step_away = std::move(away);
    return share;
}

// Of processes that all recorded the same events; empty if these do not nest alike: then there is no sum yet.
using SumOfSame = std::optional<Share>;

// First sends what the others need first, so that all walk through their events at the same time.
SumOfSame lead_same_events(Group &group, const EventTable &table, const Window &window, const Row &row,
                           const ShareInput &input) {
    ShareCalculator calculator(table, window, input.run, input.counterparts);
    WireWriter out;
    out.put(calculator.operations());
    out.put(calculator.coarse_ends());
    out.put(input.away ? calculator.fine_ends() : std::vector<Nanoseconds>());
    Bytes places = out.take();
    group.broadcast_all(places);
    places = Bytes(); // = {} would keep the memory
    if (!all_nest_alike(group, calculator.walk(row))) return {};
    const WaitingPattern &pattern = calculator.waiting_of(row, true);
    const std::span<const Interval> omega = pattern.omega;
    std::size_t pieces = omega.size();
    group.broadcast(as_wire_out(pieces));
    const auto give = [&](std::size_t at, std::span<std::byte> block) {
        std::memcpy(block.data(), std::as_bytes(omega).data() + at, block.size());
    };
    group.stream_down(omega.size_bytes(), sizeof(Interval), give, {});
    Share own, waiting;
    calculator.add_own(row, pattern, own);
    Share sum = added_up(group, std::move(own));
    calculator.add_waiting(pattern, waiting);
    sum += repeated(std::move(waiting), group.size());
    return sum;
}

SumOfSame follow_same_events(Group &group, const EventKeys &keys, const Row &row) {
    Bytes places;
    group.broadcast_all(places);
    WireReader in(places);
    const auto operations = in.get_vector<OperationsInParts>();
    const auto coarse_ends = in.get_vector<Nanoseconds>();
    const auto fine_ends = in.get_vector<Nanoseconds>();
    in.finish("the load balance", coarse_ends.size() >= 2);
    const EventRoles roles(keys);
    OwnShare own(roles, operations, fine_ends.empty() ? coarse_ends : fine_ends, coarse_ends);
    EventSet nested = no_events(roles.size());
    own.walk(row, nested);
    if (!all_nest_alike(group, nested)) return {};
    std::size_t pieces = 0;
    group.broadcast(as_wire_out(pieces));
    own.lay_beside(row, [&](auto visit) {
        const auto take = [&](std::size_t /*at*/, std::span<const std::byte> block) {
            for (; !block.empty(); block = block.subspan(sizeof(Interval))) {
                Interval next;
                std::memcpy(&next, block.data(), sizeof next);
                visit(next);
            }
        };
        group.stream_down(pieces * sizeof(Interval), sizeof(Interval), {}, take);
    });
    Share mine;
    own.add_to(mine, all_parts); // all exchange in the same parts
    return added_up(group, std::move(mine));
}

// S and E go back, in blocks: each process computes its own union from them.
void share_spans(Group &group, EventTable &table) {
    struct Late {
        Nanoseconds start, stop;
    };
    std::vector<EventSpan> &spans = table.spans.whole();
    spans.resize(table.keys.size());
    const auto give = [&](std::size_t at, std::span<std::byte> block) {
        for (std::size_t i = at / sizeof(Late); !block.empty(); block = block.subspan(sizeof(Late)), ++i) {
            const Late late{spans[i].last_start, spans[i].last_stop};
            std::memcpy(block.data(), &late, sizeof late);
        }
    };
    // The earliest start and the number of processes matter to the leader only.
    const auto take = [&](std::size_t at, std::span<const std::byte> block) {
        for (std::size_t i = at / sizeof(Late); !block.empty(); block = block.subspan(sizeof(Late)), ++i) {
            Late late;
            std::memcpy(&late, block.data(), sizeof late);
            spans[i] = {late.start, late.start, late.stop, 1};
        }
    };
    group.stream_down(spans.size() * sizeof(Late), sizeof(Late), give, take);
}

Share sum_of_different_events(Group &group, EventTable &table, const Window &leaders, const Row &row,
                              const ShareInput &input) {
    share_spans(group, table);
    Window window; // all need only its steps, because a share depends on nothing else
    window.steps = leaders.steps;
    tell_all(group, "coupling steps", window.steps);
    Share mine;
    ShareCalculator(table, window, input.run, input.counterparts).add(row, mine);
    return added_up(group, std::move(mine));
}

} // namespace

CouplingLoop agree_on_loop(Group &group, const EventTable &table, const WindowLimits &limits, Interval run,
                           OwnRow &row, std::span<const RegionSummary> regions) {
    CouplingLoop loop;
    OwnExchanges &own = loop.exchanges;
    if (group.leads()) {
        loop.window = find_window(table, limits);
        own.of_whole_run = !loop.window.known();
        own.within = own.of_whole_run ? run : loop.window.interval();
        const auto processes = static_cast<std::size_t>(group.size());
        loop.chosen = choose_exchanges(table, loop.window, processes, most_chosen(processes));
        loop.regions = plan_regions(loop.window, regions, processes);
    }
    tell_all(group, "the coupling loop", own.within.start, own.within.stop, own.of_whole_run, loop.chosen,
             loop.regions);
    if (!loop.chosen.fits_together() || !loop.regions.fits_together()) throw DamagedMessage("the coupling loop");
    LookAtLoop look = row.look_at_loop(own.within, loop.chosen.list);
    own.own = look.exchanges;
    loop.starts = std::move(look.starts);
    if (own.of_whole_run) return loop;
    loop.process_waiting.add(own.own);
    group.reduce(std::span(&loop.process_waiting, 1), add_theirs);
    return loop;
}

void share_sync_counterparts(Group &group, EventTable &table) {
    EventKeys &keys = table.keys;
    const SyncPlaces places = sync_places(table);
    for (const auto &[field, of_field] : places) {
        std::vector<std::int32_t> counterparts;
        for (const std::uint32_t k : of_field)
            counterparts.push_back(keys.what(k).counterpart);
        group.broadcast(std::as_writable_bytes(std::span(counterparts)));
        for (std::size_t i = 0; i < of_field.size() && !group.leads(); ++i)
            keys.set_counterpart(of_field[i], counterparts[i]);
    }
}

Share sum_of_shares(Group &group, EventTable &table, const Window &window, OwnRow &row, const ShareInput &input) {
    if (input.alike == Alike::shares) {
        Share one;
        if (!group.leads()) return one;
        ShareCalculator calculator(table, window, input.run, input.counterparts, group.size());
        calculator.add_last(row.take(calculator.looks_at_times()), one);
        return repeated(std::move(one), group.size());
    }
    if (input.alike == Alike::events) {
        SumOfSame sum = group.leads() ? lead_same_events(group, table, window, row.whole(), input)
                                      : follow_same_events(group, table.keys, row.whole());
        if (sum) return std::move(*sum);
    }
    return sum_of_different_events(group, table, window, row.whole(), input);
}

} // namespace cpl_lb
