// MV scores from reports that real compilers wrote of tests/data/vector_reports/kernels.c and .f90. In both, line by
// line: triad's loop vectorises, the recurrence cannot, the stencil's inner loop (line 18) does and the one around it
// (line 17) is not itself vectorised.
#include "projection/predictors/vector_report.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

using namespace cpl_lb;

namespace {

std::vector<ReportedLoop> loops_of(const std::string &name) {
    std::ifstream in(CPL_LB_TEST_DATA "/vector_reports/" + name + ".txt");
    REQUIRE(in.good());
    std::stringstream text;
    text << in.rdbuf();
    return reported_loops(text.str());
}

} // namespace

TEST_CASE("gcc and clang agree on what they vectorise") {
    for (const char *compiler : {"gcc_12", "clang_14"}) {
        INFO(compiler);
        const auto loops = loops_of(compiler);
        CHECK(mv_score(loops, "kernels.c", 2, 5, false).mv == "01");
        CHECK(mv_score(loops, "kernels.c", 7, 14, false).mv == "00");
        CHECK(mv_score(loops, "kernels.c", 16, 20, false).mv == "01");
        CHECK(mv_score(loops, "", 16, 20, true).mv == "11"); // inside an OpenMP region
        CHECK(mv_score(loops, "", 7, 14, true).mv == "10");
        CHECK(mv_score(loops, "kernels.c", 1, 1, false).mv.empty()); // no loop there
        CHECK(mv_score(loops, "kernels.c", 2, 14, false).is_mixed());
        CHECK_FALSE(mv_score(loops, "kernels.c", 2, 5, false).is_mixed());
    }
}

TEST_CASE("gfortran writes as gcc does") {
    const auto loops = loops_of("gfortran_12");
    CHECK(mv_score(loops, "kernels.f90", 6, 8, false).mv == "01");
    CHECK(mv_score(loops, "kernels.f90", 15, 17, false).mv == "00");
}

TEST_CASE("loops that gcc runs in threads") {
    const auto loops = loops_of("gcc_12_parallel");
    CHECK(mv_score(loops, "kernels.c", 2, 5, false).mv == "11");
    CHECK(mv_score(loops, "kernels.c", 16, 20, false).mv == "11");
}

// These reports were written by hand after the compilers' documentation and listings that users have published: no
// such compiler was at hand.
TEST_CASE("Intel") {
    struct Expected {
        const char *name, *triad, *recurrence, *stencil;
    };
    for (const Expected &e :
         {Expected{"intel_classic", "01", "00", "11"}, Expected{"intel_llvm", "01", "00", "01"}}) {
        INFO(e.name);
        const auto loops = loops_of(e.name);
        CHECK(mv_score(loops, "kernels.c", 2, 5, false).mv == e.triad);
        CHECK(mv_score(loops, "kernels.c", 7, 14, false).mv == e.recurrence);
        CHECK(mv_score(loops, "kernels.c", 16, 20, false).mv == e.stencil);
        CHECK(mv_score(loops, "", 16, 20, false).loops.size() == 2); // line 17 around line 18
        CHECK(loops.size() == 4);                                    // each once, remainders are no loops
        CHECK(mv_score(loops, "", 7, 14, true).mv == "10");
    }
}

TEST_CASE("reports that end early or are of something else") {
    CHECK(reported_loops("LOOP BEGIN at a.f90(3,1)\n remark #15300: LOOP WAS VECTORIZED").size() == 1);
    CHECK(reported_loops("LOOP END\nLOOP BEGIN\nLOOP BEGIN at a.f90(x,1)\nLOOP BEGIN at \n").empty());
}

TEST_CASE("which file") {
    const auto loops = reported_loops("src/a.c:3:1: optimized: loop vectorized using 32 byte vectors\n"
                                      "lib/a.c:3:1: missed: couldn't vectorize loop\n"
                                      "b:c.c:7:2: optimized: loop vectorized using 16 byte vectors\n"
                                      "a.c:x:1: optimized: loop vectorized\n: optimized: loop vectorized\n");
    CHECK(loops.size() == 3);
    CHECK(mv_score(loops, "src/a.c", 1, 9, false).mv == "01");
    CHECK(mv_score(loops, "lib/a.c", 1, 9, false).mv == "00");
    CHECK(mv_score(loops, "b:c.c", 7, 7, false).mv == "01");
    CHECK_THROWS_WITH(mv_score(loops, "a.c", 1, 9, false), Catch::Contains("is of several files"));
    CHECK_THROWS_WITH(mv_score(loops, "", 1, 9, false), Catch::Contains("is of several files"));
    CHECK_THROWS_WITH(mv_score(loops, "z.c", 1, 9, false), Catch::Contains("says nothing of loops in 'z.c'"));
    CHECK_THROWS_WITH(mv_score({}, "", 1, 9, false), Catch::Contains("says nothing of loops: is it made with"));
}
