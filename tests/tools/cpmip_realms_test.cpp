// cpl-lb cpmip realms and es-doc: the components in the realms of CMIP's documents. A year in half a day: CHSY = 12 x
// cores.
#include "analysis/cpmip.hpp"
#include "tests/report/example_run.hpp"
#include "tests/tools/told.hpp"

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

constexpr Nanoseconds half_a_day = 43'200'000'000'000;

// atmosphere on 60 processes, nemo on as many as given, xios on 4; 6 cores belong to nobody.
CoupledRun run_with(std::int32_t of_nemo) {
    CoupledRun run = appendix3();
    run.run.id = "esm";
    run.run.simulated_s = 365 * 86400.0;
    run.run.wall_s = 43200;
    run.run.cores = 60 + of_nemo + 4 + 6;
    run.run.started = of_nemo == 40 ? "2026-03-02T00:00:00Z" : "2026-03-03T00:00:00Z";
    run.component_names = {"atmosphere", "nemo", "xios"};
    run.components = {component("atmosphere", 1, 0, 60, half_a_day), component("nemo", 2, 60, of_nemo, half_a_day),
                      component("xios", 3, 60 + of_nemo, 4, half_a_day)};
    run.components[1].properties.horizontal_points = 1000;
    run.components[1].properties.levels = 75;
    run.components[1].properties.complexity = 20;
    return run;
}

std::string write_run(const TemporaryFolder &folder, const std::string &name, CoupledRun run) {
    run.cpmip = cpmip_of(run);
    return written(folder, name, run);
}

json tree_of(const TemporaryFolder &folder, const std::string &arguments) {
    return told(folder, "cpmip realms " + arguments).at("toplevel");
}

} // namespace

TEST_CASE("components in realms, several realms in one component, and what is in none") {
    const TemporaryFolder folder;
    const std::string run = write_run(folder, "run", run_with(40));
    const std::string asked = run + " --realm ocean=nemo --realm seaIce=nemo";
    const std::string text = command(folder, "cpmip realms " + asked).output;
    INFO(text);
    // 720, 480, 48, 72 of 1320 core hours.
    shows(text, "Components in the realms of CMIP's documents\n\n"
                "Realm, component   Cores      CHSY  Share [%]\n"
                "toplevel             110  1320.000     100.00\n"
                "  atmos               60   720.000      54.55\n"
                "    atmosphere        60   720.000      54.55\n"
                "  ocean, seaice       40   480.000      36.36\n"
                "    nemo              40   480.000      36.36\n"
                "  xios                 4    48.000       3.64\n"
                "  in no component      6    72.000       5.45\n"
                "Note: the realms ocean and seaice are together in nemo: what each of them takes\n"
                "was not measured, so nothing is divided\n"
                "Note: realms by the names of the components, which --realm can change:\n"
                "atmosphere (atmos)\n"
                "Note: in no realm, as couplers and I/O servers are: xios. Where that is wrong,\n"
                "give --realm\n");
    const json tree = tree_of(folder, asked);
    CHECK(tree.at("parallelisation") == 110);
    const json &ocean = tree.at("subcomponent_performance").at(1);
    CHECK(ocean.at("realms") == json{"ocean", "seaice"});
    CHECK(ocean.at("share").get<double>() == Approx(480. / 1320));
    CHECK(ocean.at("shares_processes_with").empty());
    const json &nemo = ocean.at("subcomponent_performance").at(0);
    CHECK(nemo.at("realm_by") == "option");
    CHECK(nemo.at("resolution") == 75000);
    CHECK(nemo.at("complexity") == 20);
    CHECK(nemo.at("core_hours_per_simulated_year").get<double>() == Approx(480));
    CHECK(tree.at("subcomponent_performance").at(0).at("subcomponent_performance").at(0).at("realm_by") == "name");
    CHECK(tree.at("subcomponent_performance").at(2).at("realms").empty()); // xios
    CHECK(tree.at("in_no_component").at("parallelisation") == 6);          // 110 - 60 - 40 - 4

    const json es_doc = json::parse(command(folder, "cpmip es-doc " + asked).output);
    CHECK(es_doc.at("simulated_years_per_day").get<double>() == Approx(2));
    CHECK(es_doc.at("parallelisation") == 110);
    CHECK(es_doc.at("subcomponent_performance") == tree.at("subcomponent_performance"));
    // Nobody asked: no tree, and no guess.
    CHECK(json::parse(command(folder, "cpmip es-doc " + run).output).at("subcomponent_performance").is_null());
    CHECK_FALSE(told(folder, "cpmip " + run).contains("toplevel"));
    // Two components of one realm add up.
    const json one = tree_of(folder, run + " --realm ocean=nemo,atmosphere,xios");
    REQUIRE(one.at("subcomponent_performance").size() == 1);
    CHECK(one.at("subcomponent_performance").at(0).at("parallelisation") == 104);
}

TEST_CASE("realms with processes in common count them once, and that is told") {
    const TemporaryFolder folder;
    CoupledRun run = run_with(40);
    run.component_names.emplace_back("LND");
    run.components.push_back(component("LND", 4, 0, 30, half_a_day)); // in turn with the atmosphere
    const std::string directory = write_run(folder, "run", run);
    const json tree = tree_of(folder, directory + " --realm names");
    const json &realms = tree.at("subcomponent_performance");
    CHECK(realms.at(0).at("shares_processes_with") == json{"land"});
    CHECK(realms.at(1).at("name") == "land");
    CHECK(realms.at(1).at("parallelisation") == 30);
    const std::string text = command(folder, "cpmip realms --realm names " + directory).output;
    INFO(text);
    CHECK_THAT(text, Catch::Contains("\n  in no component      6    72.000       5.45\n") && // 110 - 104, not - 134
                         Catch::Contains("Note: the realm atmos has processes in common with land: the shares"));
    // In one realm they count once: 60 cores, not 90.
    const json one = tree_of(folder, directory + " --realm atmos=LND,atmosphere");
    CHECK(one.at("subcomponent_performance").at(0).at("parallelisation") == 60);
    CHECK(one.at("subcomponent_performance").at(0).at("core_hours_per_simulated_year").get<double>() == Approx(720));
}

TEST_CASE("the tree of a chain of jobs") {
    const TemporaryFolder folder;
    const json tree = tree_of(folder, write_run(folder, "a", run_with(40)) + " " +
                                          write_run(folder, "b", run_with(60)) + " --realm ocean=nemo");
    // A year in half a day each: nemo (40 + 60) / 2 cores and (480 + 720) / 2 core hours; all (110 + 130) / 2.
    CHECK(tree.at("parallelisation").get<double>() == Approx(120));
    const json &ocean = tree.at("subcomponent_performance").at(1);
    CHECK(ocean.at("parallelisation").get<double>() == Approx(50));
    CHECK(ocean.at("core_hours_per_simulated_year").get<double>() == Approx(600));
    CHECK(ocean.at("share").get<double>() == Approx(600. / 1440));
}

TEST_CASE("a realm or a component that is none") {
    const TemporaryFolder folder;
    const std::string run = write_run(folder, "run", run_with(40));
    const auto error_of = [&](const std::string &arguments) {
        return refused(folder, "cpmip realms " + arguments, 2);
    };
    shows(error_of(run + " --realm sea=nemo"),
          "--realm: 'sea' is no realm: toplevel, atmos, aerosol, atmoschem, land, landice, ocean, "
          "ocnbgchem, seaice");
    shows(error_of(run + " --realm ocean=mom"),
          "--realm: no component is called 'mom': there are atmosphere, nemo, xios");
    shows(error_of(run + " --realm nemo"), "--realm: not REALM=COMPONENT,...: 'nemo'");
    shows(error_of("--realm names"), "DIR is required");
    // Without --realm all are taken by their names.
    CHECK(tree_of(folder, run) == tree_of(folder, run + " --realm names"));
}
