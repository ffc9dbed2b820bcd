#include "io/annotations_json.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

Spread spread_of(const JsonObject &object) {
    Spread s;
    double mean = unknown;
    object.get("value", mean);
    object.get("min", s.min);
    object.get("max", s.max);
    object.get_count("processes", s.count);
    if (s.count == 0) return {};
    s.sum = mean * static_cast<double>(s.count);
    return s;
}

} // namespace

void add_annotations(Json &region, const RegionSummary &summary) {
    for (const Annotation &a : summary.annotations) {
        region["annotations"][a.quantity] = {{"expression", a.expression},
                                             {"value", Json::number(a.value.mean())},
                                             {"min", Json::number(a.value.min)},
                                             {"max", Json::number(a.value.max)},
                                             {"processes", a.value.count},
                                             {"why_no_value", Json::text(a.why_no_value)},
                                             {"measured", Json::number(a.measured)},
                                             {"measured_by", Json::text(a.measured_by)},
                                             {"why_not_measured", Json::text(a.why_not_measured)},
                                             {"error", Json::number(a.error())}};
    }
}

void add_annotations(Json &component, const Component &c) {
    for (const AssertedParameter &p : c.parameters) {
        component["parameters"].push_back({{"name", p.name},
                                           {"value", Json::number(p.value.mean())},
                                           {"min", Json::number(p.value.min)},
                                           {"max", Json::number(p.value.max)},
                                           {"processes", p.value.count},
                                           {"changes", p.changes}});
    }
    for (const RegionEntry &e : c.control_flow)
        component["control_flow"].push_back({{"from", Json::text(e.from)}, {"region", e.region}, {"times", e.times}});
}

void read_annotations(const JsonObject &region, RegionSummary &summary) {
    const nlohmann::json &all = region.member("annotations");
    if (!all.is_object()) return;
    for (const auto &[quantity, entry] : all.items()) {
        const JsonObject object(entry);
        Annotation &a = summary.annotations.emplace_back();
        a.quantity = quantity;
        object.get("expression", a.expression);
        object.get("why_no_value", a.why_no_value);
        object.get("measured", a.measured);
        object.get("measured_by", a.measured_by);
        object.get("why_not_measured", a.why_not_measured);
        a.value = spread_of(object);
    }
}

void read_annotations(const JsonObject &component, Component &c) {
    if (const nlohmann::json &all = component.member("parameters"); all.is_array()) {
        for (const nlohmann::json &entry : all) {
            const JsonObject object(entry);
            AssertedParameter &p = c.parameters.emplace_back();
            object.get("name", p.name);
            object.get_count("changes", p.changes);
            p.value = spread_of(object);
        }
    }
    if (const nlohmann::json &all = component.member("control_flow"); all.is_array()) {
        for (const nlohmann::json &entry : all) {
            const JsonObject object(entry);
            RegionEntry &e = c.control_flow.emplace_back();
            object.get("from", e.from);
            object.get("region", e.region);
            object.get_count("times", e.times);
        }
    }
}

} // namespace cpl_lb
