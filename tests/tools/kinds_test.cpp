// cpl-lb balance nodes as a user runs it, on tables and on runs.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"
#include "tools/balance/kinds.hpp"

#include <cmath>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// 60 / n on gpu, 40 / n on cpu.
const std::string two_kinds = "atm,gpu,1,60\natm,gpu,2,30\natm,gpu,4,15\nocn,cpu,1,40\nocn,cpu,2,20\nocn,cpu,4,10\n";
const std::string columns = "component,kind,nodes,seconds";
const std::string side_by_side = " --layout 'max(atm,ocn)' ";

std::int64_t nodes_of(const json &answer, const std::string &component) {
    return answer.at("components").at(component).at("nodes").get<std::int64_t>();
}

} // namespace

TEST_CASE("balance nodes: time, price and hours of a table with two kinds") {
    const TemporaryFolder folder;
    const std::string arguments = "balance nodes --curves " + write_curves(folder, two_kinds, columns) +
                                  side_by_side + "--kinds gpu=4:4x18,cpu=4:128 --on atm=gpu --on ocn=cpu ";
    // atm has all of gpu: 15 s. ocn needs three nodes for that: 13.3 s (two: 20 s).
    const json time = answer_of(folder, arguments);
    CHECK(time.at("seconds").get<double>() == Approx(15));
    CHECK(nodes_of(time, "atm") == 4);
    CHECK(nodes_of(time, "ocn") == 3);
    CHECK(time.at("components").at("atm").at("gpus") == 16);
    CHECK(time.at("components").at("atm").at("cores") == 288);
    CHECK(time.at("components").at("ocn").at("cores") == 384);
    CHECK(time.at("components").at("ocn").at("gpus") == 0);
    CHECK(time.at("kinds").at("cpu").at("taken") == 3);
    CHECK(time.at("node_hours").get<double>() == Approx(7 * 15 / 3600.0));
    CHECK(time.at("core_hours").get<double>() == Approx((4 * 72 + 3 * 128) * 15 / 3600.0));
    CHECK(time.at("gpu_hours").get<double>() == Approx(16 * 15 / 3600.0));
    CHECK(time.at("proven_optimal") == true);
    CHECK(time.at("price").is_null());
    // Price 3 and 1: 3 and 2 nodes 20 s x 11 = 220; 1 and 1: 60 x 4 = 240; 2 and 2: 30 x 8 = 240; 4 and 3: 15 x 15.
    const json price = answer_of(folder, arguments + "--price gpu-node=3,cpu-node=1 --objective price");
    CHECK(nodes_of(price, "atm") == 3);
    CHECK(nodes_of(price, "ocn") == 2);
    CHECK(price.at("price").get<double>() == Approx(220 / 3600.0));
    // Prices of units: a node of gpu is 4 x 5 + 72 x 0.5 = 56, one of cpu 64. 3 and 2: 20 x (168 + 128) = 5920.
    const json units = answer_of(folder, arguments + "--price gpu=5,cpu=0.5 --objective price");
    CHECK(units.at("price").get<double>() == Approx(20 * (3 * 56 + 2 * 64) / 3600.0));
    // Node hours: 3 and 2: 20 x 5 = 100; 1 and 1: 120; 2 and 2: 120; 4 and 3: 105.
    CHECK(answer_of(folder, arguments + "--objective node-hours").at("node_hours").get<double>() ==
          Approx(100 / 3600.0));
    // Core hours: 3 and 2: 20 x (216 + 256) = 9440; 1 and 1: 60 x 200 = 12000; 4 and 3: 15 x 672 = 10080.
    CHECK(answer_of(folder, arguments + "--objective cost").at("core_hours").get<double>() == Approx(9440 / 3600.0));
    // Energy, busy 2 and idle 1 kW on both: computing takes 60 + 40 node seconds of 1 kW beyond idling, whatever the
    // counts; idling takes the nodes x time, 100 node seconds at least: 200 kJ.
    const json energy = answer_of(folder, arguments + "--objective energy --power gpu=2000:1000,cpu=2000:1000");
    CHECK(energy.at("energy_J").get<double>() == Approx(200e3));
    // From the cheapest to the fastest.
    const json front = answer_of(folder, arguments + "--objective pareto").at("pareto");
    REQUIRE(front.size() == 2); // 3 and 2, 4 and 3
    CHECK(front[0].at("seconds").get<double>() == Approx(20));
    CHECK(front[1].at("seconds").get<double>() == Approx(15));

    const std::string text = command(folder, arguments + "--price gpu-node=3,cpu-node=1").output;
    CHECK(says(text, "On 4 of 4 nodes of gpu, 3 of 4 nodes of cpu: 15.000 s, "));
    CHECK(says(text, "proven: no other counts are better with these curves"));
    CHECK(says(text, "a node hour costs 3 on gpu, 1 on cpu."));
}

TEST_CASE("balance nodes: nodes, GPUs and cores of a table are the same times") {
    const TemporaryFolder folder;
    const std::string rest = side_by_side + "--kinds gpu=4:4x18,cpu=4:128 --on atm=gpu --on ocn=cpu";
    const std::string rows = "atm,4,,60\natm,8,,30\natm,16,,15\nocn,,128,40\nocn,,256,20\nocn,,512,10\n";
    const std::string table = write_curves(folder, rows, "component,gpus,processes,seconds");
    const json answer = answer_of(folder, "balance nodes --curves " + table + rest);
    CHECK(answer.at("seconds").get<double>() == Approx(15));
    CHECK(nodes_of(answer, "ocn") == 3);
}

TEST_CASE("balance nodes: a component on either kind, and one kind for which no time is there") {
    const TemporaryFolder folder;
    // ocn takes 16 / n on gpu, too: 40 / 4 = 10 s on cpu leaves gpu to atm, 15 s. On gpu it would take a node of atm.
    const std::string rows = two_kinds + "ocn,gpu,1,16\nocn,gpu,2,8\n";
    const std::string arguments = "balance nodes --curves " + write_curves(folder, rows, columns) + side_by_side;
    const json cpu = answer_of(folder, arguments + "--kinds gpu=4:4x18,cpu=4:128");
    CHECK(cpu.at("components").at("ocn").at("kind") == "cpu");
    const json with_blanks = answer_of(folder, arguments + "--kinds 'gpu=4:4x18, cpu=4:128' --on 'ocn = gpu : cpu'");
    CHECK(with_blanks == answer_of(folder, arguments + "--kinds gpu=4:4x18,cpu=4:128 --on ocn=gpu:cpu"));
    // With one node of cpu it is slower there, 40 s, than on one of gpu: 16 s, and atm 20 s on three.
    const json gpu = answer_of(folder, arguments + "--kinds gpu=4:4x18,cpu=1:128");
    CHECK(gpu.at("components").at("ocn").at("kind") == "gpu");
    CHECK(gpu.at("seconds").get<double>() == Approx(20));
    CHECK(nodes_of(gpu, "atm") == 3);
    const Result told = command(folder, arguments + "--kinds gpu=4:4x18,cpu=1:128,fat=2:64 --on atm=gpu:cpu");
    CHECK(says(told.output, "Remark: atm was not measured on cpu, and is left out there.\n"));
    CHECK(says(told.output, "Remark: Nobody may run on fat: its 2 nodes are not used.\n"));
}

TEST_CASE("balance nodes --share: halves of the same nodes, and what the sharing costs") {
    const TemporaryFolder folder;
    // 8 / n on the GPUs, 12 / n on the other cores. Both on all 4 nodes: 3 s. On nodes of their own: 2 and 2, 6 s.
    const std::string rows = "atm,1,8\natm,2,4\natm,4,2\nocn,1,12\nocn,2,6\nocn,4,3\n";
    const std::string arguments = "balance nodes --curves " + write_curves(folder, rows, "component,nodes,seconds") +
                                  side_by_side + "--kinds gpu=4:4x18 ";
    CHECK(answer_of(folder, arguments).at("seconds").get<double>() == Approx(6));
    const json shared = answer_of(folder, arguments + "--share atm+ocn");
    CHECK(shared.at("seconds").get<double>() == Approx(3));
    CHECK(shared.at("kinds").at("gpu").at("taken") == 4);
    CHECK(shared.at("components").at("atm").at("gpus") == 16);
    CHECK(shared.at("components").at("atm").at("cores") == 16);
    CHECK(shared.at("components").at("ocn").at("cores") == 4 * 68);
    CHECK(says(command(folder, arguments + "--share atm+ocn").output,
               "atm has 4 cores and all GPUs of each of these nodes, ocn the other 68 cores; what the "
               "sharing costs is not known, and taken as none.\n"));
    const std::string dearer = arguments + "--share atm:2+ocn:1.5";
    CHECK(answer_of(folder, dearer).at("seconds").get<double>() == Approx(4.5));
    CHECK(says(command(folder, dearer).output, "the other 64 cores; what the sharing costs was given: each takes 1.5 "
                                               "times as long as apart.\n"));
    for (const char *wrong : {"atm", "atm+ocn+atm", "atm:0+ocn", "atm:x+ocn", "atm+ocn:0.5", "atm:2:2+ocn"}) {
        const Result r = command(folder, arguments + "--share " + wrong);
        INFO(wrong << ": " << r.errors);
        CHECK(r.status == 1);
        CHECK(says(r.errors, "--share: not COMPONENT+COMPONENT"));
    }
}

TEST_CASE("balance nodes --nodes: the time to expect with given nodes") {
    const TemporaryFolder folder;
    const std::string arguments = "balance nodes --curves " + write_curves(folder, two_kinds, columns) +
                                  side_by_side + "--kinds gpu=4:4x18,cpu=4:128 ";
    const json given = answer_of(folder, arguments + "--nodes atm=2,ocn=cpu:1 --price gpu-node=3,cpu-node=1");
    CHECK(given.at("seconds").get<double>() == Approx(40));
    CHECK(given.at("price").get<double>() == Approx(40 * 7 / 3600.0));
    CHECK(given.at("gap").is_null());
    CHECK(given.at("proven_optimal") == false);
    CHECK(says(command(folder, arguments + "--nodes atm=2,ocn=1").output,
               "On 2 of 4 nodes of gpu, 1 of 4 nodes of cpu, as given: 40.000 s, "));
    // One given, the other chosen: ocn takes 40 s with its node, and one of gpu, 60 s, is too slow; two take 30 s.
    const json one = answer_of(folder, arguments + "--nodes ocn=1");
    CHECK(nodes_of(one, "atm") == 2);
    CHECK(one.at("seconds").get<double>() == Approx(40));
    CHECK(nodes_of(answer_of(folder, arguments + "--max atm=3"), "atm") == 3);
}

TEST_CASE("balance nodes on a run: as --total where a node is a core") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers();
    run[0].ranks = {0, 3, 4, 5, 6, 7}; // 6 cores for 4 s, 2 cores for 10 s
    write_run(folder.path(), run);
    const json by_cores = answer_of(folder, "balance " + folder.path() + " --total 8");
    const json by_nodes = answer_of(folder, "balance nodes " + folder.path() + " --kinds cpu=8:1");
    CHECK(by_nodes.at("seconds").get<double>() == Approx(by_cores.at("seconds").get<double>()));
    CHECK(nodes_of(by_nodes, "ocean") == 4);
    CHECK(nodes_of(by_nodes, "atmosphere") == 4);
    CHECK(by_nodes.at("proven_optimal") == false);
    const std::string text = command(folder, "balance nodes " + folder.path() + " --kinds cpu=8:1").output;
    CHECK(text.find("Extrapolated by ideal scaling, a bound and no proof: ocean (measured with 6 nodes, here 4)") ==
          0);
    CHECK(says(text, "Give ocean 4 nodes of cpu instead of 6, atmosphere 4 nodes of cpu instead of 2: 1.67 times as "
                     "fast, 40 % fewer node hours; uncertainty n/a"));
    // What nobody knows is not guessed.
    const std::string two = "balance nodes " + folder.path() + " --kinds gpu=3:2x1,cpu=8:1 ";
    CHECK(says(command(folder, two).errors,
               "on which kind of node atmosphere ran is not known: let --on give it one kind"));
    CHECK(says(command(folder, two + "--on ocean=cpu --on atmosphere=gpu").errors,
               "how many nodes of gpu atmosphere had is not known"));

    // The json of the run says that the atmosphere had two nodes for itself.
    CoupledRun told = told_run(run);
    told.components[0].on_nodes = {0};
    told.components[1].on_nodes = {1, 2};
    told.meters.nodes.resize(3);
    write_told(folder.path(), told);
    // The ocean had one node of 8 cores, 4 s; the atmosphere two nodes of gpu, 10 s, and then three: 6.67 s.
    const json kinds = answer_of(folder, "balance nodes " + folder.path() +
                                             " --kinds gpu=3:2x1,cpu=2:8 --on ocean=cpu --on atmosphere=gpu");
    CHECK(nodes_of(kinds, "atmosphere") == 3);
    CHECK(nodes_of(kinds, "ocean") == 1);
    CHECK(kinds.at("seconds").get<double>() / kinds.at("measured_s").get<double>() == Approx(2.0 / 3).epsilon(0.01));
}

TEST_CASE("balance nodes: who is outside of the coupling keeps its nodes") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers(); // 1 core for 4 s, 2 cores for 10 s
    run.push_back({"ice", 3, {3, 4, 5}, {{Kind::out, 1, 0, 5, 6}, {Kind::out, 1, 0, 25, 26}}, {}, 1});
    write_run(folder.path(), run);
    const std::string arguments = "balance nodes " + folder.path() + " --without ice ";
    // ice has 3 cores, two nodes of two: of the four nodes two are left, one each: 10 s as now.
    const json answer = answer_of(folder, arguments + "--kinds cpu=4:2 --nodes atmosphere=1,ocean=1");
    CHECK(answer.at("kinds").at("cpu").at("taken") == 4);
    CHECK(answer.at("node_hours").get<double>() == Approx(4 * answer.at("seconds").get<double>() / 3600));
    CHECK(says(command(folder, arguments + "--kinds cpu=4:2").output,
               "ice takes no part in the coupling and keeps its 2 nodes of cpu.\n"));
    CHECK(says(command(folder, arguments + "--kinds cpu=2:2").errors,
               "components outside of the coupling need 2 nodes of cpu: none are left for the others"));
    const std::string two = arguments + "--kinds cpu=4:2,other=9:2 --on ocean,atmosphere=cpu ";
    CHECK(says(command(folder, two).errors, "ice takes no part in the coupling, and on which kind of node it runs is "
                                            "not known: let --on give it one kind"));
    const json elsewhere = answer_of(folder, two + "--on ice=other --nodes ice=7");
    CHECK(elsewhere.at("kinds").at("other").at("taken") == 7);
}

TEST_CASE("where the components of a run were") {
    CoupledRun run;
    run.meters.nodes.resize(4);
    run.meters.nodes[0].kind = run.meters.nodes[1].kind = "gpu";
    run.meters.nodes[2].kind = run.meters.nodes[3].kind = "cpu";
    const auto add = [&](const std::string &name, std::vector<std::int32_t> nodes, std::size_t processes) {
        Component c;
        c.name = name;
        c.ranks.resize(processes);
        c.on_nodes = std::move(nodes);
        run.components.push_back(c);
    };
    add("atm", {0, 1}, 8);
    add("ocn", {0, 1}, 100);
    add("ice", {2}, 64);
    add("land", {2, 3}, 96);
    add("wide", {1, 2}, 4);
    const std::vector<PlaceInRun> all = places_in(run);
    CHECK(all[0].kind == "gpu");
    CHECK(all[0].beside == std::vector<std::string>{"ocn", "wide"});
    CHECK(all[2].kind == "cpu");
    CHECK(all[4].several_kinds);
    CHECK(all[4].kind.empty());
    const KindOfNode gpu{"gpu", 10, 4, 72}, cpu{"cpu", 10, 0, 128};
    CHECK(nodes_had(all[0], gpu, true) == 2);
    CHECK(std::isnan(nodes_had(all[0], gpu, false))); // its GPUs are not known
    run.components[0].gpus.count = 8;
    CHECK(nodes_had(places_in(run)[0], gpu, false) == 2);
    CHECK(nodes_had(all[2], cpu, false) == Approx(0.5));  // 64 of 128 cores, beside land
    CHECK(nodes_had(all[3], cpu, false) == Approx(0.75)); // not its two nodes, on which ice is, too
}

TEST_CASE("balance nodes: what is wrong is one line") {
    const TemporaryFolder folder;
    const std::string table = "--curves " + write_curves(folder, two_kinds, columns) + side_by_side;
    const std::string kinds = table + "--kinds gpu=4:4x18,cpu=4:128 ";
    const auto refused = [&](const std::string &arguments, const std::string &words, int status = 1) {
        INFO(arguments);
        CHECK(says(error_of(command(folder, "balance nodes " + arguments), status), words));
    };
    for (const char *wrong : {"gpu", "gpu=4", "gpu=4:", "gpu=0:4x18", "gpu=4:4x", "gpu=4:0", "gpu=4:4x18x2", "=4:8",
                              "gpu=4:4x18,", "gpu=-1:4x18", "gpu=4.5:4x18", "gpu=4:4x18:1", "gpu=99999999999:8"})
        refused(table + "--kinds " + wrong, "--kinds: not NAME=NODES:CORES or NAME=NODES:GPUSxCORES");
    refused(table + "--kinds gpu=4:4x18,gpu=2:8", "--kinds: 'gpu' is given twice");
    refused(table + "--kinds gpu=4:4x18 ", "curves.csv:5: column kind: --kinds has no 'cpu'");
    refused(kinds + "--on atm=gpus", "--on: there is no kind of node 'gpus'; did you mean 'gpu'?");
    refused(kinds + "--on atn=gpu", "--on: there is no component 'atn'; did you mean 'atm'?");
    refused(kinds + "--on atm", "--on: not COMPONENT,...=KIND");
    refused(kinds + "--on atm=gpu --on atm=cpu", "--on: 'atm' is given twice");
    refused(kinds + "--on atm=cpu", "atm: no measured time on any kind of node that it may have (cpu)");
    refused(kinds + "--nodes atm=5", "--nodes: atm cannot have 5: there are 4 nodes of gpu");
    refused(kinds + "--nodes atm=0", "--nodes: not a number of nodes, at most 100000: '0'");
    refused(kinds + "--nodes ocn=cpu", "--nodes: not a number of nodes, at most 100000: 'cpu'");
    refused(kinds + "--on atm=gpu --nodes atm=cpu:2", "--nodes: atm may not run on cpu, by --on");
    refused(kinds + "--share atm", "--share: not COMPONENT+COMPONENT");
    refused(kinds + "--share atm+ocn:0.9", "--share: not COMPONENT+COMPONENT");
    refused(kinds + "--share atm+atm", "--share: 'atm' is given twice");
    refused(kinds + "--share atm+ocn", "--share: ocn was not measured on gpu");
    refused(kinds + "--price gpu=5", "--price: a node of cpu has no price");
    refused(kinds + "--price gpu=5,cpu=x", "--price: not a number from 1e-12 to 1e12: 'x'");
    refused(kinds + "--objective price", "--objective price needs --price", 2);
    refused(kinds + "--objective energy", "least energy: what a node of each kind draws is not known");
    refused(kinds + "--power gpu=100", "--power: the watts of a node of cpu are missing");
    refused(kinds + "--power gpu=100:200,cpu=1", "idle not above busy");
    refused(kinds + "--min atm=3 --max atm=2", "atm: no number of nodes is possible: at least 3 (--min), at most 2");
    refused(kinds + "--total 8", "--total", 2);
    refused(kinds + "--launch srun", "--launch", 2);
    refused(kinds + "--html x.html", "--html", 2);
    refused(table + "--on atm=gpu", "--kinds is required", 2);
    CHECK(command(folder, "balance table " + table + "--total 8 --objective node-hours").status == 2);

    const auto table_refused = [&](const std::string &rows, const std::string &names, const std::string &words) {
        refused("--curves " + write_curves(folder, rows, names) + side_by_side + "--kinds gpu=4:4x18,cpu=4:128",
                words);
    };
    table_refused("atm,gpu,1,4,60\nocn,cpu,1,,40\n", "component,kind,nodes,gpus,seconds",
                  "curves.csv:2: column gpus: a row has one of nodes, gpus and processes");
    table_refused("atm,gpu,4,60\nocn,cpu,4,40\n", "component,kind,gpus,seconds",
                  "curves.csv:3: column gpus: cpu has no GPUs");
    table_refused("atm,gpu,4,60\nocn,cpu,4,40\n", "component,kind,processes,seconds",
                  "curves.csv:2: column processes: processes are cores, and gpu has GPUs: give nodes or gpus");
    table_refused("atm,gpu,60\nocn,cpu,40\n", "component,kind,seconds",
                  "curves.csv:2: column seconds: the row has none of nodes, gpus and processes");
    table_refused("atm,1,60\nocn,1,40\n", "component,nodes,seconds", "there is no column kind");
    table_refused("atm,,1,60\nocn,cpu,1,40\n", "component,kind,nodes,seconds",
                  "curves.csv:2: column kind: it is empty");
    // All of a kind is taken: ocn and atm need a node each.
    refused("--curves " + write_curves(folder, "atm,1,60\nocn,1,40\n", "component,nodes,seconds") + side_by_side +
                "--kinds gpu=1:4x18",
            "the fewest nodes that the components may have do not fit: there are 1 node of gpu");
}
