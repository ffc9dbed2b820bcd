// cpl-lb cpmip study.
#include "analysis/cpmip.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"
#include "tests/svg_boxes.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

// CHSY 24 cores / SYPD: 685.7, 738.5, 822.9, 1010.5.
const std::string table = "# a study\ncores,SYPD\n1600,38\n400,14\n1200,35\n800,26\n";

test::Result scaling(const TemporaryFolder &folder, const std::string &text, const std::string &arguments = "") {
    write_result_file(folder / "t.csv", text);
    return command(folder, "cpmip study " + (folder / "t.csv") + " " + arguments);
}

json figures(const TemporaryFolder &folder, const std::string &text, const std::string &arguments = "") {
    const auto r = scaling(folder, text, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output);
}

} // namespace

TEST_CASE("figures that would end in inf are refused with their place") {
    const TemporaryFolder folder;
    const auto r = scaling(folder, "cores,SYPD\n400,10\n800,1e-308\n");
    CHECK(r.status == 1);
    CHECK_THAT(r.errors,
               Catch::EndsWith("t.csv:3: column SYPD: too large or too small for a measured value: 1e-308\n"));
    CHECK_THAT(scaling(folder, "cores,SYPD\n400,10\n").output,
               Catch::StartsWith("Speed and cost of ") && Catch::Contains(", 1 run\n"));
}

TEST_CASE("a table gives S, T and the shoulder as text, json and rows") {
    const TemporaryFolder folder;
    const json j = figures(folder, table);
    CHECK(j.at("speed").at("cores") == 1600.0);
    CHECK(j.at("throughput").at("cores") == 400.0);
    CHECK(j.at("throughput").at("chsy").get<double>() == Approx(9600. / 14));
    CHECK(j.at("shoulder").at("cores") == 1200.0);
    CHECK(j.at("points").size() == 4);
    CHECK(figures(folder, table, "--at-least 30").at("throughput").at("cores") == 1200.0);
    CHECK(figures(folder, table, "--at-least 99").at("throughput").is_null());
    CHECK(scaling(folder, table, "--at-least 99").output.find("no measured number of cores gives 99 SYPD") !=
          std::string::npos);
    const std::string text = scaling(folder, table, "--at-least 30").output;
    CHECK(text.find("T, the cheapest with at least 30 SYPD: 1200 cores, 35 SYPD, 822.857 CHSY.") !=
          std::string::npos);
    const std::string rows = scaling(folder, table, "--csv --name ESM --resolution 1e8").output;
    CHECK(rows.find("\nESM S,1e+08,,38,1010.5") != std::string::npos);
    CHECK(rows.find("\nESM T,1e+08,,14,685.7") != std::string::npos);
}

TEST_CASE("the same study in other columns") {
    const TemporaryFolder folder;
    // One year in 86400 / SYPD seconds.
    const std::string timed = "cores,seconds\n400,6171.428571\n800,3323.076923\n1200,2468.571429\n1600,2273.684211\n";
    CHECK(figures(folder, timed, "--simulated-per-job 1y").at("speed").at("sypd").get<double>() == Approx(38));
    CHECK(figures(folder, timed, "--simulated-per-job 6mo").at("speed").at("sypd").get<double>() == Approx(19));
    // Rows of table 1 of the paper: 2.2 SYPD x 2.12e5 CHSY / 24 = 19433 cores.
    const json paper = figures(folder, "model,SYPD,CHSY\nCM2.6,2.2,2.12e5\nCM2.6,1.1,1.81e5\n");
    CHECK(paper.at("speed").at("cores") == 19433.0);
    CHECK(paper.at("throughput").at("sypd") == 1.1);
    // The same cores split in two ways are two points.
    const json split = figures(folder, "cores,SYPD,counts\n100,5,ocean=40 atm=60\n100,6,ocean=30 atm=70\n");
    CHECK(split.at("throughput").at("counts") == "ocean=30 atm=70");
}

TEST_CASE("runs on several numbers of cores as folders") {
    const TemporaryFolder folder;
    std::string folders;
    // A year in 24 h / SYPD.
    for (const auto &[cores, sypd] : std::vector<std::pair<std::int64_t, double>>{{400, 14}, {800, 26}, {1600, 38}}) {
        CoupledRun run = test::appendix3();
        run.run.id = "run" + std::to_string(cores);
        run.run.simulated_s = 365 * 86400.0;
        run.run.wall_s = 86400 / sypd;
        run.run.cores = cores;
        run.cpmip = cpmip_of(run);
        std::filesystem::create_directory(folder / run.run.id);
        write_result_file(folder / run.run.id + "/load_balancing_info.json", info_json(run));
        folders += " " + (folder / run.run.id);
    }
    const auto r = command(folder, "cpmip study --at-least 20 --json" + folders);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json j = json::parse(r.output);
    CHECK(j.at("speed").at("cores") == 1600.0);
    CHECK(j.at("throughput").at("sypd").get<double>() == Approx(26));
    CHECK_FALSE(j.at("throughput").at("counts").get<std::string>().empty());
    CHECK(j.at("shoulder").at("cores") == 800.0); // 12/24 of the speed with 1/3 of the cores
}

TEST_CASE("the picture: speed over cost, marks with a legend, no text on another") {
    const TemporaryFolder folder;
    std::string crowded = "cores,SYPD\n";
    for (int i = 0; i < 25; ++i)
        crowded += std::to_string(1000 + 2 * i) + "," + std::to_string(20 + 0.02 * i) + "\n";
    for (const std::string &text : {table, crowded}) {
        CHECK(scaling(folder, text, "--at-least 20 --svg " + (folder / "x.svg")).status == 0);
        const std::string svg = test::contents(folder / "x.svg");
        CHECK_THAT(test::unreadable_texts(svg, 13), Catch::Equals(""));
        for (const char *words : {"cost (core hours / simulated year)", "speed (simulated years / day)", ">measured<",
                                  ">S, fastest: ", ">T, cheapest: ", ">at least 20 SYPD<"})
            CHECK(svg.find(words) != std::string::npos);
    }
    CHECK(scaling(folder, table, "--svg " + (folder / "x.svg")).status == 0);
    CHECK(test::contents(folder / "x.svg").find(">shoulder: 1200 cores<") != std::string::npos);
}

TEST_CASE("wrong tables and wrong usage") {
    const TemporaryFolder folder;
    for (const auto &[text, said] : std::vector<std::pair<std::string, std::string>>{
             {"cores,speed\n4,5\n", "t.csv:1: column SYPD: missing; the columns are cores, speed"},
             {"processes,SYPD\n4,5\n", "t.csv:1: column cores: missing"},
             {"cores,SYPD\n4,-5\n", "t.csv:2: column SYPD: must be more than 0: -5"},
             {"cores,SYPD\n4,5\n0,5\n", "t.csv:3: column cores: must be more than 0: 0"},
             {"cores,SYPD\n400.5,5\n", "t.csv:2: column cores: not a whole number: 400.5"},
             {"cores,SYPD\n4,five\n", "t.csv:2: column SYPD: not a number: five"},
             {"cores,seconds\n4,5\n", "column seconds: needs --simulated-per-job"},
             {"cores,SYPD,CHSY\n100,2,1200\n100,2,2400\n",
              "t.csv:3: column CHSY: 2400 core hours at 2 SYPD are 200 cores, and not 100"}}) {
        const auto r = scaling(folder, text);
        CHECK(r.status == 1);
        INFO(r.errors);
        CHECK(r.errors.find(said) != std::string::npos);
    }
    CHECK(scaling(folder, table, folder / "t.csv").status == 2); // twice
    CHECK(scaling(folder, table, "--at-least 0").status == 2);
    CHECK(scaling(folder, table, "--mode T").status == 2);
    CHECK(command(folder, "cpmip study").status == 2);
}
