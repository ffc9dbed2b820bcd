// The form of energy and CO2e as text and json.
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/carbon_form.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

std::string interval_in_brackets(const GivenFigure &f, double factor = 1) {
    return is_known(f.low) ? fmt::format("[{:.6g}, {:.6g}]", factor * f.low, factor * f.high) : std::string();
}

Json given_json(const GivenFigure &f) {
    return {{"value", Json::number(f.value)}, {"low", Json::number(f.low)}, {"high", Json::number(f.high)}};
}

Json sourced_json(const std::optional<SourcedFigure> &f) {
    if (!f) return {};
    Json json = given_json(f->figure);
    json["source"] = f->source;
    return json;
}

std::string mix_text(const std::vector<CentreFacts::Share> &mix) {
    std::string text;
    double rest = 100;
    for (const CentreFacts::Share &share : mix) {
        text += fmt::format("{}{} {:g} % ({})", text.empty() ? "" : ", ", safe_name(share.carrier), share.per_cent,
                            safe_name(share.source));
        rest -= share.per_cent;
    }
    constexpr double rounded = 0.5;
    return rest > rounded ? text + fmt::format(", not given {:g} %", rest) : text;
}

} // namespace

std::string carbon_text(const CarbonForm &form) {
    TextTable table;
    for (const std::size_t column : {std::size_t{2}, std::size_t{3}, std::size_t{4}})
        table.left(column);
    const auto given = [&](const char *label, const std::optional<SourcedFigure> &f, double factor,
                           const char *unit) {
        if (!f) return table.row({label, "n/a", unit, "", ""});
        table.row({label, fmt::format("{:.6g}", factor * f->figure.value), unit,
                   interval_in_brackets(f->figure, factor), safe_name(f->source)});
    };
    const auto found = [&](const char *label, const GivenFigure &f, const char *unit,
                           const std::string &source = "") {
        table.row({label, is_known(f.value) ? fmt::format("{:.6g}", f.value) : "n/a", unit, interval_in_brackets(f),
                   safe_name(source)});
    };
    given("PUE", form.centre.pue, 1, "");
    given("Emission factor", form.centre.emission_factor, 1000, "g CO2e / kWh");
    found("Simulated", {form.years}, "years");
    found("Core hours", {form.core_hours}, "core hours");
    found("Energy", form.energy_kWh, "kWh", form.energy_source);
    if (!form.has_building) found("Energy x PUE", form.footprint.building_kWh, "kWh");
    found("CO2e", form.footprint.co2e_kg, "kg");
    found("CO2e of a simulated year", {form.footprint.co2e_kg.value / form.years}, "kg / year");
    std::string text = "\nEnergy and carbon of the experiment\n\n";
    if (!form.centre.location.empty())
        text +=
            "Location: " + safe_name(form.centre.location) + " (" + safe_name(form.centre.location_source) + ")\n";
    if (!form.centre.mix.empty()) text += "Energy mix: " + mix_text(form.centre.mix) + "\n";
    text += table.text();
    if (!form.why_no_co2e.empty()) text += "n/a: CO2e (" + form.why_no_co2e + ")\n";
    for (const std::string &remark : form.remarks)
        text += wrapped("Note: " + safe_name(remark), 80);
    return text;
}

JsonTree carbon_json(const CarbonForm &form) {
    Json mix = Json::array();
    for (const CentreFacts::Share &share : form.centre.mix)
        mix.push_back({{"carrier", share.carrier}, {"per_cent", share.per_cent}, {"source", share.source}});
    Json energy = given_json(form.energy_kWh);
    energy["source"] = Json::text(form.energy_source);
    return {{"location", Json::text(form.centre.location)},
            {"location_source", Json::text(form.centre.location_source)},
            {"pue", sourced_json(form.centre.pue)},
            {"emission_factor_kg_per_kWh", sourced_json(form.centre.emission_factor)},
            {"energy_mix", mix},
            {"simulated_years", Json::number(form.years)},
            {"core_hours", Json::number(form.core_hours)},
            {"energy_kWh", energy},
            {"building_kWh", form.has_building ? Json() : given_json(form.footprint.building_kWh)},
            {"co2e_kg", given_json(form.footprint.co2e_kg)},
            {"why_no_co2e", Json::text(form.why_no_co2e)},
            {"remarks", form.remarks}};
}

} // namespace cpl_lb
