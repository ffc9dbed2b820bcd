// Groups of components with one count as one leaf of the pool.
#include "prediction/split_units.hpp"

#include "prediction/coupling_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

using UnitOfComponent = std::map<std::size_t, std::size_t>;

// A leaf stands for its whole unit, at the place of the unit's first component.
ProcessorPool with_units(const ProcessorPool &pool, const UnitOfComponent &unit_of,
                         const std::vector<SplitUnit> &units) {
    if (pool.kind == ProcessorPool::Kind::component) {
        const std::size_t unit = unit_of.at(pool.component);
        if (units[unit].of.size() > 1)
            throw PredictionError("members of an ensemble share cores with others, and what each would take with "
                                  "other cores is not known");
        return {pool.kind, unit, {}};
    }
    ProcessorPool result;
    result.kind = pool.kind;
    std::map<std::size_t, std::size_t> found; // by unit: components that are parts here
    for (const ProcessorPool &part : pool.parts) {
        const bool leaf = part.kind == ProcessorPool::Kind::component;
        const std::size_t unit = leaf ? unit_of.at(part.component) : 0;
        const bool beside = leaf && pool.kind == ProcessorPool::Kind::side_by_side && units[unit].of.size() > 1;
        if (!beside) {
            result.parts.push_back(with_units(part, unit_of, units));
            continue;
        }
        if (++found[unit] == 1) result.parts.push_back({ProcessorPool::Kind::component, unit, {}});
    }
    for (const auto &[unit, count] : found) {
        if (count < units[unit].of.size()) {
            throw PredictionError(
                "some members of an ensemble share cores with others, and some do not: what another "
                "split could gain is not known");
        }
    }
    return result;
}

} // namespace

std::vector<SplitUnit> split_units(const std::vector<ComponentToSplit> &components, const AlikeComponents &alike) {
    std::vector<SplitUnit> units;
    units.reserve(components.size());
    for (std::size_t c = 0; c < components.size(); ++c) {
        const auto group = std::find_if(alike.begin(), alike.end(), [&](const std::vector<std::size_t> &one) {
            return std::find(one.begin(), one.end(), c) != one.end();
        });
        if (group == alike.end()) {
            units.push_back({{c}});
        } else if (*std::min_element(group->begin(), group->end()) == c) {
            units.push_back({*group});
        }
    }
    for (SplitUnit &unit : units) {
        for (const std::size_t c : unit.of) {
            const ComponentToSplit &one = components[c];
            unit.work_s += one.computing_s * static_cast<double>(one.cores) / static_cast<double>(unit.of.size());
            unit.present += one.cores;
            unit.threads = std::max(unit.threads, one.threads);
            unit.keeps = unit.keeps || one.keeps;
        }
    }
    return units;
}

ProcessorPool pool_of_units(const ProcessorPool &pool, const std::vector<SplitUnit> &units) {
    UnitOfComponent unit_of;
    for (std::size_t u = 0; u < units.size(); ++u)
        for (const std::size_t c : units[u].of)
            unit_of.emplace(c, u);
    return with_units(pool, unit_of, units);
}

} // namespace cpl_lb
