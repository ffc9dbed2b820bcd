// Faults, injected and survived: in every one the model ends with its own exit status, in time, and the fault is
// known to have fired.
#include "run_scenario.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>

using scenario::run;

static const scenario::Program program("scenarios");

namespace {

// Behind each of them what ctest preloads (waits_sleep).
const std::string faults = scenario::beside("libfaults.so") + ":$LD_PRELOAD";
const std::string faults_netcdf = scenario::beside("libfaults_netcdf.so") + ":$LD_PRELOAD";
const std::string faults_new = scenario::beside("libfaults_new.so") + ":$LD_PRELOAD";

// Its name has that of the MPI in it.
std::string library() {
    for (const auto &file : std::filesystem::directory_iterator(scenario::beside("../../libcpl_lb")))
        if (file.path().extension() == ".so") return file.path().string();
    return "no library";
}

std::size_t fired(const scenario::Result &r) {
    const std::string err = scenario::slurp(r.folder / "stderr");
    std::size_t n = 0;
    for (std::size_t at = err.find("fault fired"); at != std::string::npos; at = err.find("fault fired", at + 1))
        ++n;
    return n;
}

// What a preloaded library has counted: "allocations 1234".
long counted(const scenario::Result &r, const std::string &what) {
    const std::string err = scenario::slurp(r.folder / "stderr");
    const std::size_t at = err.find(what + " ");
    return at == std::string::npos ? 0 : std::atol(err.c_str() + at + what.size() + 1);
}

// Each child of the scenario made one thing fail, and says what became of it.
void check_each(const scenario::Result &r, double least_calls) {
    INFO(r.output);
    REQUIRE(r.exit_code == 0);
    REQUIRE(r.said.at("clean") == 1);
    CHECK(r.said.at("calls") >= least_calls);
    CHECK(r.said.at("places") > 50);
    CHECK(r.said.at("beyond") * 10 < r.said.at("places"));
    CHECK(r.said.at("fired") == r.said.at("places"));
    CHECK(r.said.at("ended") == r.said.at("places"));
    CHECK(r.said.at("silent") == 0);
}

// One process, forked anew for each fault: no launcher, so many places can be tried. CPL_LB_FAULT_STEP=1 tries each
// of the thousands of allocations and each call of netCDF, which takes minutes.
std::string step_or(const std::string &usual) {
    const char *step = std::getenv("CPL_LB_FAULT_STEP");
    return " STEP=" + (step != nullptr ? std::string(step) : usual);
}

} // namespace

TEST_CASE("MPI error in each call: made, then the error returned") {
    for (const std::string call : {"MPI_Iprobe", "MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Cancel",
                                   "MPI_Comm_create", "MPI_Comm_set_errhandler"}) {
        for (const std::string rank : {"0", "1"}) {
            INFO(call << " on rank " << rank);
            const auto r =
                run("interleaved", 3,
                    "CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults + " FAULT_MPI=" + call + " FAULT_RANK=" + rank);
            CHECK(r.exit_code == 0);
            CHECK(fired(r) == 1);
        }
    }
}

// As on several nodes. What fails is that a process says that it is there, that it reads a notice, and that it takes
// its own away.
TEST_CASE("MPI error in each call that tells who is there") {
    for (const std::string call : {"MPI_Publish_name", "MPI_Lookup_name", "MPI_Unpublish_name"}) {
        for (const std::string rank : {"0", "1"}) {
            INFO(call << " on rank " << rank);
            const auto r = scenario::run_job("3 " + scenario::as_on_several_nodes + "'" +
                                                 scenario::beside("scenarios") + "' interleaved",
                                             "CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=2 LD_PRELOAD=" + faults +
                                                 " FAULT_MPI=" + call + " FAULT_RANK=" + rank);
            CHECK(r.exit_code == 0);
            CHECK(fired(r) == 1);
            CHECK(r.complaints.size() <= 3);
        }
    }
}

// One of three never comes to init: the others make a communicator of their own, and that fails.
TEST_CASE("MPI error where those who came join") {
    const bool is_openmpi = library().find("openmpi") != std::string::npos;
    const std::string call =
        is_openmpi ? GENERATE("MPI_Intercomm_create", "MPI_Intercomm_merge") : "MPI_Comm_create_group";
    for (const std::string rank : {"0", "1"}) {
        INFO(call << " on rank " << rank);
        const auto r =
            run("no_init", 3, "CPL_LB_TIMEOUT=1 LD_PRELOAD=" + faults + " FAULT_MPI=" + call + " FAULT_RANK=" + rank);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
    }
}

// The message came all the same, so that all results are there, and one line tells of the error.
TEST_CASE("MPI error at sends and receives all over the run") {
    const std::string model =
        GENERATE("interleaved", "operations"); // what is the same on all; and the master's waiting
    const std::string call = GENERATE("MPI_Isend", "MPI_Irecv");
    const std::string fault =
        "STEPS=3 CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults + " FAULT_MPI=" + call + " FAULT_RANK=1 FAULT_AT=";
    const long all = counted(run(model, 3, fault + "0"), "calls");
    REQUIRE(all > 10);
    for (long at = 2; at < all; at += all / 4) {
        INFO(model << ": " << call << " " << at << " of " << all);
        const auto r = run(model, 3, fault + std::to_string(at));
        CAPTURE(r.complaints);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(r.has("load_balancing_info.json"));
        // These processes exchange no messages: on a busy machine a GET may end before its PUT began.
        CHECK(r.complaints.size() <= 1 + r.complaints_with("ended before"));
    }
}

TEST_CASE("netCDF error at each call: no timeline, everything else") {
    const std::vector<std::string> classic = {
        "nc__create",        "nc_set_fill",        "nc_def_dim",     "nc_def_var",        "nc_put_att_text",
        "nc_put_att_double", "nc_put_att_int",     "nc_inq_dimid",   "nc_enddef",         "nc_inq_varid",
        "nc_put_vara_int",   "nc_put_vara_double", "nc_put_var_int", "nc_put_var_double", "nc_close"};
    for (const std::string &call : classic) {
        INFO(call);
        const auto r = run("dated", 2, "CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf + " FAULT_NC=" + call);
        CAPTURE(r.complaints);
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
            run("dated", 3, "CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf + " FAULT_NC=pwrite FAULT_RANK=" + rank);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(!r.has("timeline_ocean.nc"));
        CHECK(r.has("load_balancing_info.json"));
        CHECK(r.complaints.size() == 1);
        CHECK(r.complaints_with("No space left on device") == 1);
        CHECK(r.said.at("code") == -6);
    }
}

TEST_CASE("netCDF error at each call that compresses: the timeline is there as it is, and one line says so") {
    for (const std::string call :
         {"nc_create_mem", "nc_close_memio", "nc_inq", "nc_inq_dim", "nc_inq_attname", "nc_copy_att",
          "nc_def_var_chunking", "nc_def_var_deflate", "nc_set_var_chunk_cache", "nc_get_vara", "nc_put_vara"}) {
        INFO(call);
        const auto r =
            run("dated", 2,
                "CPL_LB_COMPRESS=1 CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf + " FAULT_RANK=0 FAULT_NC=" + call);
        CAPTURE(r.complaints);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(scenario::slurp(r.folder / "timeline_ocean.nc").substr(0, 3) == "CDF");
        CHECK(r.has("load_balancing_info.json"));
        CHECK(r.complaints.size() == 1);
        CHECK(r.complaints_with("the timeline is there, but not compressed") == 1);
        CHECK(r.said.count("code") == 0);
    }
}

// HDF5 would crash in closing a file on a disk that has failed, or at the exit of the process
// (docs/decisions/memory_under_hdf5.md).
TEST_CASE(
    "a disk that fails for good under a compressed timeline: the model ends as ever, one line, and all figures") {
    for (const std::string fault : {"pwrite FAULT_AT=1", "pwrite FAULT_AT=2", "pwrite FAULT_AT=4", "disk_at_close"}) {
        INFO(fault);
        const auto r = run("overflow", 2,
                           "EVENTS=50000 CPL_LB_COMPRESS=1 CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf +
                               " FAULT_RANK=0 FAULT_LASTS=1 FAULT_NC=" + fault);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(!r.has("timeline_ocean.nc"));
        CHECK(r.complaints_with("timeline_ocean.nc") == 1);
        CHECK(r.said.at("code") == -6);
    }
}

// From the first, the second, ... close of a timeline on. With a descriptor of ours HDF5 would crash when the page
// has read it.
TEST_CASE("closing timelines fails: the model ends as ever") {
    for (const std::string compress : {"0", "1"}) {
        std::size_t struck = 1;
        for (int at = 1; struck > 0; ++at) {
            INFO("compressed " << compress << ", close " << at);
            const auto r = run("dated", 1,
                               "CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf + " FAULT_NC=close FAULT_LASTS=1" +
                                   " CPL_LB_COMPRESS=" + compress + " FAULT_AT=" + std::to_string(at));
            CAPTURE(r.complaints);
            struck = fired(r);
            CHECK(r.exit_code == 0);
            CHECK(r.has("load_balancing_info.json"));
            CHECK(r.complaints.size() <= 1);
            REQUIRE(at < 40);
            if (struck == 0) CHECK(at > 4); // it was closed so often
        }
    }
}

TEST_CASE("a disk that refuses the compressed bytes: the timeline is there as it is") {
    for (const std::string lasts : {"", " FAULT_LASTS=1"}) { // for good: then text and json are missing, too
        const auto r = run("overflow", 2,
                           "EVENTS=50000 CPL_LB_COMPRESS=1 CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_netcdf +
                               " FAULT_RANK=0 FAULT_NC=write" + lasts);
        CAPTURE(r.complaints);
        CHECK(r.exit_code == 0);
        CHECK(fired(r) == 1);
        CHECK(scenario::slurp(r.folder / "timeline_ocean.nc").substr(0, 3) == "CDF");
        CHECK(r.complaints_with("the timeline is there, but not compressed") == 1);
        CHECK(r.has("load_balancing_info.json") == lasts.empty());
        CHECK(r.said.count("code") == (lasts.empty() ? 0 : 1));
    }
}

TEST_CASE("out of memory at allocations all over the run, on either of two processes", "[memory]") {
    const std::string model = GENERATE("interleaved", "operations");
    const auto clean = run(model, 2, "STEPS=3 LD_PRELOAD=" + faults_new + " FAULT_NEW=0 FAULT_RANK=1");
    const long all = counted(clean, "allocations");
    REQUIRE(all > 100);
    // Not the very last ones: how many there are differs by a few from run to run, by who waits for whom.
    for (long fifth = 1; fifth < 5; ++fifth) {
        const long at = fifth * all / 5;
        for (const std::string rank : {"0", "1"}) {
            INFO(model << ": allocation " << at << " on rank " << rank);
            const auto r = run(model, 2,
                               "STEPS=3 CPL_LB_TIMEOUT=5 LD_PRELOAD=" + faults_new + " FAULT_RANK=" + rank +
                                   " FAULT_NEW=" + std::to_string(at));
            CHECK(r.exit_code == 0);
            CHECK(fired(r) == 1);
            CHECK((!r.complaints.empty() || r.has("load_balancing_info.json")));
        }
    }
}

TEST_CASE("each allocation fails once: the model comes to its end, and nothing is lost without a code", "[memory]") {
    check_each(run("each_fault", 1, "CPL_LB_PRINT=0 LD_PRELOAD=" + faults_new + step_or("61")), 1000);
}

TEST_CASE("each call of netCDF fails once: the model comes to its end, and nothing is lost without a code") {
    for (const std::string setting : {"", " CPL_LB_COMPRESS=1 EVENTS=5000"}) {
        INFO(setting);
        check_each(run("each_fault", 1, "CPL_LB_PRINT=0 LD_PRELOAD=" + faults_netcdf + step_or("5") + setting), 100);
    }
}

// What the table of calls above has forgotten would never be made to fail.
TEST_CASE("every call of netCDF and of MPI that the library makes can be made to fail") {
    const auto names_in = [](const std::string &command) {
        std::set<std::string> names;
        std::FILE *pipe = popen(command.c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::array<char, 256> line{};
        while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
            std::string name = line.data();
            name.erase(std::min(name.find_first_of("@\n"), name.size()));
            names.insert(name.substr(name.rfind(' ') + 1));
        }
        CHECK(pclose(pipe) == 0);
        return names;
    };
    // They have no error to return, or nobody could do anything about it.
    std::istringstream words(
        "nc_abort nc_free_string nc_strerror MPI_Comm_f2c MPI_Comm_rank MPI_Comm_size "
        "MPI_Error_string MPI_Initialized MPI_Finalized MPI_Comm_get_attr MPI_Get_count "
        "MPI_Comm_test_inter MPI_Comm_group MPI_Comm_get_parent MPI_Group_free MPI_Group_incl "
        "MPI_Get_library_version MPI_Comm_get_errhandler MPI_Errhandler_free "
        "MPI_Comm_create_errhandler MPI_Comm_call_errhandler MPI_Group_size MPI_Recv "
        "MPI_Group_translate_ranks MPI_Comm_create_keyval MPI_Comm_set_attr MPI_Comm_free_keyval");
    const std::set<std::string> harmless{std::istream_iterator<std::string>(words), {}};
    std::set<std::string> injected = names_in("nm -D --defined-only " + scenario::beside("libfaults.so"));
    injected.merge(names_in("nm -D --defined-only " + scenario::beside("libfaults_netcdf.so")));
    std::size_t seen = 0;
    for (const std::string &name : names_in("nm -D --undefined-only " + library())) {
        if (name.rfind("nc_", 0) != 0 && name.rfind("MPI_", 0) != 0) continue;
        ++seen;
        INFO(name);
        CHECK(injected.count(name) + harmless.count(name) == 1);
    }
    CHECK(seen > 30);
}

// 16 bytes for an event: a chunk of 512 KiB holds 65,534 words behind its time, half as many events.
TEST_CASE("no more memory for events: the later ones are dropped, counted and reported", "[memory]") {
    // UCX, below MPICH, would take mmap away from the preloaded library.
    const std::string fault = "UCX_MEM_MMAP_HOOK_MODE=none LD_PRELOAD=" + faults_new + " FAULT_CHUNK=";
    const auto third = run("overflow", 1, fault + "3 EVENTS=200000");
    CHECK(third.exit_code == 0);
    CHECK(fired(third) == 1);
    CHECK(third.component("ocean").at("events") == 65'535); // 2 x 32,767 and TERM
    CHECK(third.component("ocean").at("dropped_events") == 200'000 - 65'534);
    CHECK(third.complaints.size() == 1);
    CHECK(third.complaints_with("no more memory for events") == 1);
    CHECK(third.complaints_with("(134466 times") == 1);
    const auto first = run("overflow", 1, fault + "1 EVENTS=1000");
    CHECK(first.exit_code == 0);
    CHECK(fired(first) == 1);
    CHECK(first.complaints_with("no memory for events: nothing recorded") == 1);
    CHECK(first.component("ocean").at("events") == 1); // TERM
}

TEST_CASE("a file size limit at terminate: the model gets no signal") {
    const auto r = run("file_limit", 2);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(!r.has("timeline_ocean.nc"));
}

TEST_CASE("a full disk at terminate", "[mount]") {
    const auto disk = std::filesystem::temp_directory_path() / "cpl_lb_full_disk";
    std::filesystem::create_directories(disk);
    REQUIRE(std::system(("mount -t tmpfs -o size=16k tmpfs " + disk.string()).c_str()) == 0);
    const auto r = run("overflow", 2, "EVENTS=5000 CPL_LB_DIR=" + disk.string());
    const bool left = std::filesystem::exists(disk / "timeline_ocean.nc");
    CHECK(std::system(("umount " + disk.string()).c_str()) == 0);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(!left);
}

// The timeline has 12 bytes for each of 100,000 events and 16 more for each of two processes: 4.4 MB. netCDF keeps
// the file open that it could not write; text, json, page and the model's own 100 kB have room all the same.
TEST_CASE("a nearly full disk: what failed gives its room back, and the small results are there", "[mount]") {
    const auto disk = std::filesystem::temp_directory_path() / "cpl_lb_nearly_full";
    std::filesystem::create_directories(disk);
    REQUIRE(std::system(("mount -t tmpfs -o size=900k tmpfs " + disk.string()).c_str()) == 0);
    const auto r = run("restart_after", 2, "CPL_LB_DIR=" + disk.string());
    std::set<std::string> left;
    for (const auto &file : std::filesystem::directory_iterator(disk))
        left.insert(file.path().filename().string());
    CHECK(std::system(("umount " + disk.string()).c_str()) == 0);
    CAPTURE(r.complaints);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(r.complaints_with("timeline_ocean.nc") == 1);
    CHECK(r.said.at("restart") == 100'000);
    CHECK(r.said.at("closed") == 0);
    CHECK(left == std::set<std::string>{"load_balancing_info.json", "load_balancing_info.txt",
                                        "load_balancing_report.html", "restart"});
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
    const auto r = run("killed_in_terminate", 2, "CPL_LB_TIMEOUT=5", true, scenario::keeping_status);
    CHECK_THAT(scenario::slurp(r.folder / "statuses"),
               Catch::StartsWith("142\n")); // 128 + SIGALRM, as a shell says it
    CHECK(!r.has("load_balancing_info.json"));
    if (r.has("timeline_ocean.nc")) CHECK(scenario::timeline(r, "ocean").header.keys.size() == 500001);
}

// 1,000 components beside the driver's own, on one process; each has its summary and, as asked for, its timeline.
TEST_CASE("a thousand components") {
    const auto r = run("many_components", 1, "COMPONENTS=1000 CPL_LB_TIMELINE=1");
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("components").size() == 1001);
    CHECK(r.component("component 100").at("events") == 5); // 4 GET and TERM
    CHECK(r.has("timeline_component_999.nc"));
    CHECK(r.complaints.empty());
}

// Processes that run many components in turn exchange the same messages for each. What rank 0 of 4 sends is 11 times
// down the tree, to 2 others: facts, whether the events are alike, the way of the rows, who writes, twice whether
// that went well, the loop, in which each tells its own waiting, and for the waiting of all the intervals, the
// nesting, the number of pieces and of steps. One of the pieces more makes 24, and 1 is for what differs.
TEST_CASE("the messages of a component are few") {
    const auto messages = [](int components) {
        const auto r = run("many_components", 4,
                           "COMPONENTS=" + std::to_string(components) + " LD_PRELOAD=" + faults +
                               " FAULT_MPI=MPI_Isend FAULT_RANK=0 FAULT_AT=0");
        CHECK(r.exit_code == 0);
        return counted(r, "calls");
    };
    const long more = messages(40) - messages(20);
    CHECK(more > 0);
    CHECK(more <= 20L * 25);
}
