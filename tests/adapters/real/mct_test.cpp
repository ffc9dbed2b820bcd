// The adapter on the real MCT (Debian's): a program of the pattern of CESM's and E3SM's driver, and nested grids. The
// counts are those of the loops in driver.f90 and nested.f90.
#include "adapter_run.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace {

using namespace cpl_lb::adapter_tests;

Result run_mct(const std::string &environment, const std::string &program, int processes) {
    Result r;
    r.folder = new_folder();
    r.status = std::system(("cd '" + r.folder.string() + "' && " + environment + " " REAL_MPIEXEC " -np " +
                            std::to_string(processes) + " " REAL_FOLDER "/" + program + " > out 2> err < /dev/null")
                               .c_str());
    return r;
}

std::string forty_fields() {
    std::string all;
    for (int n = 1; n <= 40; ++n)
        all += std::string(n > 1 ? ":" : "") + "So_field_" + (n < 10 ? "0" : "") + std::to_string(n);
    return all;
}

} // namespace

// Three steps. Coupler and land have the same processes: the first number gives the name, and what moves between the
// two is computing. 40 names of 11 letters and their colons are 479 bytes.
TEST_CASE("MCT 3.0: the rearranger is an exchange between components, and computing inside one") {
    const Result plain = run_mct("", "driver_on_mct_plain", 5);
    REQUIRE(plain.status == 0);
    REQUIRE(!plain.result().empty());
    const Result r =
        run_mct("CPL_LB_ENABLED=1 CPL_LB_MCT_NAMES=2=coupler,3=atmosphere,4=ocean,5=land", "driver_on_mct_linked", 5);
    REQUIRE(r.status == 0);
    CHECK(r.result() == plain.result());
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    const std::string many = forty_fields();
    REQUIRE(many.size() == 479);
    CHECK(r.counts("coupler") == Counts{{"GET Sa_t:Sa_u > atmosphere", 3},
                                        {"GET " + many + " > ocean", 3},
                                        {"PUT Sx_t > atmosphere", 3},
                                        {"TERM", 1}});
    CHECK(r.counts("atmosphere") == Counts{{"PUT Sa_t:Sa_u > coupler", 3}, {"GET Sx_t > coupler", 3}, {"TERM", 1}});
    CHECK(r.counts("ocean") == Counts{{"PUT " + many + " > coupler", 3}, {"TERM", 1}});
}

// Steps 1, 3 and 5 go over the first router, 2 and 4 over the second.
TEST_CASE("MCT 3.0: nested grids stay apart") {
    const Result plain = run_mct("", "nested_on_mct_plain", 2);
    const Result r = run_mct("CPL_LB_ENABLED=1", "nested_on_mct_linked", 2);
    REQUIRE(plain.status == 0);
    REQUIRE(r.status == 0);
    CHECK(r.result() == plain.result());
    CHECK(r.counts("mct_1") == Counts{{"PUT u:v > mct_2", 3}, {"PUT u:v #2 > mct_2", 2}, {"TERM", 1}});
    CHECK(r.counts("mct_2") == Counts{{"GET u:v > mct_1", 3}, {"GET u:v #2 > mct_1", 2}, {"TERM", 1}});
}
