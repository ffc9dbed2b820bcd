// cpl-lb cpmip --centre: energy and CO2e with the figures of a computing centre.
#include "io/files/result_file.hpp"
#include "tests/json.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

const std::string header = "quantity,value,low,high,unit,source\n";
const std::string centre = header + "location,\"Hamburg, Germany\",,,-,centre's pages\n"
                                    "pue,1.2,1.14,1.26,1,yearly report 2025\n"
                                    "emission_factor,250,220,280,g/kWh,national inventory 2024\n"
                                    "mix hydro,60,,,%,contract 2025\nmix wind,20,,,%,contract 2025\n";

// A year on 96 cores for 12 hours with 1000 kWh = 3.6e9 J; 6 hours and 900 MJ = 250 kWh more were lost, if so wanted.
std::string log_with(const std::string &joules, const std::string &lost_joules = "") {
    return "JobID|Submit|Start|End|AllocCPUS|State|ConsumedEnergyRaw\n1|0|0|43200|96|COMPLETED|" + joules + "\n" +
           (lost_joules.empty() ? "" : "2|43200|43200|64800|96|FAILED|" + lost_joules + "\n");
}

test::Result cpmip(const TemporaryFolder &folder, const std::string &log, const std::string &facts,
                   const std::string &arguments = "") {
    write_result_file(folder / "log.txt", log);
    write_result_file(folder / "centre.csv", facts);
    return command(folder, "cpmip --simulated-per-job 1y --sacct " + (folder / "log.txt") + " --centre " +
                               (folder / "centre.csv") + " " + arguments);
}

json carbon(const TemporaryFolder &folder, const std::string &log, const std::string &facts,
            const std::string &arguments = "") {
    const auto r = cpmip(folder, log, facts, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output).at("carbon");
}

} // namespace

TEST_CASE("measured energy: each figure with its source, CO2e with its interval") {
    const TemporaryFolder folder;
    const json c = carbon(folder, log_with("3600000000"), centre);
    CHECK(c.at("energy_kWh").at("value").get<double>() == Approx(1000));
    CHECK(c.at("building_kWh").at("value").get<double>() == Approx(1200));
    CHECK(c.at("co2e_kg").at("value").get<double>() == Approx(300)); // 1200 x 0.25
    CHECK(c.at("co2e_kg").at("low").get<double>() == Approx(261));   // 13 %: 5 and 12 in squares
    CHECK(c.at("co2e_kg").at("high").get<double>() == Approx(339));
    CHECK(c.at("pue").at("source") == "yearly report 2025");
    CHECK(c.at("emission_factor_kg_per_kWh").at("value").get<double>() == Approx(0.25));
    CHECK(c.at("energy_mix").at(1).at("per_cent") == 20.0);
    CHECK(c.at("core_hours").get<double>() == Approx(96 * 12));
    CHECK(c.at("remarks").at(0).get<std::string>().find("no interval is given for the energy") == 0);
    const std::string text = cpmip(folder, log_with("3600000000"), centre).output;
    for (const char *words : {"Location: Hamburg, Germany (centre's pages)",
                              "Energy mix: hydro 60 % (contract 2025), wind 20 % (contract 2025), not given 20 %",
                              "[261, 339]", "national inventory 2024"})
        CHECK(text.find(words) != std::string::npos);
}

TEST_CASE("jobs that failed used energy, too; Autosubmit's footprint of the same figures") {
    const TemporaryFolder folder;
    const json c = carbon(folder, log_with("3600000000", "900000000"), centre);
    CHECK(c.at("energy_kWh").at("value").get<double>() == Approx(1250));
    CHECK(c.at("core_hours").get<double>() == Approx(96 * 18));
    const json unknown_loss = carbon(folder, log_with("3600000000", "0"), centre);
    CHECK(unknown_loss.at("energy_kWh").at("value").get<double>() == Approx(1000));
    CHECK(unknown_loss.at("remarks").at(0).get<std::string>().find("failed or ran again is not known") !=
          std::string::npos);
    // Autosubmit's API tells for 11020000 J, 357000 g/MWh and a PUE of 1.08 in its tests: 1180.242 g.
    const std::string facts = header + "pue,1.08,,,1,x\nemission_factor,357000,,,g/MWh,x\n";
    CHECK(carbon(folder, log_with("11020000"), facts).at("co2e_kg").at("value").get<double>() ==
          Approx(1.180242).epsilon(1e-6));
}

TEST_CASE("energy of the platform has its building in it; energy that is given takes the place of the measured") {
    const TemporaryFolder folder;
    // JPSY = 1152 CHSY x 3.6e12 J / 1.152e6 h = 3.6e9 J: 1000 kWh, and no PUE.
    const json jpsy = carbon(folder, log_with(""), centre, "--platform-energy 3.6e12 --platform-core-hours 1.152e6");
    CHECK(jpsy.at("co2e_kg").at("value").get<double>() == Approx(250));
    CHECK(jpsy.at("building_kWh").is_null());
    CHECK(jpsy.at("remarks").at(0).get<std::string>().find("PUE is not applied") != std::string::npos);
    // 2 MWh by the centre's meters, 10 %: with 5 and 12 % sqrt(0.0269) = 16.4 %.
    const json given = carbon(folder, log_with("3600000000"), centre + "energy,2,1.8,2.2,MWh,meters of the centre\n");
    CHECK(given.at("co2e_kg").at("value").get<double>() == Approx(600));
    CHECK(given.at("co2e_kg").at("high").get<double>() == Approx(600 * 1.164012).epsilon(1e-5));
    CHECK(given.at("energy_kWh").at("source") == "meters of the centre");
    CHECK(given.at("remarks").at(0).get<std::string>().find("replaces 1000 kWh") != std::string::npos);
}

TEST_CASE("nothing is assumed: what is not given is n/a, with the reason") {
    const TemporaryFolder folder;
    for (const auto &[log, facts, why] : std::vector<std::array<std::string, 3>>{
             {log_with(""), centre, "no energy is known: it was not measured"},
             {log_with("5"), header + "pue,1.2,,,1,x\n", "needs emission_factor"},
             {log_with("5"), header + "emission_factor,1,,,g/kWh,x\n", "needs pue"}}) {
        const json c = carbon(folder, log, facts);
        CHECK(c.at("co2e_kg").at("value").is_null());
        CHECK(c.at("why_no_co2e").get<std::string>().find(why) == 0);
    }
}

TEST_CASE("wrong tables are told with file, line and column") {
    const TemporaryFolder folder;
    for (const auto &[row, said] : std::vector<std::pair<std::string, std::string>>{
             {"pue,0.9,,,1,x\n", "centre.csv:2: column value: a PUE is at least 1"},
             {"pue,1.2,1.3,1.4,1,x\n", "centre.csv:2: column low: the value lies outside of its interval"},
             {"pue,1.2,1.1,,1,x\n", "centre.csv:2: column high: an interval has two ends"},
             {"pue,1.2,,,1,\n", "centre.csv:2: column source: empty"},
             {"pue,1.2,,,1,x\npue,1.3,,,1,y\n", "centre.csv:3: column quantity: pue: twice in the table"},
             {"emission_factor,250,,,lb/kWh,x\n",
              "centre.csv:2: column unit: lb/kWh: not a unit of emission_factor (known: kg/kWh, g/kWh"},
             {"emission_factor,250,,,kg/kWh,x\n",
              "centre.csv:2: column unit: 250 kg for each kWh: no power station emits so much; is it the unit?"},
             {"pue,120,,,1,x\n", "centre.csv:2: column value: a PUE of 120: is it in per cent?"},
             {"energy,-5,,,kWh,x\n", "centre.csv:2: column value: must not be negative: -5"},
             {"mix coal,70,,,%,x\nmix gas,40,,,%,x\n", "centre.csv:3: column value: the energy mix adds up to 110 %"},
             {"water,5,,,l,x\n", "centre.csv:2: column quantity: water: not known"}}) {
        const auto r = cpmip(folder, log_with("5"), header + row);
        CHECK(r.status == 1);
        INFO(r.errors);
        CHECK(r.errors.find(said) != std::string::npos);
    }
    CHECK(cpmip(folder, log_with("5"), "quantity,value,unit\npue,1,1\n").errors.find("column source: missing") !=
          std::string::npos);
}
