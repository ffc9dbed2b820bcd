// cpl-lb compare for programs: json, and JUnit's XML for CI.
#include "io/json/json_tree.hpp"
#include "support/fmt.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/junit.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json json_of(const Difference &d) {
    return {{"before", Json::number(d.before)}, {"after", Json::number(d.after)},
            {"change", Json::number(d.change)}, {"low", Json::number(d.low)},
            {"high", Json::number(d.high)},     {"why_no_interval", Json::text(d.why_no_interval)}};
}

Json json_of(const Efficiency &e) {
    return {{"total", Json::number(e.total)},
            {"coupling", Json::number(e.coupling)},
            {"inside", Json::number(e.inside)},
            {"load_balance", Json::number(e.load_balance)},
            {"communication", Json::number(e.communication)}};
}

Json json_of(const ImbalanceShares &s) {
    return {{"processes", Json::number(s.processes)},
            {"nodes", Json::number(s.nodes)},
            {"moving", Json::number(s.moving)},
            {"steps", Json::number(s.steps)},
            {"random", Json::number(s.random)}};
}

Json json_of(const ComparedComponent &c) {
    return {{"name", c.name},
            {"is_io_server", c.is_io_server},
            {"cores", {{"before", c.cores_before}, {"after", c.cores_after}}},
            {"length_s", json_of(c.length)},
            {"computing_s", json_of(c.computing)},
            {"waiting_s", json_of(c.waiting)},
            {"waits_more_for", Json::text(c.waits_more_for)},
            {"efficiency", {{"before", json_of(c.efficiency_before)}, {"after", json_of(c.efficiency_after)}}},
            {"imbalance", {{"before", json_of(c.imbalance_before)}, {"after", json_of(c.imbalance_after)}}}};
}

std::string verdict_text(CompareVerdict verdict) {
    switch (verdict) {
    case CompareVerdict::slower:
        return "slower";
    case CompareVerdict::faster:
        return "faster";
    case CompareVerdict::no_difference_shown:
        return "no difference shown";
    case CompareVerdict::not_known:
        break;
    }
    return "";
}

} // namespace

std::string comparison_as_json(const Comparison &c) {
    Json json;
    json["schema"] = "cpl_lb_compare/1";
    json["runs"] = {{"before", c.runs_before}, {"after", c.runs_after}};
    json["verdict"] = Json::text(verdict_text(verdict_of(c)));
    json["words"] = comparison_in_words(c);
    json["seconds_of"] = c.of_model_days ? "day of the model" : "coupling step";
    json["run"] = {
        {"steps_of", Json::text(c.steps_of)},
        {"length_s", json_of(c.length)},
        {"sypd", json_of(c.sypd)},
        {"chsy", json_of(c.chsy)},
        {"efficiency", {{"before", json_of(c.efficiency_before)}, {"after", json_of(c.efficiency_after)}}}};
    json["components"] = Json::array();
    for (const ComparedComponent &component : c.components)
        json["components"].push_back(json_of(component));
    json["gone"] = c.gone;
    json["added"] = c.added;
    json["notes"] = notes_of(c);
    return json.dump(2) + "\n";
}

std::string comparison_as_junit(const Comparison &c, double per_cent) {
    const std::vector<std::string> words = comparison_in_words(c);
    JunitCase only;
    only.name = fmt::format("the run is not slower by more than {:g} %", per_cent);
    if (slower_by_more(c, per_cent)) only.failure = words.front();
    if (verdict_of(c) == CompareVerdict::not_known) only.skipped = words.front();
    for (const std::string &sentence : words)
        only.output += (only.output.empty() ? "" : " ") + sentence;
    return junit_of("cpl-lb compare", {only});
}

} // namespace cpl_lb
