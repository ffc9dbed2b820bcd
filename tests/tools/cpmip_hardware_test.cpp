// cpl-lb cpmip machines, and what is told of a platform: section 4.7 and tables 3 and 4 of Balaji et al. 2017.
#include "tests/tools/told.hpp"

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

const std::string table_3 = CPL_LB_PAPER_DATA "/balaji2017_table3.csv";

json answer(const TemporaryFolder &folder, const std::string &arguments) {
    return told(folder, "cpmip machines " + arguments);
}

} // namespace

TEST_CASE("table 3 on the machines of table 4") {
    const TemporaryFolder folder;
    const json a = answer(folder, table_3 + " --from gaea/c1+gaea/c2 --to gaea/c3");
    // CHSY: 16000 / 7000 = 2.285714 for S, 15000 / 7000 = 2.142857 for T; the root of their product is 2.213133.
    // "core for core, the new machine shows a speedup of 2.2X".
    CHECK(a["rows"][0]["core_for_core"].get<double>() == Approx(2.285714));
    CHECK(a["rows"][1]["core_for_core"].get<double>() == Approx(2.142857));
    CHECK(a["core_for_core"].get<double>() == Approx(2.213133));
    CHECK(a["rows"][0]["faster"].get<double>() == Approx(10 / 4.5));
    // Cores at work: 4.5 x 16000 / 24 = 3000, 10 x 7000 / 24 = 2916.67.
    CHECK(a["rows"][0]["before"]["cores"].get<double>() == Approx(3000));
    CHECK(a["rows"][0]["after"]["cores"].get<double>() == Approx(2916.6667));
    // "the total number of cores has dropped by 2.5X": 48128 / (41984 + 78336 = 120320) = 0.4; "about 87 %" is 2.2
    // / 2.5, with more digits 2.213133 x 0.4 = 0.885253.
    CHECK(a["before"]["cores"] == 120320);
    CHECK(a["cores_ratio"].get<double>() == Approx(0.4));
    CHECK(a["capacity"].get<double>() == Approx(0.885253));
    // "JPSY dropping by 60%": 3.40 / 8.92 = 0.381166, 3.40 / 8.36 = 0.406699, the root of the product 0.393725.
    CHECK(a["energy"].get<double>() == Approx(0.393725).epsilon(1e-5));
    // 48128 x 2.3e9 x 16 = 1.77111e15, the paper's 1.77 PF. c1 and c2: 120320 x 3.6e9 x 4 = 1.732608e15; the
    // paper's 1.12 PF are those of c2 alone, 78336 x 3.6e9 x 4 = 1.128038e15.
    CHECK(a["after"]["peak_flop_per_s"].get<double>() == Approx(1.7711104e15));
    CHECK(a["before"]["peak_flop_per_s"].get<double>() == Approx(1.732608e15));
    CHECK(answer(folder, table_3)["before"]["peak_flop_per_s"].get<double>() == Approx(1.1280384e15));

    const std::string text =
        command(folder, "cpmip machines " + table_3 + " --from gaea/c1+gaea/c2 --to gaea/c3").output;
    shows(text, "Core for core gaea/c3 is 2.21 times as fast (geometric mean of 2 rows: CHSY old\n/ new).\n",
          "A simulated year takes 0.39 times the energy.",
          "Peak rates say 1.02 times (1.77 against 1.73 PFLOP/s), and 2.56 core for core.");
}

TEST_CASE("rows of --csv, unknown machines, and mistakes") {
    const TemporaryFolder folder;
    const std::string rows =
        write(folder, "rows.csv", "model,SYPD,CHSY,platform\nA,2,480,old\nB,1,100,old\nA,4,120,new\n");
    const json a = answer(folder, rows);
    CHECK(a["rows"].size() == 1);
    CHECK(a["core_for_core"] == 4);
    CHECK(a["cores_ratio"].is_null());
    CHECK(a["energy"].is_null());
    CHECK(a["remarks"] == json::array({"B has no row on new"}));
    shows(command(folder, "cpmip machines " + rows).output, "Cores and peak: n/a");
    const std::string platforms =
        write(folder, "p.csv", "machine,cores,clock_GHz,flop_per_cycle\nold,1000,2,8\nnew,250,2,32\n");
    const json known = answer(folder, rows + " --platforms " + platforms);
    CHECK(known["capacity"] == 1);   // 4 x 250 / 1000
    CHECK(known["peak_ratio"] == 1); // 250 x 2 x 32 = 1000 x 2 x 8

    const auto error = [&](const std::string &arguments, int status = 1) {
        return refused(folder, "cpmip machines " + arguments, status);
    };
    shows(error(rows + " --from old --to other"), "no model has rows on both old and other");
    shows(error(rows + " --from old", 2), "--to");
    shows(error(write(folder, "one.csv", "model,SYPD,CHSY,machine\nA,2,480,old\n")), "rows of 1 machine: --from");
    shows(error(write(folder, "bad.csv", "model,SYPD,CHSY,machine\nA,2,480,old\nA,0,480,new\n")),
          "bad.csv:3: column SYPD");
    shows(error(write(folder, "twice.csv", "model,SYPD,CHSY,machine\nA,2,480,old\nA,3,480,new\nA,4,480,new\n")),
          "twice.csv:3: column model: A has several rows on new");
    shows(error(rows + " " + std::string(folder / ""), 2), "not expected");
}

TEST_CASE("mistakes in what is told of the platform, and options before a word") {
    const TemporaryFolder folder;
    const std::string run = CPL_LB_PAPER_DATA "/runs/before";
    for (const char *wrong : {"energy=1e12 --platform core-hours=0", "clock", "clock=", "clock=fast", "cores=0.5",
                              "cores=1e99", "cores=2.7", "clock=inf", "colour=red", "clock=2 --platform clock=3"})
        CHECK_THAT(command(folder, "cpmip " + run + " --platform " + wrong).errors,
                   Catch::StartsWith("cpl-lb: --platform: "));
    CHECK(command(folder, "cpmip --json realms " + run).errors ==
          "cpl-lb: 'realms' must stand right behind cpmip: cpl-lb cpmip realms (see cpl-lb cpmip --help)\n");
    shows(command(folder, "cpmip " + run + " realms").errors, "'realms' must stand right behind cpmip");
}
