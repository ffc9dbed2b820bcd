// cpl-lb balance as a user runs it, on tables of timings.
#include "unit/tool_command.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

std::string table(const TemporaryFolder &folder, const std::string &rows) {
    std::string path = folder / "curves.csv";
    std::ofstream(path) << "component,processes,seconds\n" << rows;
    return path;
}

} // namespace

TEST_CASE("two components side by side share the cores by their work") {
    const TemporaryFolder folder;
    // 60 / p and 40 / p with 10 cores: 6 and 4, 10 s each; any other split has one above 10 s.
    const std::string curves = table(folder, "atm,1,60\natm,2,30\natm,4,15\nocn,1,40\nocn,2,20\nocn,4,10\n");
    const std::string arguments = "balance --curves " + curves + " --layout 'max(atm,ocn)' --total 10";
    const auto r = command(folder, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json answer = json::parse(r.output);
    CHECK(answer.at("seconds").get<double>() == Approx(10));
    CHECK(answer.at("processes").at("atm") == 6);
    CHECK(answer.at("processes").at("ocn") == 4);
    CHECK(answer.at("proven_optimal") == true);
    CHECK(answer.at("curve") == "fit");

    const auto text = command(folder, arguments);
    CHECK(text.output.find("mpirun -np 6 ./atm : -np 4 ./ocn") != std::string::npos);
    CHECK(text.output.find("srun --het-group=0 -n 6 ./atm : --het-group=1 -n 4 ./ocn") != std::string::npos);

    // In blocks of 4 the best is 4 and 4: 15 s.
    const json blocks = json::parse(command(folder, arguments + " --block 4 --json").output);
    CHECK(blocks.at("seconds").get<double>() == Approx(15));
}

TEST_CASE("bad input: one line and status 1") {
    const TemporaryFolder folder;
    const std::string good = table(folder, "atm,1,60\nocn,1,40\n");
    const auto error = [&](const std::string &arguments) {
        const auto r = command(folder, "balance " + arguments);
        CHECK(r.status == 1);
        CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
        return r.errors;
    };
    const std::string two = "--curves " + good + " --layout 'max(atm,ocn)' ";
    CHECK(error(two + "--total 1").find("the least counts need 2 cores, and there are 1") != std::string::npos);
    CHECK(error(two + "--total 10 --min 8").find("the least counts need 16 cores, and there are 10") !=
          std::string::npos);
    CHECK(error(two + "--total 10 --min wave=2").find("no component 'wave'") != std::string::npos);
    CHECK(error(two + "--total 10 --block atm=16").find("no multiple of 16") != std::string::npos);
    CHECK(error("--curves " + good + " --layout 'max(atm,ice)' --total 10").find("'ice'") != std::string::npos);
    CHECK(error("--total 10").find("--layout") != std::string::npos);
    CHECK(error("--curves " + table(folder, "atm,1,60\nocn,0,40\n") + " --layout 'atm+ocn' --total 10")
              .find("curves.csv:3: column processes: must be more than 0: 0") != std::string::npos);
    CHECK(command(folder, "balance " + two).status == 2);
}
