// cpl-lb predict nodes as a user runs it, on tables and on runs.
#include "tests/json.hpp"
#include "tests/run/timers/cesm_file.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <algorithm>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// 60 / n on gpu, 40 / n on cpu.
const std::string two_kinds = "atm,gpu,1,60\natm,gpu,2,30\natm,gpu,4,15\nocn,cpu,1,40\nocn,cpu,2,20\nocn,cpu,4,10\n";
const std::string columns = "component,kind,nodes,seconds";
const std::string side_by_side = " --layout 'max(atm,ocn)' ";

double number_at(const json &answer, const std::string &name) {
    return answer.at(name).get<double>();
}

void refused(const TemporaryFolder &folder, const std::string &arguments, const std::string &words, int status = 1) {
    INFO(arguments);
    CHECK(says(error_of(command(folder, "predict nodes " + arguments), status), words));
}

// A run of which the json tells that the ocean, 1 core, had one node of cpu, and the atmosphere, 2 cores, two of gpu.
void write_told_run(const std::string &path) {
    const std::vector<TimelineLiteral> run = sleepers();
    write_run(path, run);
    CoupledRun told = told_run(run);
    told.components[0].on_nodes = {0};
    told.components[1].on_nodes = {1, 2};
    told.meters.nodes.resize(3);
    told.meters.nodes[0].kind = "cpu";
    told.meters.nodes[1].kind = told.meters.nodes[2].kind = "gpu";
    write_told(path, told);
}

} // namespace

TEST_CASE("predict nodes: measured nodes of a table give the measured times, through the layout") {
    const TemporaryFolder folder;
    const std::string curves = "--curves " + write_curves(folder, two_kinds, columns);
    const std::string rest = "--kinds gpu=4:4x18,cpu=4:128 --nodes atm=2,ocn=4 --price gpu-node=3,cpu-node=1 "
                             "--power gpu=2000:1000,cpu=2000:1000";
    // atm 60 / 2 = 30 s, ocn 40 / 4 = 10 s, side by side: 30 s.
    const json answer = answer_of(folder, "predict nodes " + curves + side_by_side + rest);
    CHECK(number_at(answer, "seconds") == Approx(30).epsilon(1e-12));
    CHECK(number_at(answer.at("components").at("ocn"), "computing_s") == Approx(10).epsilon(1e-12));
    CHECK(number_at(answer, "node_hours") == Approx((2 + 4) * 30 / 3600.0));
    CHECK(number_at(answer, "core_hours") == Approx((2 * 72 + 4 * 128) * 30 / 3600.0));
    CHECK(number_at(answer, "gpu_hours") == Approx(2 * 4 * 30 / 3600.0));
    CHECK(number_at(answer, "price") == Approx((2 * 3 + 4 * 1) * 30 / 3600.0));
    // 6 nodes of 1 kW for 30 s, and 1 kW more while computing: 2 nodes for 30 s and 4 for 10 s.
    CHECK(number_at(answer, "energy_J") == Approx(6 * 30 * 1e3 + (2 * 30 + 4 * 10) * 1e3));
    CHECK(answer.at("measured_s").is_null());
    CHECK(answer.at("components").at("atm").at("measured_nodes").is_null());
    // One after the other: 30 + 10.
    CHECK(number_at(answer_of(folder, "predict nodes " + curves + " --layout atm+ocn " + rest), "seconds") ==
          Approx(40).epsilon(1e-12));
    // As balance with all named.
    CHECK(command(folder, "predict nodes " + curves + side_by_side + rest).output ==
          command(folder, "balance nodes " + curves + side_by_side + rest).output);
    CHECK(answer == answer_of(folder, "balance nodes " + curves + side_by_side + rest));
    CHECK(says(command(folder, "predict nodes " + curves + side_by_side + rest).output,
               "On 2 of 4 nodes of gpu, 4 of 4 nodes of cpu, as given: 30.000 s, "));
}

TEST_CASE("predict nodes --share: the other half of the nodes comes with them") {
    const TemporaryFolder folder;
    // 8 / n on the GPUs, 12 / n on the other cores.
    const std::string rows = "atm,1,8\natm,2,4\natm,4,2\nocn,1,12\nocn,2,6\nocn,4,3\n";
    const std::string arguments = "--curves " + write_curves(folder, rows, "component,nodes,seconds") + side_by_side +
                                  "--kinds gpu=4:4x18 --share atm+ocn:1.5 ";
    for (const char *nodes : {"--nodes atm=2", "--nodes ocn=2", "--nodes ocn=2,atm=2"}) {
        const json answer = answer_of(folder, "predict nodes " + arguments + nodes);
        CHECK(number_at(answer, "seconds") == Approx(1.5 * 12 / 2));
        CHECK(answer.at("kinds").at("gpu").at("taken") == 2);
    }
    refused(folder, arguments + "--nodes atm=2,ocn=4",
            "--share: atm and ocn are on the same nodes, but have 2 nodes of gpu and 4 nodes of gpu: give both the "
            "same with --nodes");
}

TEST_CASE("predict nodes on a run: who is not named keeps its nodes, and the run is compared") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers()); // in each step 1 core for 4 s, 2 cores for 10 s
    const std::string arguments = folder.path() + " --kinds cpu=8:1 ";
    // A node is a core: 4 nodes for the atmosphere take 5 s, and the ocean has its own, 4 s.
    const json answer = answer_of(folder, "predict nodes " + arguments + "--nodes atmosphere=4");
    CHECK(number_at(answer, "seconds") / number_at(answer, "measured_s") == Approx(5.0 / 10).epsilon(0.01));
    CHECK(answer.at("components").at("ocean").at("nodes") == 1);
    CHECK(answer.at("components").at("atmosphere").at("measured_nodes") == 2);
    CHECK(answer.at("components").at("atmosphere").at("measured_kind") == "cpu");
    CHECK(number_at(answer, "node_hours") == Approx((1 + 4) * number_at(answer, "seconds") / 3600));
    CHECK(answer == answer_of(folder, "balance nodes " + arguments + "--nodes atmosphere=4,ocean=1"));
    const json by_cores = answer_of(folder, "predict " + folder.path() + " --pes atmosphere=4");
    CHECK(number_at(answer, "seconds") == Approx(number_at(by_cores, "predicted_s")));
    const std::string text = command(folder, "predict nodes " + arguments + "--nodes atmosphere=4").output;
    INFO(text);
    CHECK(says(text, "s, with atmosphere on 2 nodes of cpu: this is 2.00 times as fast.\n"
                     "ocean keeps the nodes of the first run.\n"));
    // 1 node: 20 s instead of 10.
    CHECK(says(command(folder, "predict nodes " + arguments + "--nodes atmosphere=1").output,
               ": this takes 2.00 times as long.\n"));
    // The nodes of the run: its own time, and what it cost.
    const json same = answer_of(folder, "predict nodes " + arguments);
    CHECK(number_at(same, "seconds") == Approx(number_at(same, "measured_s")));
    CHECK(says(command(folder, "predict nodes " + arguments).output,
               ": this takes as long.\nocean, atmosphere keep the nodes of the first run.\n"));

    refused(folder, folder.path() + " --kinds cpu=8:4 --nodes atmosphere=1",
            "ocean had 0.25 nodes of cpu in the first run, and here components have whole nodes: say how many with "
            "--nodes ocean=NODES");
    refused(folder, folder.path() + " --kinds cpu=1:1",
            "--kinds: atmosphere cannot have 2 as in the first run: there is 1 node of cpu");
}

TEST_CASE("predict nodes on a run that tells its kinds") {
    const TemporaryFolder folder;
    write_told_run(folder.path());
    const std::string arguments = folder.path() + " --kinds gpu=3:2x1,cpu=2:8 ";
    // 2 nodes of gpu take 10 s, so 3 take 6.67 s; the ocean, 4 s, keeps its node of cpu.
    const json answer = answer_of(folder, "predict nodes " + arguments + "--nodes atmosphere=3");
    CHECK(number_at(answer, "seconds") / number_at(answer, "measured_s") == Approx(2.0 / 3).epsilon(0.01));
    CHECK(answer.at("components").at("ocean").at("kind") == "cpu");
    CHECK(answer.at("kinds").at("gpu").at("taken") == 3);
    // With a table the ocean may run on either kind: named, it stays on that of the run unless told otherwise.
    const std::string rows = "ocean,cpu,1,40\nocean,cpu,2,20\nocean,gpu,1,80\nocean,gpu,2,40\n";
    const std::string table = arguments + "--curves " + write_curves(folder, rows, columns) + " ";
    CHECK(answer_of(folder, "predict nodes " + table + "--nodes ocean=2").at("components").at("ocean").at("kind") ==
          "cpu");
    const json moved = answer_of(folder, "predict nodes " + table + "--nodes ocean=gpu:1");
    // 80 instead of 40 of the table, so 8 s instead of 4; the atmosphere still takes 10 s.
    CHECK(moved.at("components").at("ocean").at("kind") == "gpu");
    CHECK(number_at(moved.at("components").at("ocean"), "computing_s") ==
          Approx(2 * number_at(answer.at("components").at("ocean"), "computing_s")));
    refused(folder, table + "--on ocean=gpu",
            "ocean had nodes of cpu in the first run, and is to run on gpu now: say on how many with --nodes "
            "ocean=NODES");
    refused(folder, table + "--nodes ocean=gpu:2",
            "the components take 4 nodes of gpu together, and there are 3: give fewer with --nodes, or more with "
            "--kinds");
}

TEST_CASE("predict nodes on runs from timers") {
    const TemporaryFolder folder;
    // Side by side: on 16 cores each 800 s and 200 s, on 32 cores each 500 s and 100 s.
    std::string files, runs;
    for (const int tasks : {16, 32}) {
        CesmFile file;
        file.cores = 2 * tasks;
        file.lid = "170911-10" + std::to_string(5000 + tasks);
        file.rows = {{"atm", "cam", 0, tasks, 1, 1, tasks == 16 ? 800.0 : 500.0},
                     {"ocn", "pop", tasks, tasks, 1, 1, tasks == 16 ? 200.0 : 100.0}};
        files += " " + write(folder, "timing_" + std::to_string(tasks), file.text());
        runs += " " + (folder / "runs") + "/made.up." + file.lid;
    }
    REQUIRE(command(folder, "import timers" + files + " -o " + (folder / "runs")).status == 0);
    const std::string arguments = "predict nodes" + runs + " --kinds cpu=8:16 ";
    const json same = answer_of(folder, arguments);
    CHECK(number_at(same, "seconds") == Approx(800));
    CHECK(number_at(same, "measured_s") == Approx(800));
    const json more = answer_of(folder, arguments + "--nodes atm=2");
    CHECK(number_at(more, "seconds") == Approx(500));
    CHECK(number_at(more, "node_hours") == Approx((2 + 1) * 500 / 3600.0));
    CHECK(says(command(folder, arguments + "--nodes atm=2").output,
               "The first run took 800.000 s, with atm on 1 node of cpu: this is 1.60 times as fast.\nocn "
               "keeps the nodes of the first run.\n"));
}

TEST_CASE("predict nodes: who is outside of the coupling has nodes, too") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers(); // 1 core, 2 cores
    run.push_back({"ice", 3, {3, 4, 5}, {{Kind::out, 1, 0, 5, 6}, {Kind::out, 1, 0, 25, 26}}, {}, 1});
    write_run(folder.path(), run);
    const std::string arguments =
        "predict nodes " + folder.path() + " --without ice --kinds cpu=9:1 --nodes atmosphere=4";
    CHECK(answer_of(folder, arguments).at("kinds").at("cpu").at("taken") == 3 + 1 + 4);
    CHECK(answer_of(folder, arguments + ",ice=2").at("kinds").at("cpu").at("taken") == 2 + 1 + 4);
}

TEST_CASE("predict nodes: what is wrong is one line") {
    const TemporaryFolder folder;
    const std::string table =
        "--curves " + write_curves(folder, two_kinds + "ocn,gpu,1,16\n", columns) + side_by_side;
    const std::string kinds = table + "--kinds gpu=4:4x18,cpu=4:128 ";
    const auto wrong = [&](const std::string &arguments, const std::string &words, int status = 1) {
        refused(folder, arguments, words, status);
    };
    wrong(kinds, "--nodes: a table does not tell how many nodes each component has: add atm=NODES,ocn=NODES");
    wrong(kinds + "--nodes ocn=cpu:2",
          "--nodes: a table does not tell how many nodes each component has: add atm=NODES");
    wrong(kinds + "--nodes atm=2,ocn=1", "--nodes: ocn may run on gpu or cpu: say on which with ocn=KIND:1");
    wrong(kinds + "--nodes atm=5,ocn=cpu:1", "--nodes: atm cannot have 5: there are 4 nodes of gpu");
    wrong(kinds + "--nodes atm=3,ocn=gpu:2", "the components take 5 nodes of gpu together, and there are 4");
    wrong(kinds + "--nodes atn=3", "--nodes: there is no component 'atn'; did you mean 'atm'?");
    wrong(kinds + "--nodes atm=cpu:1,ocn=cpu:1", "atm: no measured time on any kind of node that it may have (cpu)");
    const std::string given = kinds + "--nodes atm=2,ocn=cpu:1 ";
    wrong(given + "--pes atm=4", "--pes", 2);
    wrong(given + "--threads atm=4", "--threads", 2);
    wrong(given + "--allowed atm=multiple-of-2", "--allowed", 2);
    wrong(given + "--lag SST=1", "--lag", 2);
    wrong(given + "--what-if", "--what-if", 2);
    wrong(given + "--html x.html", "--html", 2);
    wrong(given + "--host-cores 2", "--share", 2);
    wrong("--kinds gpu=4:4x18 --nodes atm=1", "folders of runs are missing, or --curves with --layout");
    wrong(table + "--nodes atm=2,ocn=1", "--kinds is required", 2);
    // Nobody may use it: told, and not counted.
    const std::string idle = table + "--kinds gpu=4:4x18,cpu=4:128,fat=2:64 --nodes atm=2,ocn=cpu:1";
    CHECK(says(command(folder, "predict nodes " + idle).output,
               "Remark: Nobody may run on fat: its 2 nodes are not used.\n"));
}
