// Names of components by hand (docs/record.md).
#include "profiling/naming.hpp"

#include <catch2/catch.hpp>

using cpl_lb::profiling::name_components;
using cpl_lb::profiling::program_of;
using Texts = std::vector<std::string>;

TEST_CASE("executables are named by the shortest end of their paths that tells them apart") {
    CHECK(name_components({{0, "/run/ocean.exe"}, {1, "/run/atm.exe"}}, "").components ==
          Texts{"ocean.exe", "atm.exe"});
    CHECK_FALSE(name_components({{0, "/run/ocean.exe"}, {1, "/run/atm.exe"}}, "").by_folders);
    CHECK_FALSE(name_components({{0, "=a/ocean"}, {1, "/run/atm.exe"}}, "").by_folders); // given so
    CHECK(name_components({{0, "/r/atm/mitgcmuv"}, {1, "/r/ocn/mitgcmuv"}}, "").by_folders);
    // Three of one name differ by their folder; the length is the same for all.
    CHECK(name_components({{0, "/r/atm/mitgcmuv"}, {1, "/r/ocn/mitgcmuv"}, {2, "/r/cpl/mitgcmuv"}}, "").components ==
          Texts{"atm/mitgcmuv", "ocn/mitgcmuv", "cpl/mitgcmuv"});
    CHECK(name_components({{0, "/a/x/m"}, {1, "/b/x/m"}}, "").components == Texts{"a/x/m", "b/x/m"});
    // One is the end of the other.
    CHECK(name_components({{0, "x/m"}, {1, "/b/x/m"}}, "").components == Texts{"x/m", "b/x/m"});
    CHECK(name_components({{0, "/a/m"}, {1, "/a/m"}}, "").components == Texts{"m", "m"});
}

TEST_CASE("behind an interpreter the script is the program") {
    const auto of = [](const std::string &executable, const Texts &arguments) {
        return program_of(executable, arguments, [](const std::string &path) { return path == "./ocean"; });
    };
    CHECK(of("/run/ocean.exe", {"./ocean.exe", "case.py"}) == "/run/ocean.exe");
    CHECK(of("/usr/bin/python3.11", {"python3", "ocean.py", "namelist.py"}) == "ocean.py");
    CHECK(of("/usr/bin/python3.11", {"python3", "-W", "ignore", "-m", "mpi4py", "src/ocean.py"}) == "src/ocean.py");
    CHECK(of("/usr/bin/python3.11", {"/usr/bin/python3", "./ocean"}) == "./ocean"); // "#!" in a file without an end
    CHECK(of("/usr/bin/python3.11", {"python3", "-c", "import ocean"}) == "/usr/bin/python3.11");
    CHECK(of("/usr/bin/python3.11", {}) == "/usr/bin/python3.11");
    CHECK(of("/usr/lib/R/bin/exec/R", {"R", "--no-echo", "--file=ocean.R", "--args", "x"}) == "ocean.R");
    CHECK(of("/opt/julia/bin/julia", {"julia", "-t", "4", "ocean.jl"}) == "ocean.jl");
    CHECK(of("/run/pythonic_ocean", {"pythonic_ocean", "a.py"}) == "/run/pythonic_ocean");
    CHECK(of("/run/Regional", {"Regional", "a.R"}) == "/run/Regional");
}

TEST_CASE("a given name comes first, then the ranges of ranks") {
    const auto names = name_components({{0, "=ocean"}, {1, "/r/m"}, {2, "/r/m"}, {5, "/r/m"}}, "sea:0-1, ice:2");
    CHECK(names.problem.empty());
    CHECK(names.components == Texts{"ocean", "sea", "ice", "m"});
}

TEST_CASE("a range that is none is told and left out") {
    for (const char *bad :
         {"ocean", ":0-1", "ocean:1-0", "ocean:a-b", "ocean:-1", "ocean:0-1x", "ocean:99999999999"}) {
        const auto names = name_components({{0, "/r/m"}}, std::string("ice:3,") + bad);
        CHECK(names.problem == "cn_components: '" + std::string(bad) + "' is not name:first-last: ignored");
        CHECK(names.components == Texts{"m"});
    }
}

TEST_CASE("no name moves the cursor or begins a line") {
    CHECK(name_components({{0, "=\x1b[31mocean\n"}, {1, "/r/a\tm"}, {2, "=zo\xc3\xab\x7f"}}, "").components ==
          Texts{"?[31mocean?", "a?m", "zo\xc3\xab?"});
}
