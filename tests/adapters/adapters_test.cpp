// The adapters see every transfer, interpolation and file of a model that knows nothing of cpl_lb, and change
// nothing. The numbers are counted by hand from the source of the double and of the models.
#include "adapter_run.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace cpl_lb::adapter_tests;

Result run(const std::string &environment, const std::string &program, bool mpmd) {
    Result r;
    r.folder = new_folder();
    const std::string path = std::string(ADAPTERS_FOLDER) + "/" + program;
    const std::string job =
        mpmd ? " 1 " + path + " model_a : " ADAPTERS_MPIEXEC_NP " 1 " + path + " model_b" : " 2 " + path;
    r.status = std::system(("cd '" + r.folder.string() + "' && " + environment + " " ADAPTERS_MPIEXEC + job +
                            " > out 2> err < /dev/null")
                               .c_str());
    return r;
}

// Eight calls, 0 to 12,600 s. A_F (lag 1800, period 3600, run 14,400): 1800, 5400, 9000 put, 12,600 is the restart,
// and one put inside oasis_enddef from the restart that is read there; the partial sums at the end are two writes.
// A_G (no lag): 0, 3600, 7200, 10,800 to two targets, of which the second is mapped first; each time the first is
// also written.
const Counts model_a = {{"PART", 1},
                        {"ENDF", 1},
                        {"RST", 1},
                        {"PUT A_F > model_b", 4},
                        {"PUT A_G > model_b", 8},
                        {"MAP A_G > model_b", 4},
                        {"OUT A_G > model_b", 4},
                        {"RST A_F > model_b", 1},
                        {"TRN A_F > model_b", 2},
                        {"TERM", 1}};
// Three fields at 0, 3600, 7200 and 10,800; what comes of A_F is mapped.
const Counts model_b = {
    {"PART", 1}, {"ENDF", 1}, {"GET A_F > model_a", 4}, {"MAP A_F > model_a", 4}, {"GET A_G > model_a", 8},
    {"TERM", 1}};

void check_oasis(const Result &r, const std::string &plain) {
    REQUIRE(r.status == 0);
    CHECK(r.text("err").find("cpl_lb:") == std::string::npos);
    CHECK(r.counts("model_a") == model_a);
    CHECK(r.counts("model_b") == model_b);
    CHECK(r.result() == plain);
    // Simulated: 14,400 s, from the coupler.
    const cpl_lb::TimelineReader reader((r.folder / "timeline_model_a.nc").string());
    CHECK(reader.header().simulated_s == 14400.0);
    // A date is that of the call: the last puts of A_G were at 10,800 s.
    std::int64_t last = 0;
    for (const cpl_lb::EventKey &key : reader.header().keys.all())
        if (key.kind == cpl_lb::Kind::put) last = std::max(last, key.date);
    CHECK(last == 10800);
    CHECK(r.text("load_balancing_info.txt").find("Specific oasis_get time\n") != std::string::npos);
    CHECK(r.text("load_balancing_info.json").find("\"coupler\": \"OASIS3-MCT\"") != std::string::npos);
}

} // namespace

TEST_CASE("OASIS: static with --wrap, with Intel's names, and shared with LD_PRELOAD") {
    const Result plain = run("CPL_LB_ENABLED=1", "oasis_plain", true);
    REQUIRE(plain.status == 0);
    REQUIRE(!plain.result().empty());
    check_oasis(run("CPL_LB_ENABLED=1", "oasis_wrapped", true), plain.result());
    check_oasis(run("CPL_LB_ENABLED=1", "oasis_intel", true), plain.result());
    check_oasis(run("CPL_LB_ENABLED=1 LD_PRELOAD=" ADAPTERS_OASIS_PRELOAD, "oasis_on_shared", true), plain.result());
}

TEST_CASE("OASIS: switched off, nothing is written and the result is the same") {
    const Result plain = run("", "oasis_plain", true);
    for (const Result &r :
         {run("", "oasis_wrapped", true), run("LD_PRELOAD=" ADAPTERS_OASIS_PRELOAD, "oasis_on_shared", true)}) {
        CHECK(r.status == 0);
        CHECK(r.result() == plain.result());
        CHECK(!std::filesystem::exists(r.folder / "load_balancing_info.txt"));
    }
}

// The adapter's own look at the coupler's tables is bound when the program is loaded, and the coupler comes later:
// the model goes on, and one line says what helps.
TEST_CASE("a coupler that the model opens with RTLD_LOCAL") {
    struct Case {
        const char *model, *adapter;
        bool mpmd;
    };
    for (const auto &[model, adapter, mpmd] :
         {Case{"oasis", ADAPTERS_OASIS_PRELOAD, true}, Case{"mct", ADAPTERS_MCT_PRELOAD, false}}) {
        INFO(model);
        const std::string plain = run("", model + std::string("_plain"), mpmd).result();
        const std::string opened = model + std::string("_opened");
        const std::string preload = std::string("LD_PRELOAD=") + adapter;
        const Result on = run("CPL_LB_ENABLED=1 " + preload, opened, mpmd);
        CHECK(on.status == 0);
        CHECK(on.result() == plain);
        CHECK(lines_of_cpl_lb(on.text("err")) == 1);
        CHECK(on.text("err").find("opens its coupler with dlopen") != std::string::npos);
        const Result off = run("CPL_LB_ENABLED=0 " + preload, opened, mpmd);
        CHECK(off.status == 0);
        CHECK(off.result() == plain);
        CHECK(lines_of_cpl_lb(off.text("err")) == 0);
    }
    const Result both = run("CPL_LB_ENABLED=1 LD_PRELOAD='" ADAPTERS_OASIS_PRELOAD " " ADAPTERS_DOUBLE_SHARED "'",
                            "oasis_opened", true);
    check_oasis(both, run("", "oasis_plain", true).result());
}

// Three blocking and two non-blocking transfers, the ends of the latter by themselves; five interpolations. With
// LD_PRELOAD the double's own inner calls pass the adapter too: they must not count twice.
TEST_CASE("MCT: static with --wrap, and shared with LD_PRELOAD") {
    const Result plain = run("", "mct_plain", false);
    REQUIRE(plain.status == 0);
    const std::string names = "CPL_LB_ENABLED=1 CPL_LB_MCT_NAMES=1=atmosphere,2=ocean ";
    for (const Result &r : {run(names, "mct_wrapped", false),
                            run(names + "LD_PRELOAD=" ADAPTERS_MCT_PRELOAD, "mct_on_shared", false)}) {
        REQUIRE(r.status == 0);
        CHECK(r.text("err").find("cpl_lb:") == std::string::npos);
        CHECK(r.counts("atmosphere") == Counts{{"PUT u:v > ocean", 5}, {"PUT end of send > ocean", 2}, {"TERM", 1}});
        CHECK(r.counts("ocean") == Counts{{"GET u:v > atmosphere", 5}, {"MAP", 5}, {"TERM", 1}});
        CHECK(r.text("load_balancing_info.txt").find("oasis_get") == std::string::npos);
        CHECK(r.result() == plain.result());
    }
}

// Atmosphere and ocean have a number of their own each; sets that contain one of them say less. What the
// rearranger moves between them is an exchange, what it moves inside one of them is not: v:w goes three times. q goes
// twice over three routers: that of all atmospheres (5, named as 2 here) is the first between its pair of components,
// and the second between 2 and 3 stays #2 when it is made anew. The run ends in MPI_Finalize, since this model never
// cleans up.
TEST_CASE("MCT: processes with several components, as in the drivers of CESM and E3SM") {
    const Result plain = run("", "driver_plain", false);
    REQUIRE(plain.status == 0);
    const std::string names = "CPL_LB_ENABLED=1 CPL_LB_MCT_NAMES=2=atmosphere,3=ocean,5=atmosphere ";
    for (const Result &r : {run(names, "driver_wrapped", false),
                            run(names + "LD_PRELOAD=" ADAPTERS_MCT_PRELOAD, "driver_on_shared", false)}) {
        REQUIRE(r.status == 0);
        CHECK(lines_of_cpl_lb(r.text("err")) == 0);
        CHECK(r.counts("atmosphere") == Counts{{"PUT u > ocean", 3},
                                               {"PUT v:w > ocean", 3},
                                               {"PUT q > ocean", 4},
                                               {"PUT q #2 > ocean", 2},
                                               {"TERM", 1}});
        CHECK(r.counts("ocean") == Counts{{"GET u > atmosphere", 3},
                                          {"GET v:w > atmosphere", 3},
                                          {"GET q > atmosphere", 4},
                                          {"GET q #2 > atmosphere", 2},
                                          {"TERM", 1}});
        CHECK(r.result() == plain.result());
    }
    const Result off = run("", "driver_wrapped", false);
    CHECK(off.status == 0);
    CHECK(lines_of_cpl_lb(off.text("err")) == 0);
}

// LD_PRELOAD does not reach a coupler that is linked in. Who asked for a recording, in whatever way, is told once for
// the job; who did not is left alone.
TEST_CASE("a coupler that the adapter does not reach is told where a recording was asked for") {
    const std::string preload = " LD_PRELOAD=" ADAPTERS_OASIS_PRELOAD;
    const std::string on = "&namcpl_lb\n   ln_lb = .true.\n/\n";
    const std::string off = "&namcpl_lb\n! ln_lb = .true.\n   LN_LB = .FALSE.\n/\n";
    const auto with_namelist = [](const std::string &text) { return "printf '" + text + "' >namelist_cpl_lb;"; };
    const Result plain = run("", "oasis_plain", true);
    for (const std::string &asked :
         {"CPL_LB_ENABLED=1" + preload, with_namelist(on) + preload, with_namelist("&namcpl_lb\n/\n") + preload}) {
        INFO(asked);
        const Result r = run(asked, "oasis_plain", true);
        CHECK(r.status == 0);
        CHECK(r.result() == plain.result());
        const std::string said = r.text("err");
        CHECK(lines_of_cpl_lb(said) == 1);
        CHECK(said.find("cpl_lb: nothing is recorded by the adapter: the program never started a coupler that "
                        "LD_PRELOAD reaches. If its coupler is linked in statically, link the model again with the "
                        "adapter") != std::string::npos);
    }
    for (const std::string &not_asked :
         {preload, with_namelist(off) + preload, with_namelist(on) + " CPL_LB_ENABLED=0" + preload}) {
        INFO(not_asked);
        const Result r = run(not_asked, "oasis_plain", true);
        CHECK(r.status == 0);
        CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    }
}

// --wrap does not reach a coupler that calls itself inside a shared library.
TEST_CASE("a program with the linked adapter that never starts its coupler is told") {
    const Result r = run("CPL_LB_ENABLED=1", "idle_wrapped", false);
    CHECK(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 1);
    CHECK(r.text("err").find("the program never started the coupler through the adapter") != std::string::npos);
}
