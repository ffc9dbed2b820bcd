// Orders the components as in the run, and puts them side by side or in turn into a row of places.
#include "tools/launch/launch_plan.hpp"

#include <algorithm>
#include <numeric>

namespace cpl_lb {
namespace {

using PoolKind = ProcessorPool::Kind;

std::size_t first_of(const ProcessorPool &pool) {
    if (pool.kind == PoolKind::component) return pool.component;
    auto first = static_cast<std::size_t>(-1);
    for (const ProcessorPool &part : pool.parts)
        first = std::min(first, first_of(part));
    return first;
}

// With the new place of each component, and parts in the order of the run.
ProcessorPool in_order(const ProcessorPool &pool, const std::vector<std::size_t> &place_of) {
    ProcessorPool ordered{pool.kind, pool.component, {}};
    if (pool.kind == PoolKind::component) {
        ordered.component = place_of[pool.component];
        return ordered;
    }
    for (const ProcessorPool &part : pool.parts)
        ordered.parts.push_back(in_order(part, place_of));
    std::ranges::stable_sort(
        ordered.parts, [](const ProcessorPool &a, const ProcessorPool &b) { return first_of(a) < first_of(b); });
    return ordered;
}

bool any_in_turn(const ProcessorPool &pool) {
    if (pool.kind == PoolKind::component) return false;
    return (pool.kind == PoolKind::one_after_other && pool.parts.size() > 1) ||
           std::ranges::any_of(pool.parts, any_in_turn);
}

// Returns the number of places that the pool takes.
std::int64_t place(const ProcessorPool &pool, const std::vector<std::int64_t> &sizes, std::int64_t first,
                   std::vector<PlaceInRow> &parts) {
    if (pool.kind == PoolKind::component) {
        parts[pool.component] = {first, sizes[pool.component]};
        return sizes[pool.component];
    }
    std::int64_t taken = 0;
    for (const ProcessorPool &part : pool.parts) {
        if (pool.kind == PoolKind::one_after_other)
            taken = std::max(taken, place(part, sizes, first, parts));
        else
            taken += place(part, sizes, first + taken, parts);
    }
    return taken;
}

} // namespace

std::pair<std::int64_t, std::int64_t> LaunchPart::tiles() const {
    std::int64_t i = 1;
    for (std::int64_t n = 1; n * n <= processes; ++n)
        if (processes % n == 0) i = n;
    return {i, processes / i};
}

bool LaunchPlan::in_turn() const {
    return !with_unknown.empty() || any_in_turn(pool);
}

std::int64_t LaunchPlan::same_threads() const {
    const std::int64_t threads = parts.empty() ? 1 : parts.front().threads;
    return std::ranges::all_of(parts, [&](const LaunchPart &part) { return part.threads == threads; }) ? threads : 0;
}

LaunchPlan launch_plan(const BalanceModel &model, const std::vector<std::int64_t> &cores,
                       const std::vector<std::int64_t> &threads, std::int64_t node_cores) {
    LaunchPlan plan;
    plan.node_cores = node_cores;
    std::vector<LaunchPart> parts;
    std::vector<std::int32_t> ids;
    ProcessorPool all = cores_of_their_own(0);
    const std::size_t coupled = model.names.size();
    for (std::size_t c = 0; c < coupled; ++c) {
        const bool recorded = c < model.mpi_recorded.size() && model.mpi_recorded[c];
        parts.push_back({model.names[c], std::max<std::int64_t>(1, cores[c] / threads[c]), threads[c], recorded});
        ids.push_back(model.ids.empty() ? 0 : model.ids[c]);
        plan.other_threads =
            plan.other_threads || (c < model.other_threads.size() && !model.other_threads[c].empty());
    }
    if (model.pool.kind == PoolKind::side_by_side)
        all.parts = model.pool.parts.empty() ? cores_of_their_own(coupled).parts : model.pool.parts;
    else
        all.parts = {model.pool};
    for (const KeptComponent &kept : model.kept) {
        all.parts.push_back({PoolKind::component, parts.size(), {}});
        parts.push_back(
            {kept.name, std::max<std::int64_t>(1, kept.cores / kept.threads), kept.threads, kept.mpi_recorded});
        ids.push_back(kept.id);
        if (kept.own_cores != kept.cores) plan.with_unknown += (plan.with_unknown.empty() ? "" : ", ") + kept.name;
    }
    std::vector<std::size_t> order(parts.size()), place_of(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    for (std::size_t place = 0; place < order.size(); ++place) {
        place_of[order[place]] = place;
        plan.parts.push_back(parts[order[place]]);
    }
    plan.pool = in_order(all, place_of);
    return plan;
}

PlacesInRow placed(const LaunchPlan &plan, const std::vector<std::int64_t> &sizes) {
    PlacesInRow row;
    row.parts.resize(plan.parts.size());
    static_cast<void>(place(plan.pool, sizes, 0, row.parts));
    for (const PlaceInRow &part : row.parts)
        if (part.count > 0) row.total = std::max(row.total, part.first + part.count);
    return row;
}

PlacesInRow ranks_of(const LaunchPlan &plan) {
    std::vector<std::int64_t> processes;
    for (const LaunchPart &part : plan.parts)
        processes.push_back(part.processes);
    return placed(plan, processes);
}

} // namespace cpl_lb
