// Reads the figures of a computing centre, combines them with those of the run, and writes both as text and json.
#include "tools/cpmip/carbon_form.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/job_log.hpp"
#include "io/files/csv_table.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/reasons.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace cpl_lb {
namespace {

constexpr double joules_of_kWh = 3.6e6;
// The dirtiest lignite gives about 1.5 kg for 1 kWh. A PUE of 10: the building uses nine times as much again.
constexpr double most_kg_per_kWh = 5, most_pue = 10;

struct Unit {
    std::string_view name;
    double factor;
};
constexpr Unit energy_units[] = {{"kWh", 1}, {"MWh", 1e3}, {"J", 1 / 3.6e6}, {"MJ", 1 / 3.6}, {"GJ", 1e3 / 3.6}};
constexpr Unit factor_units[] = {{"kg/kWh", 1}, {"g/kWh", 1e-3}, {"kg/MWh", 1e-3}, {"t/MWh", 1}, {"g/MWh", 1e-6}};
constexpr Unit pure_units[] = {{"1", 1}};
constexpr Unit share_units[] = {{"%", 1}};

double factor_in(const CsvTable &table, std::size_t row, std::span<const Unit> units) {
    const std::string &unit = table.text(row, "unit");
    std::string known;
    for (const Unit &u : units) {
        if (u.name == unit) return u.factor;
        known += (known.empty() ? "" : ", ") + std::string(u.name);
    }
    throw table.wrong(row, "unit",
                      fmt::format("{}: not a unit of {} (known: {})", unit, table.text(row, "quantity"), known));
}

SourcedFigure figure_in(const CsvTable &table, std::size_t row, std::span<const Unit> units) {
    const double factor = factor_in(table, row, units);
    const std::string &source = table.text(row, "source");
    SourcedFigure f = {{factor * table.not_negative(row, "value"), factor * table.known_or_nan(row, "low"),
                        factor * table.known_or_nan(row, "high")},
                       source};
    if (is_known(f.low) != is_known(f.high))
        throw table.wrong(row, is_known(f.low) ? "high" : "low", "an interval has two ends");
    if (f.low > f.value || f.high < f.value)
        throw table.wrong(row, f.low > f.value ? "low" : "high", "the value lies outside of its interval");
    return f;
}

void enter(SourcedFigure &place, const CsvTable &table, std::size_t row, std::span<const Unit> units) {
    SourcedFigure figure = figure_in(table, row, units);
    if (is_known(place.value))
        throw table.wrong(row, "quantity", table.text(row, "quantity") + ": twice in the table");
    place = std::move(figure);
}

void enter_share(CentreFacts &facts, const CsvTable &table, std::size_t row, const std::string &carrier) {
    const SourcedFigure share = figure_in(table, row, share_units);
    facts.mix.push_back({carrier, share.source, share.value});
    double sum = 0;
    for (const CentreFacts::Share &s : facts.mix)
        sum += s.per_cent;
    constexpr double rounded = 0.5;
    if (sum > 100 + rounded)
        throw table.wrong(row, "value",
                          fmt::format("the energy mix adds up to {:g} %, which is more than 100 %", sum));
}

void enter_row(CentreFacts &facts, const CsvTable &table, std::size_t row) {
    constexpr std::string_view mix = "mix ";
    const std::string &quantity = table.text(row, "quantity");
    if (quantity == "location") {
        facts.location = table.text(row, "value");
        facts.location_source = table.text(row, "source");
    } else if (quantity == "pue") {
        enter(facts.pue, table, row, pure_units);
        if (facts.pue.value < 1 || facts.pue.low < 1)
            throw table.wrong(row, "value", "a PUE is at least 1: the building's energy over the computer's");
        if (facts.pue.value > most_pue)
            throw table.wrong(row, "value", fmt::format("a PUE of {:g}: is it in per cent?", facts.pue.value));
    } else if (quantity == "emission_factor") {
        enter(facts.emission_factor, table, row, factor_units);
        if (facts.emission_factor.value > most_kg_per_kWh) {
            throw table.wrong(row, "unit",
                              fmt::format("{:g} kg for each kWh: no power station emits so much; is it the unit?",
                                          facts.emission_factor.value));
        }
    } else if (quantity == "energy") {
        enter(facts.energy, table, row, energy_units);
    } else if (quantity.starts_with(mix) && quantity.size() > mix.size()) {
        enter_share(facts, table, row, quantity.substr(mix.size()));
    } else {
        throw table.wrong(row, "quantity",
                          quantity + ": not known (location, pue, emission_factor, energy, mix NAME)");
    }
}

// For the whole experiment, including the energy of jobs that failed.
void enter_measured_energy(CarbonForm &form, const CoupledRun &run, const JobLogFigures *log) {
    const Cpmip &c = run.cpmip;
    if (is_known(c.ajpsy)) {
        form.energy_kWh.value = c.ajpsy * form.years / joules_of_kWh;
        form.energy_kWh.source = "measured energy, AJPSY";
        if (log == nullptr || log->lost == 0) return;
        if (is_known(log->lost_energy_J)) {
            form.energy_kWh.value += log->lost_energy_J / joules_of_kWh;
            form.energy_kWh.source += ", with the jobs that failed or ran again";
        } else {
            form.remarks.emplace_back(
                "the energy of the jobs that failed or ran again is not known, and is not included");
        }
    } else if (is_known(c.jpsy)) {
        form.energy_kWh.value = c.jpsy * form.years / joules_of_kWh;
        form.energy_kWh.source = "the platform's energy, JPSY";
        form.has_building = true;
        form.remarks.emplace_back(
            "JPSY includes cooling and disks (Balaji et al. 2017, section 3.2): PUE is not applied");
    }
}

void enter_energy(CarbonForm &form, const CoupledRun &run, const JobLogFigures *log) {
    enter_measured_energy(form, run, log);
    const double own = form.energy_kWh.value, given = form.centre.energy.value;
    if (!is_known(given)) return;
    constexpr double tolerated = 0.1;
    if (!form.has_building && std::abs(own - given) > tolerated * std::max(own, given)) {
        form.remarks.push_back(fmt::format("the given energy, {:.6g} kWh, replaces {:.6g} kWh by {}", given, own,
                                           form.energy_kWh.source));
    }
    form.energy_kWh = form.centre.energy;
    if (form.has_building) form.remarks.clear();
    form.has_building = false;
}

using Json = JsonTree;

Json given_json(const GivenFigure &f) {
    return {{"value", f.value}, {"low", f.low}, {"high", f.high}};
}

Json sourced_json(const SourcedFigure &f) {
    Json json = given_json(f);
    json["source"] = Json::text(f.source);
    return json;
}

Json fact_json(const SourcedFigure &f) {
    return is_known(f.value) ? sourced_json(f) : Json();
}

std::string mix_text(const std::vector<CentreFacts::Share> &mix) {
    std::vector<std::string> parts;
    double rest = 100;
    for (const CentreFacts::Share &share : mix) {
        parts.push_back(
            fmt::format("{} {:g} % ({})", safe_name(share.carrier), share.per_cent, safe_name(share.source)));
        rest -= share.per_cent;
    }
    constexpr double rounded = 0.5;
    if (rest > rounded) parts.push_back(fmt::format("not given {:g} %", rest));
    return joined(parts, ", ");
}

} // namespace

CentreFacts read_centre_facts(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"quantity", "value", "unit", "source"});
    CentreFacts facts;
    for (std::size_t row = 0; row < table.rows(); ++row)
        enter_row(facts, table, row);
    return facts;
}

CarbonForm carbon_form(const CentreFacts &centre, const CoupledRun &run, const JobLogFigures *log) {
    CarbonForm form;
    form.centre = centre;
    form.years = simulated_years(run.run.simulated_s, run.run.year_days);
    form.core_hours = run.cpmip.chsy * form.years + (log != nullptr ? log->lost_core_hours : 0);
    enter_energy(form, run, log);
    const SourcedFigure included = {{1, 1, 1}, ""};
    form.footprint =
        carbon_footprint(form.energy_kWh, form.has_building ? included : centre.pue, centre.emission_factor);
    if (!is_known(form.energy_kWh.value))
        form.why_no_co2e = "no energy is known: it was not measured, is not in a job log, and is not given";
    else if (!form.has_building && !is_known(centre.pue.value))
        form.why_no_co2e = "needs pue in the table of the centre";
    else if (!is_known(centre.emission_factor.value))
        form.why_no_co2e = "needs emission_factor in the table of the centre";
    else if (!form.footprint.without_interval.empty())
        form.remarks.push_back("no interval is given for " + form.footprint.without_interval +
                               ": the interval of CO2e, if there is one, is too narrow");
    return form;
}

std::string carbon_text(const CarbonForm &form) {
    TextTable table({2, 3, 4});
    const auto row = [&](const char *label, const GivenFigure &f, const char *unit, const std::string &source = "",
                         double factor = 1) {
        table.row({label, figure_text(factor * f.value), unit,
                   is_known(f.low) ? fmt::format("[{:.6g}, {:.6g}]", factor * f.low, factor * f.high) : "",
                   safe_name(source)});
    };
    const CentreFacts &centre = form.centre;
    row("PUE", centre.pue, "", centre.pue.source);
    row("Emission factor", centre.emission_factor, "g CO2e / kWh", centre.emission_factor.source, 1000);
    row("Simulated", {form.years}, "years");
    row("Core hours", {form.core_hours}, "core hours");
    row("Energy", form.energy_kWh, "kWh", form.energy_kWh.source);
    if (!form.has_building) row("Energy x PUE", form.footprint.building_kWh, "kWh");
    row("CO2e", form.footprint.co2e_kg, "kg");
    row("CO2e of a simulated year", {form.footprint.co2e_kg.value / form.years}, "kg / year");
    std::string text = "\nEnergy and carbon of the experiment\n\n";
    if (!centre.location.empty())
        text += "Location: " + safe_name(centre.location) + " (" + safe_name(centre.location_source) + ")\n";
    if (!centre.mix.empty()) text += "Energy mix: " + mix_text(centre.mix) + "\n";
    text += table.text();
    if (!form.why_no_co2e.empty()) text += "n/a: CO2e (" + form.why_no_co2e + ")\n";
    return text + notes_text(form.remarks);
}

JsonTree carbon_json(const CarbonForm &form) {
    Json mix = Json::array();
    for (const CentreFacts::Share &share : form.centre.mix)
        mix.push_back({{"carrier", share.carrier}, {"per_cent", share.per_cent}, {"source", share.source}});
    return {{"location", Json::text(form.centre.location)},
            {"location_source", Json::text(form.centre.location_source)},
            {"pue", fact_json(form.centre.pue)},
            {"emission_factor_kg_per_kWh", fact_json(form.centre.emission_factor)},
            {"energy_mix", mix},
            {"simulated_years", form.years},
            {"core_hours", form.core_hours},
            {"energy_kWh", sourced_json(form.energy_kWh)},
            {"building_kWh", form.has_building ? Json() : given_json(form.footprint.building_kWh)},
            {"co2e_kg", given_json(form.footprint.co2e_kg)},
            {"why_no_co2e", Json::text(form.why_no_co2e)},
            {"remarks", form.remarks}};
}

} // namespace cpl_lb
