// The adapter on a real OASIS3-MCT 3.0 (Debian's): counts against OASIS's own debug files, times against its timers,
// results bit by bit against a run without the adapter, counterparts against the namcouple.
#include "adapter_run.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <netcdf.h>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cpl_lb::adapter_tests;
namespace fs = std::filesystem;

struct Job {
    std::string example;       // tutorial or test_interpolation
    std::string first, second; // how model1 and model2 are linked
    std::string environment;   // of both
    std::string only_first;    // OpenMPI's -x for model1 alone
};

std::string text_of_file(const fs::path &path) {
    std::ifstream in(path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

// The namcouple of the package; both models write debug files with one line for each SEND, RECV and WRIT.
void prepare(const Job &job, const fs::path &folder) {
    const fs::path source = fs::path(REAL_EXAMPLES) / job.example / "data_oasis3";
    const bool tutorial = job.example == "tutorial";
    for (const auto &file : fs::directory_iterator(fs::path(REAL_FOLDER) / job.example / "data")) {
        fs::copy(file, folder);
    }
    if (!tutorial) fs::copy(source / "name_grids.dat", folder);
    std::string namcouple = text_of_file(source / (tutorial ? "namcouple_TP" : "namcouple"));
    if (const std::size_t at = namcouple.find("\n1 0\n"); at != std::string::npos)
        namcouple.replace(at, 5, "\n10 0\n");
    std::ofstream(folder / "namcouple") << namcouple;
}

Result run_models(const Job &job) {
    Result r;
    r.folder = new_folder();
    prepare(job, r.folder);
    const std::string path = std::string(REAL_FOLDER) + "/" + job.example + "/";
    r.status = std::system(("cd '" + r.folder.string() + "' && " + job.environment + " " REAL_MPIEXEC " " +
                            job.only_first + " -np 1 " + path + "model1_" + job.first + " : -np 1 " + path +
                            "model2_" + job.second + " > out 2> err < /dev/null")
                               .c_str());
    return r;
}

// What the models and OASIS wrote, not we; the debug files name addresses of units only.
std::map<std::string, std::string> results_of(const Result &r) {
    std::map<std::string, std::string> files;
    for (const auto &file : fs::directory_iterator(r.folder)) {
        const std::string name = file.path().filename().string();
        const bool ours = name.rfind("timeline_", 0) == 0 || name.rfind("load_balancing", 0) == 0;
        if (!ours && (file.path().extension() == ".nc" || name.find(".out_") != std::string::npos))
            files[name] = text_of_file(file.path());
    }
    return files;
}
void check_same_results(const Result &r, const Result &plain) {
    const auto expected = results_of(plain);
    const auto found = results_of(r);
    REQUIRE(expected.size() > 5);
    CHECK(found.size() == expected.size());
    for (const auto &[name, bytes] : expected) {
        INFO(name);
        CHECK((found.count(name) == 1 && found.at(name) == bytes));
    }
}

// "SEND FSENDOCN": how many lines of that kind OASIS wrote.
Counts traced(const Result &r, int model) {
    std::istringstream in(text_of_file(r.folder / ("debug.0" + std::to_string(model) + ".000000")));
    Counts counts;
    for (std::string line; std::getline(in, line);) {
        for (const char *kind : {"SEND", "RECV", "WRIT"}) {
            const std::string mark = std::string(kind) + ": ";
            if (const std::size_t at = line.find(mark); at != std::string::npos) {
                const std::string field = line.substr(at + mark.size());
                ++counts[std::string(kind) + " " + field.substr(0, field.find_last_not_of(' ') + 1)];
            }
        }
    }
    return counts;
}

// The least and the largest of a block, straight from the file.
int all_of(const Counts &counts, const std::string &kind) {
    int n = 0;
    for (const auto &[name, count] : counts) {
        if (name.rfind(kind, 0) == 0) n += count;
    }
    return n;
}

} // namespace

// namcouple_TP: FSENDOCN of model1 to FRECVATM of model2, mapped by the sender; FSENDOCN averaged to a file;
// FSENDATM of model2 to FRECVOCN of model1, mapped by the sender. All are also written. LD_BIND_NOW: as with
// libraries that are linked with -z now.
TEST_CASE("OASIS 3.0: the tutorial, static, and on the shared library, linked and preloaded") {
    const Result plain = run_models({"tutorial", "plain", "plain", "", ""});
    REQUIRE(plain.status == 0);
    const Counts debug1 = traced(plain, 1);
    const Counts debug2 = traced(plain, 2);
    // 21,600 s, FSENDOCN every 7200 with a lag of 3600: at 0 from the restart, 7200, 14,400. FSENDATM every 10,800
    // with a lag of 1800: at 0 and 10,800.
    REQUIRE(debug1.at("SEND FSENDOCN") == 3);
    REQUIRE(debug1.at("RECV FRECVOCN") == 2);
    const std::string on = "CPL_LB_ENABLED=1";
    for (const Job &job : {Job{"tutorial", "linked", "linked", on, ""}, Job{"tutorial", "mixed", "mixed", on, ""},
                           Job{"tutorial", "mixed", "mixed", on + " LD_BIND_NOW=1", ""},
                           Job{"tutorial", "shared", "shared", on + " LD_PRELOAD=" REAL_PRELOAD, ""}}) {
        INFO(job.first);
        const Result r = run_models(job);
        REQUIRE(r.status == 0);
        CHECK(lines_of_cpl_lb(r.text("err")) == 0);
        check_same_results(r, plain);
        const Counts model1 = r.counts("model1");
        const Counts model2 = r.counts("model2");
        CHECK(model1.at("PUT FSENDOCN > model2") == debug1.at("SEND FSENDOCN"));
        CHECK(model1.at("GET FSENDATM > model2") == debug1.at("RECV FRECVOCN"));
        CHECK(model2.at("PUT FSENDATM > model1") == debug2.at("SEND FSENDATM"));
        CHECK(model2.at("GET FSENDOCN > model1") == debug2.at("RECV FRECVATM"));
        CHECK(all_of(model1, "OUT") == all_of(debug1, "WRIT"));
        CHECK(all_of(model2, "OUT") == all_of(debug2, "WRIT"));
        CHECK(all_of(model1, "MAP") == debug1.at("SEND FSENDOCN")); // src, and SCRIPR's default is src, too
        CHECK(all_of(model2, "MAP") == debug2.at("SEND FSENDATM"));
        // Inside oasis_enddef a MAP has no field.
        CHECK(model1.at("MAP FSENDOCN > model2") == debug1.at("SEND FSENDOCN") - 1);
        CHECK(model2.at("MAP FSENDATM > model1") == debug2.at("SEND FSENDATM") - 1);
        CHECK(all_of(model1, "PUT") + all_of(model1, "GET") == 5);
        const cpl_lb::TimelineReader reader((r.folder / "timeline_model1.nc").string());
        CHECK(reader.header().simulated_s == 21600.0); // $RUNTIME
    }
}

TEST_CASE("OASIS 3.0: the interpolation test") {
    const Result plain = run_models({"test_interpolation", "plain", "plain", "", ""});
    REQUIRE(plain.status == 0);
    const Counts debug = traced(plain, 1);
    REQUIRE(debug.at("SEND FSENDANA") == 1);
    for (const Job &job :
         {Job{"test_interpolation", "linked", "linked", "CPL_LB_ENABLED=1", ""},
          Job{"test_interpolation", "shared", "shared", "CPL_LB_ENABLED=1 LD_PRELOAD=" REAL_PRELOAD, ""}}) {
        INFO(job.first);
        const Result r = run_models(job);
        REQUIRE(r.status == 0);
        check_same_results(r, plain);
        CHECK(r.counts("model1").at("PUT FSENDANA > model2") == 1);
        CHECK(r.counts("model1").at("MAP FSENDANA > model2") == 1);
        CHECK(r.counts("model2").at("GET FSENDANA > model1") == 1);
        CHECK(all_of(r.counts("model1"), "OUT") == all_of(debug, "WRIT"));
    }
}

// Switched off and on, in each of the two executables, in both, in none; with a short patience for who never comes.
TEST_CASE("OASIS 3.0: the adapter in any of the executables leaves the run as it is") {
    const Result plain = run_models({"tutorial", "plain", "plain", "", ""});
    for (const char *enabled : {"", "CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=1"}) {
        for (const auto &[first, second] : std::vector<std::array<std::string, 2>>{
                 {"linked", "plain"}, {"plain", "linked"}, {"mixed", "shared"}, {"shared", "mixed"}}) {
            INFO(enabled << " " << first << " " << second);
            const Result r = run_models({"tutorial", first, second, enabled, ""});
            CHECK(r.status == 0);
            check_same_results(r, plain);
            if (*enabled == '\0') continue;
            const bool has_first = first == "linked" || first == "mixed";
            const std::string has = has_first ? "model1" : "model2";
            CHECK(fs::exists(r.folder / ("timeline_" + has + ".nc")));
            CHECK(all_of(r.counts(has), "PUT") == all_of(traced(plain, has_first ? 1 : 2), "SEND"));
        }
    }
    const Result preloaded_first = run_models(
        {"tutorial", "shared", "shared", "", "-x CPL_LB_TIMEOUT=1 -x CPL_LB_ENABLED=1 -x LD_PRELOAD=" REAL_PRELOAD});
    CHECK(preloaded_first.status == 0);
    check_same_results(preloaded_first, plain);
}

// LD_PRELOAD does not reach an OASIS that is linked in: one line for the job, and the run is as it was.
TEST_CASE("OASIS 3.0: linked in and preloaded, one line says why there is nothing") {
    const Result plain = run_models({"tutorial", "plain", "plain", "", ""});
    const Result r = run_models({"tutorial", "plain", "plain", "CPL_LB_ENABLED=1 LD_PRELOAD=" REAL_PRELOAD, ""});
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 1);
    CHECK(r.text("err").find("If its coupler is linked in statically") != std::string::npos);
    check_same_results(r, plain);
}

namespace {

// Seconds in receives of a process, by OASIS's own timers (grcv_...), in the section of that process's own times.
double receiving_by_oasis(const fs::path &timers) {
    std::istringstream in(text_of_file(timers));
    double sum = 0.0;
    bool own = false;
    for (std::string line; std::getline(in, line);) {
        if (line.find("Local processor times") != std::string::npos) own = true;
        if (line.find("Overall") != std::string::npos || line.find("Global") != std::string::npos) own = false;
        std::istringstream words(line);
        std::string number;
        std::string label;
        double seconds = 0.0;
        if (own && words >> number >> label >> seconds && label.rfind("grcv_", 0) == 0) sum += seconds;
    }
    return sum;
}

double receiving_by_us(const fs::path &timeline, std::int64_t process) {
    cpl_lb::TimelineReader reader(timeline.string());
    std::vector<cpl_lb::Row> rows(1);
    reader.read_rows(process, rows);
    double sum = 0.0;
    const cpl_lb::EventKeys &keys = reader.header().keys;
    std::size_t n = 0;
    for (const cpl_lb::EventKey &key : keys.all()) {
        if (key.kind == cpl_lb::Kind::get) sum += 1e-9 * static_cast<double>(rows[0].stop[n] - rows[0].start[n]);
        ++n;
    }
    return sum;
}

} // namespace

// examples/oasis: the ocean waits in every step for an atmosphere that works three times as long. OASIS's interval
// begins before ours and ends after it; its timers are printed to 0.1 ms. Between the two a busy machine may take the
// processor away: it took 4 % of 1.2 s, and 9 ms of 0.1 s. 24 steps; every field goes every step.
TEST_CASE("OASIS 3.0: our example, its summary and its times against OASIS's timers") {
    Result r;
    r.folder = new_folder();
    std::string namcouple = text_of_file(fs::path(REAL_EXAMPLE) / "namcouple");
    const std::size_t at = namcouple.find("\n  1 0\n");
    REQUIRE(at != std::string::npos);
    std::ofstream(r.folder / "namcouple") << namcouple.replace(at, 7, "\n  2 2\n");
    const auto run = [&](const std::string &bin, const fs::path &folder) {
        return std::system((std::string(REAL_EXAMPLE) + "/run.sh --bin " + bin + " '" + folder.string() + "' > '" +
                            (folder / "out").string() + "' 2> '" + (folder / "err").string() + "' < /dev/null")
                               .c_str());
    };
    r.status = run(REAL_EXAMPLE_BIN, r.folder);
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    Result plain;
    plain.folder = new_folder();
    REQUIRE(run(REAL_EXAMPLE_BIN "/plain", plain.folder) == 0);
    // The models' own lines come first, in either order, with all bits of a sum.
    for (const char *model : {"ocean: mean", "atmosphere: mean"}) {
        const std::string expected = plain.text("out");
        const std::size_t from = expected.find(model);
        REQUIRE(from != std::string::npos);
        CHECK(r.text("out").find(expected.substr(from, expected.find('\n', from) - from)) != std::string::npos);
    }
    CHECK(r.counts("ocean") == Counts{{"PART", 1},
                                      {"ENDF", 1},
                                      {"PUT SST > atmos", 24},
                                      {"MAP SST > atmos", 24},
                                      {"GET HEAT > atmos", 24},
                                      {"GET TAUX > atmos", 24},
                                      {"TERM", 1}});
    // The summary has both components of the namcouple, with their processes. Who is slow is left to the machine.
    const std::string summary = r.text("out");
    for (const char *row : {"\nocean              2 ", "\natmos              2 "}) {
        CHECK(summary.find(row) != std::string::npos);
    }
    const cpl_lb::TimelineReader reader((r.folder / "timeline_ocean.nc").string());
    CHECK(reader.header().simulated_s == 259200.0); // $RUNTIME
    // The boxes of a grid of 48 x 36 that the two processes gave OASIS make it up.
    const std::vector<cpl_lb::GridPart> &parts = reader.header().figures.parts;
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].points + parts[1].points == 48 * 36);
    for (const cpl_lb::GridPart &part : parts) {
        CHECK(part.pieces.size() == 1);
        CHECK(part.size == std::array<std::int64_t, 2>{48, 36});
    }
    double longest = 0; // of both components: on a busy machine it is chance who waits
    for (const std::string &component : std::vector<std::string>{"ocean", "atmos"}) {
        for (std::int64_t process = 0; process < 2; ++process) {
            const double theirs =
                receiving_by_oasis(r.folder / (component + ".timers_000" + std::to_string(process)));
            const double ours = receiving_by_us(r.folder / ("timeline_" + component + ".nc"), process);
            INFO(component << " " << process << ": OASIS " << theirs << " s, cpl_lb " << ours << " s");
            CHECK(ours < theirs + 0.001);
            CHECK(ours > 0.9 * theirs - 0.02);
            longest = std::max(longest, theirs);
        }
    }
    CHECK(longest > 0.1);
}

// 24 steps. HEAT with a lag: one send at the end of the definition, from the file of run.sh, and 23 in the loop,
// because the last one would arrive after the end. SST in the odd steps, TAUX in each third step.
TEST_CASE("OASIS 3.0: our example with lags and periods from the command line") {
    Result r;
    r.folder = new_folder();
    const auto run = [&](const std::string &options, const fs::path &folder) {
        return std::system((std::string(REAL_EXAMPLE) + "/run.sh --bin " REAL_EXAMPLE_BIN " " + options + " '" +
                            folder.string() + "' > '" + (r.folder / "out").string() + "' 2> '" +
                            (r.folder / "err").string() + "' < /dev/null")
                               .c_str());
    };
    r.status = run("--lag HEAT=1 --every SST=2 --lag SST=1 --every TAUX=3", r.folder);
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    Counts ocean = r.counts("ocean");
    CHECK(ocean["PUT SST > atmos"] == 12);
    CHECK(ocean["GET HEAT > atmos"] == 24);
    CHECK(ocean["GET TAUX > atmos"] == 8);
    Counts atmosphere = r.counts("atmos");
    CHECK(atmosphere["PUT HEAT > ocean"] == 24);
    CHECK(atmosphere["PUT TAUX > ocean"] == 8);
    const std::string namcouple = r.text("namcouple");
    CHECK(namcouple.find("HEAT HEATOCN 1 10800 1 HEAT.nc EXPORTED\n20 14 48 36 atmo ocea LAG=+10800\n") !=
          std::string::npos);
    CHECK(namcouple.find("SST SSTATM 1 21600 1 SST.nc EXPORTED\n48 36 20 14 ocea atmo LAG=+10800\n") !=
          std::string::npos);
    for (const char *wrong : {"--lag SST=2", "--every SST=0", "--lag SS=1", "--every TAUX"}) {
        INFO(wrong);
        CHECK(run(wrong, new_folder()) != 0);
        CHECK(r.text("err").find("run.sh: ") == 0);
    }
}
