// Adds up, for one process, the parts of its operations that lie outside its waiting.
#include "analysis/own_share.hpp"

#include "support/large_pages.hpp"

#include <algorithm>
#include <tuple>

namespace cpl_lb {

using Role = EventRoles::Role;

std::vector<OperationsInParts> operations_in_parts(const EventRoles &roles, std::span<const EventSpan> spans,
                                                   const ByPart<Interval> &parts) {
    std::vector<OperationsInParts> runs;
    if (!roles.any_operation()) return runs;
    for (EventIndex k = 0; k < roles.size(); ++k) {
        if (!roles.is_operation(k)) continue;
        PartFlags in = 0;
        for (std::size_t i = 0; i < part::count; ++i)
            in |= lies_in(spans[k], parts[i]) ? flag(i) : 0;
        if (runs.empty() || runs.back().parts != in) runs.push_back({0, in});
        ++runs.back().operations;
    }
    return runs;
}

OwnShare::OwnShare(const EventRoles &roles, std::span<const OperationsInParts> operations,
                   std::span<const Nanoseconds> fine_ends, std::span<const Nanoseconds> coarse_ends)
    : roles_(roles), has_window_(coarse_ends.size() > 2), away_beside_(fine_ends), operations_beside_(coarse_ends) {
    if (!roles.any_operation()) return;
    place_in_own_.resize(roles.size());
    if (operations.empty()) return;
    std::uint64_t left = operations.front().operations;
    for (EventIndex k = 0; k < roles.size(); ++k) {
        if (!roles.is_operation(k)) continue;
        while (left == 0) {
            operations = operations.subspan(1);
            if (operations.empty()) return;
            left = operations.front().operations;
        }
        const auto kind = static_cast<std::size_t>(roles.role(k)) - static_cast<std::size_t>(Role::mapping);
        place_in_own_[k] = static_cast<std::uint8_t>((operations.front().parts & all_parts) * operation_kinds + kind);
        --left;
    }
}

void OwnShare::walk(const Row &row, EventSet &nested) {
    own_ = {};
    const auto closed = [this](EventIndex k, Nanoseconds own) {
        OwnDurations &sum = own_[place_in_own_[k]];
        sum.sum += own;
        sum.any = true;
    };
    Nanoseconds exchanging_until = absent; // the latest stop of p's exchanges so far: those started earlier
    stack_.clear();
    operations_.clear();
    if (!roles_.any_other_kind()) return; // and in earlier rows there was none either
    std::fill(nested.begin(), nested.end(), 0);
    order_.set(row);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const EventIndex k = order_[i];
        const Nanoseconds start = row.start[k];
        const Nanoseconds stop = row.stop[k];
        if (start == absent) continue;
        const Role role = roles_.role(k);
        if (!stack_.empty()) stack_.meet(start, stop, closed);
        if (EventRoles::is_exchange(role)) {
            exchanging_until = std::max(exchanging_until, stop);
            continue;
        }
        if (role == Role::none) continue;
        if (stop <= exchanging_until) insert(nested, k);
        if (role == Role::other) continue;
        operations_.push_back({start, stop});
        // Most operations end before the next one begins. (An absent event is earlier than all others.)
        if (stack_.empty() && i + 1 < order_.size() && row.start[order_[i + 1]] >= stop)
            closed(k, stop - start);
        else
            stack_.open(k, start, stop);
    }
    stack_.finish(closed);
}

IntervalShare OwnShare::own_durations_in(std::size_t part) const {
    IntervalShare all;
    for (std::size_t parts = 0; parts < own_.size() / operation_kinds; ++parts) {
        if ((parts >> part & 1U) == 0) continue;
        const OwnDurations *of_parts = &own_[parts * operation_kinds];
        const auto &[mapping, output, restart] = std::tie(of_parts[0], of_parts[1], of_parts[2]);
        all.mapping += mapping.sum;
        all.output += output.sum + restart.sum;
        all.restart += restart.sum;
        all.mapping_processes |= mapping.any ? 1 : 0;
        all.output_processes |= output.any || restart.any ? 1 : 0;
        all.restart_processes |= restart.any ? 1 : 0;
    }
    return all;
}

void OwnShare::add_to(Share &sum, PartFlags counting) const {
    const ByPart<Nanoseconds> beside = operations_beside_.by_part();
    const ByPart<Nanoseconds> away = was_away_ ? away_beside_.by_part() : ByPart<Nanoseconds>{};
    const ByPart<IntervalShare *> shares = {&sum.startup, &sum.loop, &sum.shutdown, &sum.whole};
    for (std::size_t i = has_window_ ? part::startup : part::whole; i < part::count; ++i) {
        IntervalShare share = own_durations_in(i);
        if ((counting & flag(i)) != 0) {
            share.waiting_or_operations = beside[i];
            share.away = away[i];
        }
        *shares[i] += share;
    }
    if (!has_window_ || !was_away_) return;
    sum.step_away.resize(std::max(sum.step_away.size(), away_beside_.steps().size()));
    if ((counting & flag(part::loop)) != 0) add_by_step(sum.step_away, away_beside_.steps());
}

void add_by_step(std::vector<WideNanoseconds> &sum, std::span<const Nanoseconds> steps) {
    if (sum.size() < steps.size()) {
        sum.reserve(steps.size());
        prefer_large_pages(sum);
        sum.resize(steps.size());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        sum[i] += steps[i];
}

} // namespace cpl_lb
