// Reads the figures of a computing centre, and puts them beside those of the run.
#include "tools/cpmip/carbon_form.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/job_log.hpp"
#include "io/files/csv_table.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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
constexpr std::array energy_units = {Unit{"kWh", 1}, Unit{"MWh", 1e3}, Unit{"J", 1 / 3.6e6}, Unit{"MJ", 1 / 3.6},
                                     Unit{"GJ", 1e3 / 3.6}};
constexpr std::array factor_units = {Unit{"kg/kWh", 1}, Unit{"g/kWh", 1e-3}, Unit{"kg/MWh", 1e-3}, Unit{"t/MWh", 1},
                                     Unit{"g/MWh", 1e-6}};
constexpr std::array pure_units = {Unit{"1", 1}};
constexpr std::array share_units = {Unit{"%", 1}};

template <class Units>
double factor_in(const CsvTable &table, std::size_t row, const Units &units) {
    const std::string &unit = table.text(row, "unit");
    std::string known;
    for (const Unit &u : units) {
        if (u.name == unit) return u.factor;
        known += (known.empty() ? "" : ", ") + std::string(u.name);
    }
    throw table.wrong(row, "unit",
                      fmt::format("{}: not a unit of {} (known: {})", unit, table.text(row, "quantity"), known));
}

template <class Units>
SourcedFigure figure_in(const CsvTable &table, std::size_t row, const Units &units) {
    const double factor = factor_in(table, row, units);
    SourcedFigure f;
    f.source = table.text(row, "source");
    f.figure.value = factor * table.not_negative(row, "value");
    f.figure.low = factor * table.known_or_nan(row, "low");
    f.figure.high = factor * table.known_or_nan(row, "high");
    if (is_known(f.figure.low) != is_known(f.figure.high))
        throw table.wrong(row, is_known(f.figure.low) ? "high" : "low", "an interval has two ends");
    if (f.figure.low > f.figure.value || f.figure.high < f.figure.value)
        throw table.wrong(row, f.figure.low > f.figure.value ? "low" : "high",
                          "the value lies outside of its interval");
    return f;
}

void enter(std::optional<SourcedFigure> &place, const CsvTable &table, std::size_t row, SourcedFigure figure) {
    if (place) throw table.wrong(row, "quantity", table.text(row, "quantity") + ": twice in the table");
    place = std::move(figure);
}

void enter_share(CentreFacts &facts, const CsvTable &table, std::size_t row, const std::string &carrier) {
    const SourcedFigure share = figure_in(table, row, share_units);
    facts.mix.push_back({carrier, share.source, share.figure.value});
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
        enter(facts.pue, table, row, figure_in(table, row, pure_units));
        if (facts.pue->figure.value < 1 || facts.pue->figure.low < 1)
            throw table.wrong(row, "value", "a PUE is at least 1: the building's energy over the computer's");
        if (facts.pue->figure.value > most_pue)
            throw table.wrong(row, "value",
                              fmt::format("a PUE of {:g}: is it in per cent?", facts.pue->figure.value));
    } else if (quantity == "emission_factor") {
        enter(facts.emission_factor, table, row, figure_in(table, row, factor_units));
        if (facts.emission_factor->figure.value > most_kg_per_kWh) {
            throw table.wrong(row, "unit",
                              fmt::format("{:g} kg for each kWh: no power station emits so much; is it the unit?",
                                          facts.emission_factor->figure.value));
        }
    } else if (quantity == "energy") {
        enter(facts.energy, table, row, figure_in(table, row, energy_units));
    } else if (quantity.starts_with(mix) && quantity.size() > mix.size()) {
        enter_share(facts, table, row, quantity.substr(mix.size()));
    } else {
        throw table.wrong(row, "quantity",
                          quantity + ": not known (location, pue, emission_factor, energy, mix NAME)");
    }
}

// The whole experiment: what jobs used that failed was used, too.
void enter_measured_energy(CarbonForm &form, const CoupledRun &run, const JobLogFigures *log) {
    const Cpmip &c = run.cpmip;
    if (is_known(c.ajpsy)) {
        form.energy_kWh.value = c.ajpsy * form.years / joules_of_kWh;
        form.energy_source = "measured energy, AJPSY";
        if (log == nullptr || log->lost == 0) return;
        if (is_known(log->lost_energy_J)) {
            form.energy_kWh.value += log->lost_energy_J / joules_of_kWh;
            form.energy_source += ", with the jobs that failed or ran again";
        } else {
            form.remarks.emplace_back(
                "the energy of the jobs that failed or ran again is not known, and is not included");
        }
    } else if (is_known(c.jpsy)) {
        form.energy_kWh.value = c.jpsy * form.years / joules_of_kWh;
        form.energy_source = "the platform's energy, JPSY";
        form.has_building = true;
        form.remarks.emplace_back(
            "JPSY includes cooling and disks (Balaji et al. 2017, section 3.2): PUE is not applied");
    }
}

void enter_energy(CarbonForm &form, const CoupledRun &run, const JobLogFigures *log) {
    enter_measured_energy(form, run, log);
    if (!form.centre.energy) return;
    const double own = form.energy_kWh.value, given = form.centre.energy->figure.value;
    constexpr double tolerated = 0.1;
    if (!form.has_building && std::abs(own - given) > tolerated * std::max(own, given)) {
        form.remarks.push_back(
            fmt::format("the given energy, {:.6g} kWh, replaces {:.6g} kWh by {}", given, own, form.energy_source));
    }
    form.energy_kWh = form.centre.energy->figure;
    form.energy_source = form.centre.energy->source;
    if (form.has_building) form.remarks.clear();
    form.has_building = false;
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
    const GivenFigure none;
    const GivenFigure pue = centre.pue ? centre.pue->figure : none;
    const GivenFigure factor = centre.emission_factor ? centre.emission_factor->figure : none;
    form.footprint = carbon_footprint(form.energy_kWh, form.has_building ? GivenFigure{1, 1, 1} : pue, factor);
    if (!is_known(form.energy_kWh.value))
        form.why_no_co2e = "no energy is known: it was not measured, is not in a job log, and is not given";
    else if (!form.has_building && !centre.pue)
        form.why_no_co2e = "needs pue in the table of the centre";
    else if (!centre.emission_factor)
        form.why_no_co2e = "needs emission_factor in the table of the centre";
    else if (!form.footprint.without_interval.empty())
        form.remarks.push_back("no interval is given for " + form.footprint.without_interval +
                               ": the interval of CO2e, if there is one, is too narrow");
    return form;
}

} // namespace cpl_lb
