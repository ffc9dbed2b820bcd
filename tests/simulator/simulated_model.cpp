// A model as a program, for tests of cpl-lb tune: simulated_model NAME COUNT... writes the timelines of a simulated
// run with these processes into CPL_LB_DIR. Names: example, noisy, server, even (examples/coupled with other laws),
// jumped (a clock that jumps), missing (a process without a record), and the number of a random model.
#include "io/json/info_json.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/tuned_models.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

// In the middle of the run, for all.
void jump(Run &run) {
    for (PartRecord &part : run.parts) {
        for (Event &event : part.events) {
            for (double &s : event.start_s)
                if (event.step >= run.steps / 2) s += 50;
            for (double &s : event.stop_s)
                if (event.step >= run.steps / 2) s += 50;
        }
        part.end_s += 50;
    }
    run.end_s += 50;
}

void run_model(const std::string &name, const Counts &counts, const std::string &folder) {
    const Model model = tuned_model(name);
    std::uint64_t seed = 1; // other counts, other noise
    for (const std::int64_t count : counts)
        seed = 1000 * seed + static_cast<std::uint64_t>(count);
    Run run = simulate(model, counts, {.steps = tuned_steps(name, model), .seed = seed});
    if (name == "jumped") jump(run);
    write_timelines(folder, run);
    if (name != "missing") return;
    CoupledRun told = as_coupled_run(run);
    told.components[1].missing_processes = 1;
    std::ofstream(folder + "/load_balancing_info.json") << info_json(told);
}

} // namespace

int main(int argc, char **argv) {
    Counts counts;
    for (int n = 2; n < argc; ++n)
        counts.push_back(std::atoll(argv[n]));
    const char *folder = std::getenv("CPL_LB_DIR"), *enabled = std::getenv("CPL_LB_ENABLED");
    if (counts.empty() || folder == nullptr || enabled == nullptr || std::string(enabled) != "1") {
        std::fprintf(stderr, "simulated_model NAME COUNT..., with CPL_LB_DIR and CPL_LB_ENABLED=1\n");
        return 2;
    }
    try {
        run_model(argv[1], counts, folder);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::printf("model %s has run\n", argv[1]);
    return 0;
}
