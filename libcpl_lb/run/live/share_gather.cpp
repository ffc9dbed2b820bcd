// Works out the waiting of each process where the processes recorded different events or were away.
#include "run/live/share_gather.hpp"

#include "mpi/wire.hpp"
#include "run/live/merge_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace cpl_lb {
namespace {

std::uint64_t hash_of(const EventSet &events) {
    std::uint64_t hash = events.size();
    for (const std::uint64_t word : events)
        hash = std::rotl((hash ^ word) * 0x9fb21c651e98df25U, 27);
    return hash;
}

} // namespace

bool ShareGather::of_same_events(const Row &row, bool away, Share &sum) {
    bool alike = false;
    if (!(group_.leads() ? lead_same_events(row, away, sum, alike) : follow_same_events(row, sum, alike)))
        return false;
    return alike || of_different_events(row, sum);
}

// Times decide which event lies inside which. With a coarse clock, two marks may have the same time on one process
// only.
bool ShareGather::agree(const EventSet &nested, bool &alike) {
    struct Range {
        std::uint64_t least, greatest;
    };
    const std::uint64_t mine = hash_of(nested);
    Range range{mine, mine};
    const auto widen = [](Range &a, const Range &b) {
        a = {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
    };
    if (!group_.reduce(std::span(&range, 1), widen) || !group_.broadcast(as_wire_out(range))) return false;
    alike = range.least == range.greatest;
    return true;
}

// Sends first what the others need first: they walk through their events at the same time.
bool ShareGather::lead_same_events(const Row &row, bool away, Share &sum, bool &alike) {
    ShareCalculator calculator(table_, window_, run_, counterparts_);
    WireWriter out;
    out.put(calculator.operations());
    out.put(calculator.coarse_ends());
    out.put(away ? calculator.fine_ends() : std::vector<Nanoseconds>());
    Bytes places = out.take();
    if (!group_.broadcast_all(places)) return false;
    places = {};
    if (!agree(calculator.walk(row), alike)) return false;
    if (!alike) return true;
    const WaitingPattern &pattern = calculator.waiting_of(row, true);
    const std::span<const Interval> omega = pattern.omega;
    std::size_t pieces = omega.size();
    if (!group_.broadcast(as_wire_out(pieces))) return false;
    const auto give = [&](std::size_t at, std::span<std::byte> block) {
        std::memcpy(block.data(), std::as_bytes(omega).data() + at, block.size());
    };
    if (!group_.stream_down(omega.size_bytes(), sizeof(Interval), give, {})) return false;
    calculator.add_own(row, pattern, sum);
    if (!sum_shares(sum)) return false;
    Share waiting;
    calculator.add_waiting(pattern, waiting);
    sum += repeated(std::move(waiting), group_.size());
    return true;
}

bool ShareGather::follow_same_events(const Row &row, Share &sum, bool &alike) {
    Bytes places;
    if (!group_.broadcast_all(places)) return false;
    WireReader in(places);
    const auto operations = in.get_vector<OperationsInParts>();
    const auto coarse_ends = in.get_vector<Nanoseconds>();
    const auto fine_ends = in.get_vector<Nanoseconds>();
    in.finish("the load balance", coarse_ends.size() >= 2);
    const EventRoles roles(table_.keys);
    OwnShare own(roles, operations, fine_ends.empty() ? coarse_ends : fine_ends, coarse_ends);
    EventSet nested = no_events(roles.size());
    own.walk(row, nested);
    if (!agree(nested, alike)) return false;
    if (!alike) return true;
    std::size_t pieces = 0;
    if (!group_.broadcast(as_wire_out(pieces))) return false;
    bool good = true;
    own.lay_beside(row, [&](auto visit) {
        const auto take = [&](std::size_t /*at*/, std::span<const std::byte> block) {
            for (; !block.empty(); block = block.subspan(sizeof(Interval))) {
                Interval next;
                std::memcpy(&next, block.data(), sizeof next);
                visit(next);
            }
        };
        good = group_.stream_down(pieces * sizeof(Interval), sizeof(Interval), {}, take);
    });
    if (!good) return false;
    own.add_to(sum, all_parts); // all exchange in the same parts
    return sum_shares(sum);
}

bool ShareGather::of_different_events(const Row &row, Share &sum) {
    Window window;
    if (!share_spans() || !share_window(window)) return false;
    ShareCalculator(table_, window, run_, counterparts_).add(row, sum);
    return sum_shares(sum);
}

// S and E go back, in blocks: each process computes its own union from them.
bool ShareGather::share_spans() {
    struct Late {
        Nanoseconds start, stop;
    };
    std::vector<EventSpan> &spans = table_.spans;
    spans.resize(table_.keys.size());
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
    return group_.stream_down(spans.size() * sizeof(Late), sizeof(Late), give, take);
}

// Its steps are all that a share depends on.
bool ShareGather::share_window(Window &window) {
    WireWriter out;
    out.put(window_.steps);
    Bytes bytes = out.take();
    if (!group_.broadcast_all(bytes)) return false;
    WireReader in(bytes);
    window.steps = in.get_vector<Nanoseconds>();
    in.finish("coupling steps");
    return true;
}

// The steps are many: element by element, in blocks. Not all processes have as many.
bool ShareGather::add_up_steps(Share &share) {
    struct Counts {
        std::size_t waiting, away;
    };
    Counts counts{share.step_waiting.size(), share.step_away.size()};
    const auto longer = [](Counts &a, const Counts &b) {
        a = {std::max(a.waiting, b.waiting), std::max(a.away, b.away)};
    };
    if (!group_.reduce(std::span(&counts, 1), longer) || !group_.broadcast(as_wire_out(counts))) return false;
    share.step_waiting.resize(counts.waiting);
    share.step_away.resize(counts.away);
    const auto add = [](WideNanoseconds &a, WideNanoseconds b) { a += b; };
    return group_.reduce(std::span(share.step_waiting), add) && group_.reduce(std::span(share.step_away), add);
}

bool ShareGather::sum_shares(Share &share) {
    if (!add_up_steps(share)) return false;
    const std::vector<WideNanoseconds> waiting = std::exchange(share.step_waiting, {});
    const std::vector<WideNanoseconds> away = std::exchange(share.step_away, {});
    const auto add = [](Share &mine, const Share &theirs) { mine += theirs; };
    if (!unite_up(group_, share, pack_share, unpack_share, add)) return false;
    share.step_waiting = waiting;
    share.step_away = away;
    return true;
}

} // namespace cpl_lb
