// Packs the meters of a process into messages and reads them back.
#include "run/live/meters_wire.hpp"

#include <algorithm>

namespace cpl_lb {

void put_meters(WireWriter &out, const std::vector<NamedSpread> &all) {
    out.put(all.size());
    for (const NamedSpread &one : all) {
        out.put(one.name);
        out.put(one.over);
        out.put(one.why_missing);
    }
}

std::vector<NamedSpread> get_named_spreads(WireReader &in) {
    std::vector<NamedSpread> all;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        NamedSpread &one = all.emplace_back();
        one.name = in.get_text();
        one.over = in.get<Spread>();
        one.why_missing = in.get_text();
    }
    return all;
}

void put_meters(WireWriter &out, const Series &series) {
    out.put(series.step_s);
    out.put(series.values);
}

Series get_series(WireReader &in) {
    Series series;
    series.step_s = in.get<double>();
    series.values = in.get_vector<Spread>();
    return series;
}

void put_meters(WireWriter &out, const std::vector<MeterFigures> &all) {
    out.put(all.size());
    for (const MeterFigures &m : all) {
        out.put(m.meter);
        out.put(m.quantity);
        out.put(m.unit);
        out.put(m.of_node);
        out.put(m.counts_up);
        out.put(m.over);
        out.put(m.rate_per_s);
        put_meters(out, m.series);
        out.put(m.why_missing);
    }
}

std::vector<MeterFigures> get_meter_figures(WireReader &in) {
    std::vector<MeterFigures> all;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        MeterFigures &m = all.emplace_back();
        m.meter = in.get_text();
        m.quantity = in.get_text();
        m.unit = in.get_text();
        m.of_node = in.get<bool>();
        m.counts_up = in.get<bool>();
        m.over = in.get<Spread>();
        m.rate_per_s = in.get<Spread>();
        m.series = get_series(in);
        m.why_missing = in.get_text();
    }
    return all;
}

void put_meters(WireWriter &out, const RegionMeters &m) {
    put_meters(out, m.counters);
    out.put(m.energy_J);
    out.put(m.memory_B);
    out.put(m.memory_calls);
    out.put(m.messages);
    out.put(m.message_B);
}

RegionMeters get_region_meters(WireReader &in) {
    RegionMeters m;
    m.counters = get_named_spreads(in);
    m.energy_J = in.get<Spread>();
    m.memory_B = in.get<Spread>();
    m.memory_calls = in.get<std::int64_t>();
    m.messages = in.get<Spread>();
    m.message_B = in.get<Spread>();
    return m;
}

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs) {
    for (const NamedSpread &one : theirs) {
        const auto at =
            std::find_if(mine.begin(), mine.end(), [&](const NamedSpread &m) { return m.name == one.name; });
        if (at == mine.end()) {
            mine.push_back(one);
            continue;
        }
        at->over.add(one.over);
        if (at->why_missing.empty()) at->why_missing = one.why_missing;
    }
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
    for (const MeterFigures &one : theirs) {
        const auto at = std::find_if(mine.begin(), mine.end(), [&](const MeterFigures &m) {
            return m.meter == one.meter && m.quantity == one.quantity;
        });
        if (at == mine.end()) {
            mine.push_back(one);
            continue;
        }
        at->over.add(one.over);
        at->rate_per_s.add(one.rate_per_s);
        unite(at->series, one.series);
        if (at->why_missing.empty()) at->why_missing = one.why_missing;
    }
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
