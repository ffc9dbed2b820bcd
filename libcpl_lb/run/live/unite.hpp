// Unites the data of two processes (or groups of processes): meters, annotations, entries of regions; and how these
// data, and single figures, go up the tree of a group.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/group.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace cpl_lb {

// What Group::reduce() does with two values: changes `mine`.
inline constexpr auto keep_larger = [](auto &mine, const auto &theirs) { mine = std::max(mine, theirs); };
inline constexpr auto keep_lesser = [](auto &mine, const auto &theirs) { mine = std::min(mine, theirs); };
inline constexpr auto sum_up = [](auto &mine, const auto &theirs) { mine += theirs; };
inline constexpr auto add_theirs = [](auto &mine, const auto &theirs) { mine.add(theirs); };

[[nodiscard]] inline int rank_at(const Group &group, int index) {
    return group.ranks()[static_cast<std::size_t>(index)];
}

// Group::reduce() with the result on all processes.
template <class T, class Combine>
void reduce_for_all(Group &group, std::span<T> values, Combine combine) {
    group.reduce(values, combine);
    group.broadcast(std::as_writable_bytes(values));
}

// Strings the messages of all processes together, on the leader. A child's processes come behind one's own, and those
// of a nearer child before those of one farther away.
inline void gather_bytes(Group &group, Bytes &all) {
    group.combine_up(all,
                     [](Bytes &mine, const Bytes &theirs) { mine.insert(mine.end(), theirs.begin(), theirs.end()); });
}

// `add(mine, theirs)` for entries with the same key in both lists, a member or what a function returns; entries only
// in `theirs` are appended.
template <class T, class Key, class Add>
void unite_lists(std::vector<T> &mine, const std::vector<T> &theirs, Key key, Add add) {
    for (const T &one : theirs) {
        const auto at = std::ranges::find(mine, std::invoke(key, one), key);
        if (at == mine.end())
            mine.push_back(one);
        else
            add(*at, one);
    }
}

// Processes that gave different expressions have no common value.
void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs);
void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs);
void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs);
void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs); // by name
void unite(Series &mine, const Series &theirs);                                     // both have the same intervals
// By meter and quantity. A figure is kept if the other process does not have it.
void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs);
void unite(RegionMeters &mine, const RegionMeters &theirs);

} // namespace cpl_lb
