// A process is stopped in the middle of a large message of cpl_lb_terminate: the others give the message up after
// rn_timeout, and every process ends as it would without the library, although MPI still reads and writes there.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>

using scenario::run;

static const scenario::Program program("scenarios");

// 1.2 million events on each of 3 processes, no timeline: what goes to rank 0 from each of the others are some 300
// pieces of 16 KB and more. Memory of that size comes from the system here, and goes back there when it is freed, so
// that MPI would fail if it still used it. Rank 1 begins to send or rank 0 begins to receive, and stops for longer
// than the others wait.
TEST_CASE("a process stops while a large message is under way") {
    // Without the one, OpenMPI's receiver reads what the sender sends even while that is stopped.
    const auto [call, stopped, setting] = GENERATE(table<std::string, std::string, std::string>(
        {{"MPI_Isend", "1", "OMPI_MCA_btl_vader_single_copy_mechanism=none "}, {"MPI_Irecv", "0", ""}}));
    INFO(call << " on rank " << stopped);
    const auto r =
        run("overflow", 3,
            setting +
                "MALLOC_MMAP_THRESHOLD_=4096 CPL_LB_MAX_MB=512 EVENTS=1200000 CPL_LB_TIMELINE=0 "
                "CPL_LB_TIMEOUT=3 STOP_S=7 LD_PRELOAD=" +
                scenario::beside("libstopped.so") + ":$LD_PRELOAD STOP_CALL=" + call + " STOP_RANK=" + stopped);
    const std::string err = scenario::slurp(r.folder / "stderr");
    INFO(err);
    CHECK(err.find("stopped in " + call) != std::string::npos);
    CHECK(r.exit_code == 0);
    CHECK(r.complaints_with("stopped answering") >= 1);
}
