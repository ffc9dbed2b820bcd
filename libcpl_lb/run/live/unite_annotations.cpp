// Unites the annotations that the processes of a component gave.
#include "run/live/unite_annotations.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {

// There is no common value of processes that gave different expressions.
void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs) {
    for (const Annotation &a : theirs) {
        const auto at =
            std::find_if(mine.begin(), mine.end(), [&](const Annotation &m) { return m.quantity == a.quantity; });
        if (at == mine.end()) {
            mine.push_back(a);
            continue;
        }
        if (at->expression != a.expression && at->why_no_value.empty())
            at->why_no_value =
                fmt::format("processes gave different expressions: '{}' and '{}'", at->expression, a.expression);
        if (at->why_no_value.empty()) at->why_no_value = a.why_no_value;
        at->value.add(a.value);
        if (!at->why_no_value.empty()) at->value = {};
    }
}

void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs) {
    for (const AssertedParameter &p : theirs) {
        const auto at =
            std::find_if(mine.begin(), mine.end(), [&](const AssertedParameter &m) { return m.name == p.name; });
        if (at == mine.end()) {
            mine.push_back(p);
            continue;
        }
        at->value.add(p.value);
        at->changes += p.changes;
    }
}

void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs) {
    for (const RegionEntry &e : theirs) {
        const auto at = std::find_if(mine.begin(), mine.end(),
                                     [&](const RegionEntry &m) { return m.from == e.from && m.region == e.region; });
        if (at == mine.end())
            mine.push_back(e);
        else
            at->times += e.times;
    }
}

} // namespace cpl_lb
