// Packs the annotations of regions into messages and reads them back.
#include "run/live/annotations_wire.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {

void put_annotations(WireWriter &out, const std::vector<Annotation> &all) {
    out.put(all.size());
    for (const Annotation &a : all) {
        for (const std::string *text : {&a.quantity, &a.expression, &a.why_no_value})
            out.put(*text);
        out.put(a.value);
    }
}

std::vector<Annotation> get_annotations(WireReader &in) {
    std::vector<Annotation> all;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        Annotation &a = all.emplace_back();
        for (std::string *text : {&a.quantity, &a.expression, &a.why_no_value})
            *text = in.get_text();
        a.value = in.get<Spread>();
    }
    return all;
}

void put_annotations(WireWriter &out, const std::vector<AssertedParameter> &all) {
    out.put(all.size());
    for (const AssertedParameter &p : all) {
        out.put(p.name);
        out.put(p.value);
        out.put(p.changes);
    }
}

std::vector<AssertedParameter> get_parameters(WireReader &in) {
    std::vector<AssertedParameter> all;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        AssertedParameter &p = all.emplace_back();
        p.name = in.get_text();
        p.value = in.get<Spread>();
        p.changes = in.get<std::int64_t>();
    }
    return all;
}

void put_annotations(WireWriter &out, const std::vector<RegionEntry> &all) {
    out.put(all.size());
    for (const RegionEntry &e : all) {
        out.put(e.from);
        out.put(e.region);
        out.put(e.times);
    }
}

std::vector<RegionEntry> get_control_flow(WireReader &in) {
    std::vector<RegionEntry> all;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        RegionEntry &e = all.emplace_back();
        e.from = in.get_text();
        e.region = in.get_text();
        e.times = in.get<std::int64_t>();
    }
    return all;
}

// Of processes that gave different expressions there is no common value.
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
