// The model of examples/coupled without a machine that disturbs it: its balance, and the runs of
// tests/functional/coupled_predict.sh with times made by hand, and the figures of the command to a thousandth.
#include "tests/json.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/coupled_example.hpp"
#include "tests/tools/command.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using cpl_lb::test::answer_of;
using cpl_lb::test::command;
using nlohmann::json;

namespace {

std::string run_in(const test::TemporaryFolder &folder, const Model &model, const Counts &counts,
                   std::int64_t steps) {
    std::string directory = folder / (std::to_string(counts[0]) + "," + std::to_string(counts[1]));
    std::filesystem::create_directory(directory);
    write_timelines(directory, simulate(model, counts, {.steps = steps}));
    return directory;
}

double number(const json &object, const char *name) {
    return object.at(name).get<double>();
}

} // namespace

TEST_CASE("the coupled example with three times the work in the atmosphere: the ocean waits two thirds of its loop") {
    const test::TemporaryFolder folder;
    const std::string run =
        run_in(folder, with_server(coupled_example(amdahl(0, 0.1), amdahl(0, 0.3))), {2, 2, 1}, 10);
    const json info = answer_of(folder, "summary " + run);
    const json &ocean = info.at("components").at(0), &atmosphere = info.at("components").at(1);
    // 10 steps less the first and the last: 8 of 0.3 s. The ocean computes 0.1 of each.
    for (const json &component : {ocean, atmosphere}) {
        CHECK(component.at("steps").at("count") == 8);
        CHECK(number(component, "loop_s") == Approx(2.4).epsilon(1e-3));
        CHECK(number(component.at("waiting_for").at("ioserver"), "put_s") == Approx(0).margin(1e-6));
    }
    CHECK(number(ocean, "computing_s") == Approx(0.8).epsilon(1e-3));
    CHECK(number(ocean, "waiting_s") == Approx(1.6).epsilon(1e-3));
    CHECK(number(ocean.at("waiting_for").at("atmosphere"), "get_s") == Approx(1.6).epsilon(1e-3));
    CHECK(number(atmosphere, "computing_s") == Approx(2.4).epsilon(1e-3));
    CHECK(number(atmosphere, "waiting_s") == Approx(0).margin(1e-6));
    const std::string text = command(folder, "summary " + run).output;
    CHECK(text.find("atmosphere is the bottleneck: ocean spends 67 % of its time waiting for it.\n") == 0);
}

// Sleeps of a / p + k in a step: ocean 1.8 / p + 0.3 s, atmosphere 2.7 / p + 0.15 s. The slower one decides.
//        2,2    8,8     6,6   3,6   6,3    4,4
// ocean  1.2    0.525   0.6   0.9   0.6    0.75
// air    1.5    0.4875  0.6   0.6   1.05   0.825
TEST_CASE("the coupled example predicted from one run and from two") {
    const test::TemporaryFolder folder;
    const Model model = coupled_example(amdahl(1.8, 0.3), amdahl(2.7, 0.15));
    const std::string one = run_in(folder, model, {2, 2}, 6), two = run_in(folder, model, {8, 8}, 6);
    struct Split {
        Counts counts;
        double cycle_s = 0, ideal_s = 0; // ideal: 1.2 x 2 / p and 1.5 x 2 / p, the larger
    };
    for (const Split &split :
         {Split{{6, 6}, 0.6, 0.5}, Split{{3, 6}, 0.9, 0.8}, Split{{6, 3}, 1.05, 1}, Split{{4, 4}, 0.825, 0.75}}) {
        const std::string pes =
            " --pes ocean=" + std::to_string(split.counts[0]) + ",atmosphere=" + std::to_string(split.counts[1]);
        INFO(pes);
        const std::string there = run_in(folder, model, split.counts, 6);
        CHECK(number(answer_of(folder, "predict " + there).at("cycle"), "measured_mean_s") ==
              Approx(split.cycle_s).epsilon(1e-3));
        // One run knows no k and takes ideal scaling; what does not shrink is 0.3 of 1.2 and 0.15 of 1.5 s.
        CHECK(number(answer_of(folder, "predict " + one + pes), "cycle_mean_s") ==
              Approx(split.ideal_s).epsilon(1e-3));
        CHECK(number(answer_of(folder, "predict " + one + pes + " --curves ocean=0.25,atmosphere=0.1"),
                     "cycle_mean_s") == Approx(split.cycle_s).epsilon(1e-3));
        CHECK(number(answer_of(folder, "predict " + one + " " + two + pes), "cycle_mean_s") ==
              Approx(split.cycle_s).epsilon(1e-3));
    }
}
