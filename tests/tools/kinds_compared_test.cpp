// What cpl-lb balance nodes says of its answer: who is in turn, what it is compared with, and what was not
// measured.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

const std::string columns = "component,kind,nodes,seconds";
// atm 40 / n, ocn and ice 20 / n.
const std::string three = "atm,gpu,1,40\natm,gpu,2,20\natm,gpu,4,10\nocn,gpu,1,20\nocn,gpu,2,10\nocn,gpu,4,5\n"
                          "ice,gpu,1,20\nice,gpu,2,10\nice,gpu,4,5\n";

} // namespace

TEST_CASE(
    "balance nodes --share: a component in turn with one of the pair alone is refused, in either order of the pair") {
    const TemporaryFolder folder;
    const std::string table =
        "balance nodes --curves " + write_curves(folder, three, columns) + " --kinds gpu=4:4x18";
    const std::string with_atm = " --layout 'max(ice+atm,ocn)'", with_ocn = " --layout 'max(atm,ocn+ice)'";
    for (const char *pair : {"atm+ocn", "ocn+atm"}) {
        const std::string share = " --share " + std::string(pair);
        for (const bool atm : {true, false}) {
            const Result r = command(folder, table + (atm ? with_atm : with_ocn) + share);
            INFO(pair << "\n" << r.output << r.errors);
            CHECK(r.status == 1);
            CHECK(r.output.empty());
            CHECK(says(r.errors, std::string("--share: ice is in turn with ") + (atm ? "atm" : "ocn") +
                                     " on the same cores, but not with " + (atm ? "ocn" : "atm")));
            CHECK(says(r.errors, "another kind of node than gpu, or give it nodes of its own: > for + in --layout"));
        }
        // With nodes of its own: atm and ocn on n nodes, ice on m, n + m <= 4. 2 and 2: 20 + 10 s; 3 and 1: 13 + 20.
        CHECK(answer_of(folder, table + " --layout 'max(ice>atm,ocn)'" + share).at("seconds").get<double>() ==
              Approx(30));
        // In turn with both it has all of the four nodes: 10 + 5 s.
        CHECK(answer_of(folder, table + " --layout 'max(atm,ocn)+ice'" + share).at("seconds").get<double>() ==
              Approx(15));
    }
    // On another kind ice takes nothing from the pair: 10 s on four nodes, and 3 s on two of cpu.
    const std::string other = write_curves(folder, three + "ice,cpu,1,6\nice,cpu,2,3\n", columns);
    for (const char *pair : {"atm+ocn", "ocn+atm"}) {
        const json answer = answer_of(folder, "balance nodes --curves " + other + with_atm + " --share " + pair +
                                                  " --kinds gpu=4:4x18,cpu=2:128 --on ice=cpu");
        CHECK(answer.at("seconds").get<double>() == Approx(13));
        CHECK(answer.at("kinds").at("gpu").at("taken") == 4);
        CHECK(answer.at("kinds").at("cpu").at("taken") == 2);
    }
}

TEST_CASE("balance nodes: in turn on the same cores are only those on one kind, and not on halves of its nodes") {
    const TemporaryFolder folder;
    const std::string table = "balance nodes --curves " +
                              write_curves(folder, three + "ice,cpu,1,6\nice,cpu,2,3\n", columns) +
                              " --kinds gpu=4:4x18,cpu=2:128 ";
    const auto in_turn = [&](const std::string &arguments) {
        const std::string text = command(folder, table + arguments).output;
        const std::size_t at = text.find("In turn");
        std::string line = at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
        const json shared = answer_of(folder, table + arguments).at("shared");
        CHECK(line == (shared.is_null() ? "" : "In turn on the same cores: " + shared.get<std::string>() + "."));
        return line;
    };
    CHECK(in_turn("--layout 'max(ice+atm,ocn)' --on ice=gpu") == "In turn on the same cores: atm + ice.");
    CHECK(in_turn("--layout 'max(ice+atm,ocn)' --on ice=cpu").empty());
    CHECK(in_turn("--layout 'max(atm+ocn,ice)' --on ice=cpu") == "In turn on the same cores: atm + ocn.");
    CHECK(in_turn("--layout 'max(atm+ocn,ice)' --on ice=cpu --share atm+ocn").empty());
    CHECK(in_turn("--layout 'atm+ocn+ice' --on ice=gpu --share atm+ocn") ==
          "In turn on the same cores: (atm beside ocn) + ice.");
}

TEST_CASE("balance nodes on a run: the advice says what it counts, with those outside of the coupling") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers(); // 1 core for 4 s, 2 cores for 10 s
    run.push_back({"ice", 3, {3, 4, 5}, {{Kind::out, 1, 0, 5, 6}, {Kind::out, 1, 0, 25, 26}}, {}, 1});
    write_run(folder.path(), run);
    // ice keeps 3 nodes of one core. Of the other 5 atmosphere gets 4: 5 s instead of 10. Nodes x time: 8 x 5 = 40
    // instead of 6 x 10 = 60.
    const std::string arguments = "balance nodes " + folder.path() + " --without ice --kinds cpu=8:1";
    CHECK(says(command(folder, arguments).output, "2.00 times as fast, 33 % fewer node hours; "));
    CHECK(says(command(folder, arguments + " --price cpu-node=3").output, "2.00 times as fast, 33 % cheaper; "));
    // The fewest core hours are those of 1 and 2 nodes, with 3 kept: 5 + 3 nodes for 5 s.
    CHECK(says(command(folder, arguments + " --objective cost --min atmosphere=4").output,
               "2.00 times as fast, 33 % fewer core hours; "));
}

TEST_CASE("balance nodes on a run: parts of nodes are not compared with whole ones") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers()); // ocean has 1 core, atmosphere 2
    const auto text = [&](const std::string &kinds) {
        return command(folder, "balance nodes " + folder.path() + " --kinds " + kinds).output;
    };
    const std::string of_halves = text("cpu=2:2");
    CHECK(says(of_halves, "Compared with the first run: n/a, because there components had parts of nodes, and here "
                          "they have whole ones: ocean 0.50 nodes of cpu.\n"));
    CHECK_FALSE(says(of_halves, "Nothing to move"));
    // 1 of 64 and 2 of 64 cores: 0.0156 and 0.03125.
    const std::string of_crumbs = text("cpu=4:64");
    CHECK(says(of_crumbs, "whole ones: ocean 0.016 nodes of cpu, atmosphere 0.031 nodes of cpu.\n"));
    CHECK_FALSE(says(of_crumbs, "times as fast"));
    CHECK_FALSE(says(text("cpu=3:1"), "n/a, because there"));
}

TEST_CASE("balance --objective pareto: rows outside of what was measured are marked") {
    const TemporaryFolder folder;
    // atm 60 / n, ocn 40 / n. Price 3 and 1: 3 and 2 nodes take 20 s x 11 = 220, the least; 4 and 3 the least time.
    const std::string table =
        write_curves(folder, "atm,gpu,2,30\natm,gpu,4,15\nocn,cpu,1,40\nocn,cpu,2,20\n", columns);
    const std::string arguments = "balance nodes --curves " + table +
                                  " --layout 'max(atm,ocn)' --kinds gpu=4:4x18,cpu=4:128 --objective pareto"
                                  " --price gpu-node=3,cpu-node=1";
    const std::string text = command(folder, arguments).output;
    INFO(text);
    CHECK(says(text, "3 gpu    2 cpu\n"));
    CHECK(says(text, "4 gpu  3 cpu *\n"));
    CHECK(says(text, "\n* Extrapolated: the component was not measured with so few nodes, or so many.\n"));
    const json front = answer_of(folder, arguments).at("pareto");
    REQUIRE(front.size() == 2);
    CHECK(front[0].at("extrapolated").empty());
    CHECK(front[1].at("extrapolated") == json{"ocn"});
    CHECK_FALSE(says(command(folder, arguments + " --max ocn=2").output, "*"));
}

TEST_CASE("balance nodes: what the options cannot take says its limit, or who has no time where") {
    const TemporaryFolder folder;
    const std::string rows = "atm,gpu,1,60\natm,gpu,2,30\nocn,cpu,1,40\nocn,cpu,2,20\n";
    const std::string table =
        "balance nodes --curves " + write_curves(folder, rows, columns) + " --layout 'max(atm,ocn)' ";
    const std::string kinds = table + "--kinds gpu=4:4x18,cpu=4:128 ";
    const auto refused = [&](const std::string &arguments, const std::string &words) {
        INFO(arguments);
        CHECK(says(error_of(command(folder, arguments)), words));
    };
    refused(kinds + "--price gpu=1e308,cpu=1e308 --objective price",
            "--price: not a number from 1e-12 to 1e12: '1e308'");
    refused(kinds + "--price gpu=1,cpu=1e-300", "--price: not a number from 1e-12 to 1e12: '1e-300'");
    refused(kinds + "--power gpu=1e308,cpu=1 --objective energy",
            "--power: not KIND=BUSY or KIND=BUSY:IDLE, watts of a node from 1e-12 to 1e12");
    refused(table + "--kinds gpu=1000000:4x18,cpu=4:128", "GPUSxCORES, each number at most 100000, such as");
    refused(kinds + "--nodes atm=1000000", "--nodes: not a number of nodes, at most 100000: '1000000'");
    refused(kinds + "--share atm+ocn", "--share: ocn was not measured on gpu");
    refused(kinds + "--share ocn+atm --on ocn=cpu", "--share: ocn may not run on gpu, by --on or --nodes");
    refused(table + "--kinds gpu=4:4x1,cpu=4:128 --share atm+ocn",
            "--share: no kind of --kinds has GPUs, and cores beside those that go with the GPUs");
    // Blanks are no part of a name.
    CHECK(answer_of(folder, table + "--kinds 'gpu=4:4x18, cpu = 4:128' --on 'atm = gpu' --price 'gpu=1, cpu=2'")
              .at("seconds")
              .get<double>() == Approx(15));
}
