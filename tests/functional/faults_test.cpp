// Faults, injected and survived: in every one the model ends with its own exit status, in time, and the fault is
// known to have fired.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>

using scenario::run;

namespace {

std::size_t fired(const scenario::Result &r) {
    const std::string err = scenario::slurp(r.folder / "stderr");
    std::size_t n = 0;
    for (std::size_t at = err.find("fault fired"); at != std::string::npos; at = err.find("fault fired", at + 1))
        ++n;
    return n;
}

long allocations(const scenario::Result &r) {
    const std::string err = scenario::slurp(r.folder / "stderr");
    const std::size_t at = err.find("allocations ");
    return at == std::string::npos ? 0 : std::atol(err.c_str() + at + 12);
}

} // namespace

TEST_CASE("MPI error in each call: made, then the error returned") {
    for (const std::string call : {"MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Testall", "MPI_Cancel", "MPI_Comm_idup",
                                   "MPI_Comm_set_errhandler"}) {
        for (const std::string rank : {"0", "1"}) {
            INFO(call << " on rank " << rank);
            const auto r = run("interleaved", 3,
                               "CPL_LB_TIMEOUT=5 LD_PRELOAD=" FAULTS " FAULT_MPI=" + call + " FAULT_RANK=" + rank);
            CHECK(r.exit_code == 0);
            CHECK(fired(r) == 1);
        }
    }
}

TEST_CASE("netCDF error at each call: no timeline, everything else") {
    const std::vector<std::string> classic = {
        "nc__create",        "nc_set_fill",        "nc_def_dim",     "nc_def_var",        "nc_put_att_text",
        "nc_put_att_double", "nc_put_att_int",     "nc_inq_dimid",   "nc_enddef",         "nc_inq_varid",
        "nc_put_vara_int",   "nc_put_vara_double", "nc_put_var_int", "nc_put_var_double", "nc_close"};
    const std::vector<std::string> compressed = {"nc_create",          "nc_def_var_chunking",
                                                 "nc_def_var_deflate", "nc_set_var_chunk_cache",
                                                 "nc_put_vara_double", "nc_close"};
    std::vector<std::pair<std::string, std::string>> faults;
    for (const std::string &call : classic)
        faults.emplace_back(call, "");
    for (const std::string &call : compressed)
        faults.emplace_back(call, " CPL_LB_COMPRESS=1");
    for (const auto &[call, setting] : faults) {
        INFO(call);
        const auto r = run("dated", 2, "CPL_LB_TIMEOUT=5 LD_PRELOAD=" FAULTS_NETCDF " FAULT_NC=" + call + setting);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) >= 1);
        CHECK(!r.has("timeline_ocean.nc"));
        const std::size_t files = r.output.find("Files in");
        CHECK(r.output.find("timeline_ocean.nc", files) == std::string::npos); // not named as written
        CHECK(r.has("load_balancing_info.json"));
        CHECK(r.complaints.size() == 1);
        CHECK(r.said.at("code") == -6);
    }
}

TEST_CASE("a process that cannot write its row: no timeline, one line, and all figures") {
    for (const std::string rank : {"0", "2"}) {
        INFO("rank " << rank);
        const auto r =
            run("dated", 3, "CPL_LB_TIMEOUT=5 LD_PRELOAD=" FAULTS_NETCDF " FAULT_NC=pwrite FAULT_RANK=" + rank);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(!r.has("timeline_ocean.nc"));
        CHECK(r.has("load_balancing_info.json"));
        CHECK(r.complaints.size() == 1);
        CHECK(r.complaints_with("No space left on device") == 1);
        CHECK(r.said.at("code") == -6);
    }
}

TEST_CASE("out of memory at allocations all over the run, on either process") {
    const auto clean = run("interleaved", 2, "LD_PRELOAD=" FAULTS_NEW);
    const long all = allocations(clean);
    REQUIRE(all > 100);
    // Twelve places, evenly spread; CPL_LB_FAULT_PLACES: more, where there is time.
    const char *places = std::getenv("CPL_LB_FAULT_PLACES");
    for (long at = 1; at < all; at += all / (places != nullptr ? std::atol(places) : 12) + 1) {
        for (const std::string rank : {"0", "1"}) {
            INFO("allocation " << at << " on rank " << rank);
            const auto r = run("interleaved", 2,
                               "CPL_LB_TIMEOUT=5 LD_PRELOAD=" FAULTS_NEW " FAULT_RANK=" + rank +
                                   " FAULT_NEW=" + std::to_string(at));
            // The scenario's own first allocation may be hit: then its std::bad_alloc is its own.
            if (scenario::slurp(r.folder / "stderr").find("terminate called after") != std::string::npos) continue;
            CHECK(r.exit_code == 0);
        }
    }
}

TEST_CASE("results where nothing can be written") {
    const auto nowhere = run("dated", 2, "CPL_LB_DIR=/proc/nowhere");
    CHECK(nowhere.exit_code == 0);
    CHECK(nowhere.said.at("code") == -6);
    CHECK(nowhere.complaints_with("/proc/nowhere") >= 1);
    // A file is where the directory should be.
    const auto file = run("dated", 2, "CPL_LB_DIR=stderr");
    CHECK(file.exit_code == 0);
    CHECK(file.said.at("code") == -6);
}

TEST_CASE("a file size limit at terminate: the model gets no signal") {
    const auto r = run("file_limit", 2);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(!r.has("timeline_ocean.nc"));
}

TEST_CASE("a full disk at terminate") {
    const auto disk = std::filesystem::temp_directory_path() / "cpl_lb_full_disk";
    std::filesystem::create_directories(disk);
    if (std::system(("mount -t tmpfs -o size=16k tmpfs " + disk.string() + " 2>/dev/null").c_str()) != 0) {
        WARN("skipped: no right to mount a small file system here");
        return;
    }
    const auto r = run("overflow", 2, "EVENTS=5000 CPL_LB_DIR=" + disk.string());
    const bool left = std::filesystem::exists(disk / "timeline_ocean.nc");
    CHECK(std::system(("umount " + disk.string()).c_str()) == 0);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(!left);
}

TEST_CASE("a thousand signals in a second interrupt terminate: all results are there") {
    const auto r = run("signals", 2);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("signals") >= 3); // it fired, on both
    CHECK(r.complaints.empty());
    REQUIRE(r.has("timeline_ocean.nc"));
    CHECK(scenario::timeline(r, "ocean").header.keys.size() == 20001); // and TERM
    CHECK(r.has("load_balancing_info.json"));
}

TEST_CASE("killed in the middle of terminate: no file that looks whole and is not") {
    const auto r = run("killed_in_terminate", 2, "CPL_LB_TIMEOUT=5");
    CHECK(r.exit_code != 0); // the signal's, as the launcher reports it
    CHECK(!r.has("load_balancing_info.json"));
    if (r.has("timeline_ocean.nc")) CHECK(scenario::timeline(r, "ocean").header.keys.size() == 500001);
}

// 1,000 components beside the driver's own, on one process; each has its summary and its timeline.
TEST_CASE("a thousand components") {
    const auto r = run("many_components", 1, "COMPONENTS=1000");
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("components").size() == 1001);
    CHECK(r.has("timeline_component_999.nc"));
    CHECK(r.complaints.empty());
}
