// Adds up the data of the processes of a component, or of a node.
#include "run/live/unite.hpp"

#include "support/fmt.hpp"

#include <tuple>

namespace cpl_lb {

void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs) {
    const auto add = [](Annotation &m, const Annotation &a) {
        if (m.expression != a.expression && m.why_no_value.empty())
            m.why_no_value =
                fmt::format("processes gave different expressions: '{}' and '{}'", m.expression, a.expression);
        if (m.why_no_value.empty()) m.why_no_value = a.why_no_value;
        m.value.add(a.value);
        if (!m.why_no_value.empty()) m.value = {};
    };
    unite_lists(mine, theirs, &Annotation::quantity, add);
}

void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs) {
    unite_lists(mine, theirs, &AssertedParameter::name, [](AssertedParameter &m, const AssertedParameter &p) {
        m.value.add(p.value);
        m.changes += p.changes;
    });
}

void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs) {
    const auto key = [](const RegionEntry &e) { return std::tie(e.from, e.region); };
    unite_lists(mine, theirs, key, [](RegionEntry &m, const RegionEntry &e) { m.times += e.times; });
}

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs) {
    unite_lists(mine, theirs, &NamedSpread::name, [](NamedSpread &m, const NamedSpread &one) {
        m.over.add(one.over);
        if (m.why_missing.empty()) m.why_missing = one.why_missing;
    });
}

void unite(Series &mine, const Series &theirs) {
    if (theirs.values.empty()) return;
    if (mine.values.empty()) {
        mine = theirs;
        return;
    }
    for (std::size_t i = 0; i < std::min(mine.values.size(), theirs.values.size()); ++i)
        mine.values[i].add(theirs.values[i]);
}

void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs) {
    const auto key = [](const MeterFigures &m) { return std::tie(m.meter, m.quantity); };
    unite_lists(mine, theirs, key, [](MeterFigures &m, const MeterFigures &one) {
        m.over.add(one.over);
        m.rate_per_s.add(one.rate_per_s);
        unite(m.series, one.series);
        if (m.why_missing.empty()) m.why_missing = one.why_missing;
    });
}

void unite(RegionMeters &mine, const RegionMeters &theirs) {
    unite(mine.counters, theirs.counters);
    mine.energy_J.add(theirs.energy_J);
    mine.memory_B.add(theirs.memory_B);
    mine.memory_calls += theirs.memory_calls;
    mine.messages.add(theirs.messages);
    mine.message_B.add(theirs.message_B);
}

} // namespace cpl_lb
