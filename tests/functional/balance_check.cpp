// Compares the figures of a run's json with those worked out from its timelines.
#include "balance_check.hpp"

#include "analysis/load_balance.hpp"
#include "analysis/process_waiting.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

namespace scenario {
namespace {

cpl_lb::ComponentBalance row_by_row(const Timeline &t) {
    cpl_lb::EventTable table;
    table.keys = t.header.keys;
    table.spans.whole().resize(table.keys.size());
    const auto counterparts = static_cast<std::int32_t>(t.header.component_names.size());
    for (const cpl_lb::Row &row : t.rows)
        cpl_lb::add_row(table.spans.whole(), row);
    const cpl_lb::Window window = cpl_lb::find_window(table);
    const cpl_lb::Interval run{t.header.first_init, t.header.last_terminate};
    cpl_lb::Share sum;
    cpl_lb::ProcessWaiting own(table.keys, window);
    for (const cpl_lb::Row &row : t.rows) {
        sum += cpl_lb::share_of(table, row, window, run, counterparts);
        own.add(row);
    }
    cpl_lb::ComponentBalance balance = cpl_lb::balance_of(table, window, run, sum);
    balance.process_waiting_s = own.sum().seconds();
    return balance;
}

} // namespace

void check_balance(const Result &r, const std::string &component) {
    const cpl_lb::ComponentBalance b = row_by_row(timeline(r, component));
    const nlohmann::json json = r.component(component);
    const auto same = [](const nlohmann::json &value, double expected) {
        return value.is_null() ? std::isnan(expected)
                               : value.get<double>() == Approx(expected).epsilon(1e-6).margin(1e-9);
    };
    const std::map<std::string, double> figures = {
        {"loop_s", b.loop_s},
        {"computing_s", b.computing_s},
        {"waiting_s", b.waiting_s},
        {"away_s", b.away_s},
        {"jitter_s", b.jitter_s},
        {"imbalance_s", b.imbalance_s},
        {"whole_waiting_s", b.whole_waiting_s},
        {"whole_waiting_and_operations_s", b.whole_waiting_and_operations_s},
        {"whole_away_s", b.whole_away_s},
        {"coupling_cost", b.coupling_cost},
        {"coupling_cost_with_operations", b.coupling_cost_with_operations},
        {"mapping_s", b.mapping_s},
        {"mapping_spread_s", b.mapping_spread_s},
        {"output_s", b.output_s},
        {"output_spread_s", b.output_spread_s},
        {"restart_s", b.restart_s},
        {"restart_spread_s", b.restart_spread_s}};
    for (const auto &[name, expected] : figures) {
        INFO(component << " " << name << ": " << json.at(name).dump() << ", row by row " << expected);
        CHECK(same(json.at(name), expected));
    }
    const nlohmann::json &own = json.at("process_waiting_s");
    CHECK(same(own.at("mean"), b.process_waiting_s.mean()));
    CHECK(same(own.at("min"), b.process_waiting_s.min));
    CHECK(same(own.at("max"), b.process_waiting_s.max));
    const auto phase_is = [&](const char *name, const cpl_lb::Phase &phase) {
        INFO(component << " " << name);
        const nlohmann::json &in_json = json.at(name);
        CHECK(same(in_json.at("length_s"), phase.length_s));
        CHECK(same(in_json.at("waiting_s"), phase.waiting_s));
        CHECK(same(in_json.at("output_s"), phase.output_s));
        CHECK(same(in_json.at("restart_s"), phase.restart_s));
    };
    phase_is("startup", b.startup);
    phase_is("shutdown", b.shutdown);
    double waiting_for = 0; // by name in the json, by number here: their sums
    double expected_for = 0;
    for (const auto &partner : json.at("waiting_for"))
        waiting_for += partner.at("get_s").get<double>() + partner.at("put_s").get<double>();
    for (const cpl_lb::WaitingFor &partner : b.waiting_for)
        expected_for += partner.get_s + partner.put_s;
    CHECK(waiting_for == Approx(expected_for).epsilon(1e-6).margin(1e-9));
    const nlohmann::json &steps = json.at("steps");
    REQUIRE(steps.at("computing_s").size() == b.steps.size());
    for (std::size_t i = 0; i < b.steps.size(); ++i) {
        INFO(component << " step " << i);
        CHECK(same(steps.at("waiting_s")[i], b.steps[i].waiting_s));
        CHECK(same(steps.at("computing_s")[i], b.steps[i].computing_s)); // less the time away
    }
}

} // namespace scenario
