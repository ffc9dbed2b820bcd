// Writes and reads expressions, parameters and the control flow of regions.
#include "io/json/annotations_json.hpp"

#include "io/json/json_writer.hpp"

namespace cpl_lb {

// A figure of the processes that told it: the mean, under the name "value".
template <class Way, Either<Spread> S>
void told_members(Way &way, S &s) {
    double mean = s.mean();
    way.figure("value", mean);
    way.figure("min", s.min);
    way.figure("max", s.max);
    way.count("processes", s.count);
    if constexpr (!std::is_const_v<S>) {
        s.sum = mean * static_cast<double>(s.count);
        if (s.count == 0) s = {};
    }
}

template <class Way, Either<Annotation> A>
void json_members(Way &way, A &a) {
    way.word("expression", a.expression);
    told_members(way, a.value);
    way.text("why_no_value", a.why_no_value);
    way.figure("measured", a.measured);
    way.text("measured_by", a.measured_by);
    way.text("why_not_measured", a.why_not_measured);
    way.derived("error", a.error());
}

template <class Way, Either<AssertedParameter> P>
void json_members(Way &way, P &p) {
    way.word("name", p.name);
    told_members(way, p.value);
    way.count("changes", p.changes);
}

template <class Way, Either<RegionEntry> E>
void json_members(Way &way, E &e) {
    way.text("from", e.from);
    way.word("region", e.region);
    way.count("times", e.times);
}

void add_annotations(JsonTree &region, const RegionSummary &summary) {
    for (const Annotation &a : summary.annotations) {
        JsonWriter way(region["annotations"][a.quantity]);
        json_members(way, a);
    }
}

void add_annotations(JsonTree &component, const Component &c) {
    JsonWriter way(component);
    if (!c.parameters.empty()) way.list("parameters", c.parameters);
    if (!c.control_flow.empty()) way.list("control_flow", c.control_flow);
}

void read_annotations(const JsonObject &region, RegionSummary &summary) {
    const nlohmann::json &all = region.member("annotations");
    if (!all.is_object()) return;
    for (const auto &[quantity, entry] : all.items()) {
        const JsonObject object(entry);
        Annotation &a = summary.annotations.emplace_back();
        a.quantity = quantity;
        const JsonReader way(object);
        json_members(way, a);
    }
}

void read_annotations(const JsonObject &component, Component &c) {
    const JsonReader way(component);
    way.list("parameters", c.parameters);
    way.list("control_flow", c.control_flow);
}

} // namespace cpl_lb
