// cpl-lb machine as a user runs it. What it measures depends on the machine: only what must hold everywhere is
// checked.
#include "projection/machine/machine_file.hpp"
#include "tests/projection/commands/project_command.hpp"

#include <algorithm>
#include <fstream>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// Too busy a machine may be refused, with one line and no file; nothing else may. When it is, tests/machine says.
bool is_refused(const test::Result &r, const std::string &file) {
    if (r.status == 0) return false;
    CHECK(r.status == 1);
    CHECK(r.output.empty());
    CHECK(r.errors.find("cpl-lb: this node is too busy to be measured: ") == 0);
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    CHECK_FALSE(std::ifstream(file).good());
    return true;
}

} // namespace

TEST_CASE("this machine is measured, and its file says what the table says") {
    const TemporaryFolder folder;
    const std::string file = folder / "here.toml";
    const auto r = command(folder, "machine --quick --json -o " + file);
    INFO(r.errors);
    if (is_refused(r, file)) return;
    CHECK(r.errors.empty());
    const json measured = json::parse(r.output);
    const Machine machine = load_machine(file);
    CHECK(measured.at("name") == machine.name);
    REQUIRE(measured.at("bandwidths").size() == machine.bandwidths.size());
    for (std::size_t i = 0; i < machine.bandwidths.size(); ++i) {
        const json &row = measured.at("bandwidths").at(i);
        CHECK(row.at("level") == machine.bandwidths[i].level);
        CHECK(row.at("B_per_s").get<double>() == Approx(machine.bandwidths[i].B_per_s).epsilon(1e-4));
        CHECK(machine.bandwidths[i].B_per_s > 0);
    }
    CHECK(flop_rate_of(machine, {1, unknown}, "scalar") > 0);
    CHECK(bandwidth_of(machine, "DRAM", {1, unknown}, "triad") > 0);
    CHECK(machine.locality.size() == 4);
    REQUIRE_FALSE(machine.levels.empty());
    CHECK(machine.levels.back().level == "DRAM");
    CHECK(machine.levels.back().latency_s > 0);
    const bool tells = std::any_of(machine.remarks.begin(), machine.remarks.end(), [](const std::string &remark) {
        return remark.find("network n/a: --mpirun 'mpirun -n 2' was not given") == 0;
    });
    CHECK(tells);
}

TEST_CASE("an mpirun that does not start anything is n/a, and says so") {
    const TemporaryFolder folder;
    const std::string file = folder / "here.toml";
    const auto r = command(folder, "machine --quick --json --mpirun false -o " + file);
    INFO(r.errors);
    if (is_refused(r, file)) return;
    CHECK(json::parse(r.output).at("network").empty());
    CHECK(holds(r.output, "network n/a: "));
}

TEST_CASE("known machines are shown") {
    const TemporaryFolder folder;
    const auto r = command(folder, "machine xeon_gold_6148");
    CHECK(r.status == 0);
    CHECK(holds(r.output, "40 cores, 2.4 GHz"));
    CHECK(holds(r.output, "ESCAPE deliverable D3.5, table 37"));
    CHECK(holds(command(folder, "machine --list").output, "cray_x1e          Cray X1E (one MSP)\n"));
}

TEST_CASE("bad machine files: one line and status 1") {
    const TemporaryFolder folder;
    CHECK(holds(error_of(folder, "machine pdp11"), "pdp11: no such machine; there are 2070q"));
    const std::string file =
        write(folder, "mine.toml", "name = 'mine'\n\n[[bandwidth]]\nlevel = 'DRAM'\nthreads = 1\nGB_per_s = 0\n");
    CHECK(holds(error_of(folder, "machine " + file), "mine.toml:6: bandwidth.GB_per_s: 0 is not between"));
    CHECK(command(folder, "machine --list mine").status == 2);
}
