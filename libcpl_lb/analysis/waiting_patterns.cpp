// Processes with the same events wait at the same times: calculates the waiting once for each such pattern of events,
// and divides it at the ends of coupling steps.
#include "analysis/waiting_patterns.hpp"

#include "analysis/intervals.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cpl_lb {
namespace {

// Memory for all kept patterns together. Several are kept because ranks of different kinds may alternate.
constexpr std::size_t kept_bytes = std::size_t{16} << 20U;
constexpr std::size_t bytes_per_event = 24; // of a pattern: mostly Omega_p and the steps
constexpr std::size_t most_useful = 8;

EventRoles::Role role_of(Kind kind) {
    using Role = EventRoles::Role;
    if (kind == Kind::put) return Role::put;
    if (kind == Kind::get) return Role::get;
    if (kind == Kind::sync) return Role::sync;
    if (is_mapping(kind)) return Role::mapping;
    if (is_restart(kind)) return Role::restart;
    if (is_output(kind)) return Role::output;
    return kind == Kind::term ? Role::none : Role::other;
}

std::vector<Nanoseconds> &waiting_in(WaitingPattern &pattern, EventRoles::Role role) {
    if (role == EventRoles::Role::sync) return pattern.for_sync;
    return role == EventRoles::Role::get ? pattern.for_get : pattern.for_put;
}

} // namespace

EventRoles::EventRoles(const EventKeys &keys) : class_of_(keys.of_events()) {
    for (const EventClass &c : keys.classes())
        classes_.push_back({role_of(c.kind), static_cast<std::uint32_t>(std::max(c.counterpart, 0))});
    std::vector<std::uint8_t> has_events(classes_.size());
    for (const std::uint32_t c : class_of_)
        has_events[c] = 1;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        const Role role = classes_[c].role;
        if (has_events[c] == 0 || role == Role::none) continue;
        if (is_exchange(role))
            highest_counterpart_ = std::max(highest_counterpart_, classes_[c].counterpart);
        else
            any_other_kind_ = true;
        any_operation_ = any_operation_ || (!is_exchange(role) && role != Role::other);
    }
}

WaitingPatterns::WaitingPatterns(const EventTable &events, const EventRoles &roles, std::span<const Nanoseconds> ends,
                                 const ByPart<Interval> &parts, std::int32_t counterparts, std::int64_t processes)
    : spans_(events.spans), roles_(roles), ends_(ends), parts_(parts),
      counterparts_(std::max(static_cast<std::uint32_t>(std::max(counterparts, 0)), roles.highest_counterpart()) +
                    std::size_t{1}),
      processes_known_(processes > 0), everywhere_(no_events(roles.size())),
      most_kept_(std::clamp<std::size_t>(kept_bytes / (bytes_per_event * roles.size() + 1), 1, most_useful)) {
    bool ascending = true;
    EventSpan last;
    for (EventIndex k = 0; k < roles_.size(); ++k) {
        const EventSpan span = spans_[k];
        if (!roles_.is_exchange(k) || span.empty()) continue;
        if (processes > 0 && span.processes == processes) {
            insert(everywhere_, k);
        } else if (processes > 0) {
            somewhere_.push_back(k);
        }
        if (touched_by_anyone_ != all_parts) touched_by_anyone_ |= touched_by(span);
        ascending = ascending && (span.last_start > last.last_start ||
                                  (span.last_start == last.last_start && span.last_stop <= last.last_stop));
        last = span;
    }
    if (ascending) return;
    for (EventIndex k = 0; k < roles_.size(); ++k)
        if (roles_.is_exchange(k)) exchange_order_.push_back(k);
    sort_by_waiting(exchange_order_);
}

PartFlags WaitingPatterns::touched_by(const EventSpan &span) const {
    const Interval loop = parts_[part::loop];
    if (span.last_start >= loop.start && span.last_start < loop.stop && span.last_stop <= loop.stop)
        return flag(part::loop) | flag(part::whole); // nearly all
    PartFlags touched = 0;
    for (std::size_t i = 0; i < part::count; ++i)
        touched |= touches(span, parts_[i]) ? flag(i) : 0;
    return touched;
}

void WaitingPatterns::sort_by_waiting(std::vector<EventIndex> &list) const {
    sort_nearly_sorted(list, [this](EventIndex a, EventIndex b) {
        const Nanoseconds S_a = spans_[a].last_start;
        const Nanoseconds S_b = spans_[b].last_start;
        if (S_a != S_b) return S_a < S_b;
        return spans_[a].last_stop != spans_[b].last_stop ? spans_[a].last_stop > spans_[b].last_stop : a < b;
    });
}

void WaitingPatterns::note_presence(const Row &row) {
    if (processes_known_) {
        present_ = everywhere_;
        for (const EventIndex k : somewhere_)
            present_[k / 64] |= static_cast<std::uint64_t>(row.start[k] != absent) << k % 64;
        return;
    }
    present_.resize(everywhere_.size());
    for (std::size_t word = 0; word < present_.size(); ++word) {
        const std::size_t first = word * 64;
        const std::size_t bits = std::min<std::size_t>(64, row.start.size() - first);
        std::uint64_t there = 0;
        for (std::size_t i = 0; i < bits; ++i)
            there |= static_cast<std::uint64_t>(row.start[first + i] != absent) << i;
        present_[word] = there;
    }
}

const WaitingPattern &WaitingPatterns::of(const Row &row, const EventSet &nested, bool with_omega) {
    note_presence(row);
    const auto same = std::ranges::find_if(kept_, [&](const WaitingPattern &known) {
        return (known.keeps_omega || !with_omega) && known.present == present_ && known.nested == nested;
    });
    if (same != kept_.end()) {
        std::rotate(kept_.begin(), same, same + 1);
        return kept_.front();
    }
    // A new pattern, or the least recently used one, comes to the front.
    if (kept_.size() < most_kept_) kept_.emplace_back(ends_);
    std::rotate(kept_.begin(), kept_.end() - 1, kept_.end());
    WaitingPattern &pattern = kept_.front();
    pattern.present.swap(present_);
    pattern.nested = nested;
    pattern.keeps_omega = with_omega;
    sweep(pattern);
    return pattern;
}

// Passes on the part that each exchange adds to the union of their [S_k, E_k], ascending.
template <class Sink>
void WaitingPatterns::for_each_piece(WaitingPattern &pattern, Sink &&sink) {
    Nanoseconds covered_until = absent;
    const std::size_t exchanges = exchange_order_.empty() ? roles_.size() : exchange_order_.size();
    for (std::size_t i = 0; i < exchanges; ++i) {
        const EventIndex k = exchange_order_.empty() ? static_cast<EventIndex>(i) : exchange_order_[i];
        if (!roles_.is_exchange(k) || !contains(pattern.present, k)) continue;
        const EventSpan span = spans_[k];
        if (pattern.touched != touched_by_anyone_) pattern.touched |= touched_by(span);
        const Interval piece{std::max(span.last_start, covered_until), span.last_stop};
        if (piece.length() == 0) continue;
        covered_until = piece.stop;
        sink(k, piece);
    }
}

void WaitingPatterns::list_nested(const EventSet &nested) {
    nested_.clear();
    for (std::size_t word = 0; word < nested.size(); ++word) {
        for (std::uint64_t bits = nested[word]; bits != 0; bits &= bits - 1)
            nested_.push_back(static_cast<EventIndex>(word * 64) + static_cast<EventIndex>(std::countr_zero(bits)));
    }
    sort_by_waiting(nested_);
}

void WaitingPatterns::sweep(WaitingPattern &pattern) {
    list_nested(pattern.nested);
    const auto nested = [this, i = std::size_t{0}](Interval &out) mutable {
        if (i == nested_.size()) return false;
        const EventSpan span = spans_[nested_[i++]];
        out = {span.last_start, span.last_stop};
        return true;
    };
    Subtrahend other_kinds{UnionStream(nested)};
    const Interval loop = parts_[part::loop];
    pattern.touched = 0;
    pattern.by_step.reset();
    pattern.omega.clear();
    if (pattern.keeps_omega) { // each exchange is one piece, each event taken out makes at most one more
        pattern.omega.reserve(roles_.size());
        prefer_large_pages(pattern.omega);
    }
    pattern.for_get.assign(counterparts_, 0);
    pattern.for_put.assign(counterparts_, 0);
    pattern.for_sync.assign(counterparts_, 0);
    for_each_piece(pattern, [&](EventIndex k, Interval piece) {
        Nanoseconds &for_it = waiting_in(pattern, roles_.role(k))[roles_.counterpart(k)];
        other_kinds.take_from(piece, [&](Interval omega) {
            pattern.by_step.add(omega);
            for_it += Interval{std::max(omega.start, loop.start), std::min(omega.stop, loop.stop)}.length();
            if (pattern.keeps_omega) pattern.omega.push_back(omega);
        });
    });
    pattern.by_part = pattern.by_step.by_part();
}

std::vector<Nanoseconds> segment_ends(const Window &window, Interval run, bool with_steps) {
    if (!window.known()) return {run.start, std::max(run.start, run.stop)};
    std::vector<Nanoseconds> ends;
    ends.reserve((with_steps ? window.steps.size() : 2) + 2);
    ends.push_back(std::min(run.start, window.steps.front()));
    if (with_steps) {
        ends.insert(ends.end(), window.steps.begin(), window.steps.end());
    } else {
        ends.insert(ends.end(), {window.steps.front(), window.steps.back()});
    }
    ends.push_back(std::max(run.stop, window.steps.back()));
    return ends;
}

ByPart<Interval> parts_of(const Window &window, Interval run) {
    const std::vector<Nanoseconds> ends = segment_ends(window, run, false);
    const Interval all{ends.front(), ends.back()};
    if (!window.known()) return {Interval{}, Interval{}, Interval{}, all};
    return {Interval{ends[0], ends[1]}, Interval{ends[1], ends[2]}, Interval{ends[2], ends[3]}, all};
}

ByPart<Nanoseconds> SegmentSums::by_part() const {
    const Nanoseconds all = std::accumulate(sums_.begin(), sums_.end(), Nanoseconds{0});
    return {sums_.front(), all - sums_.front() - sums_.back(), sums_.back(), all};
}

} // namespace cpl_lb
