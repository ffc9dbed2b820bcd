// Each sentence of the verdicts of random programs, as the recorder of MPI saw them, evaluated by code that shares
// nothing with what writes them.
#include "tests/programs/program.hpp"
#include "tests/programs/recorded.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::programs;
using cpl_lb::simulator::from_environment;

namespace {

void check_programs(std::uint64_t count) {
    const std::uint64_t first = from_environment("CPL_LB_SIMULATED_FIRST", 1);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Program program = random_program(seed);
        const test::TemporaryFolder folder;
        const CoupledRun run = recorded_run(program, replay(program), folder.path());
        test::checked_words(run, seed);
    }
}

} // namespace

TEST_CASE("every sentence of the verdicts of a few random programs is true") {
    check_programs(8);
}

TEST_CASE("every sentence of the verdicts of random programs is true", "[long]") {
    check_programs(from_environment("CPL_LB_PROGRAMS", 100));
}
