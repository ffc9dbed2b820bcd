// A folder with the json of a run whose atmosphere sends messages between its own processes.
#pragma once

#include "tests/inside_run.hpp"
#include "tests/tools/told.hpp"

#include <string>

namespace cpl_lb::test {

// Three processes, 20 steps, 60 s of core time: so many messages of so many bytes, and so much waiting for a process;
// negative: for none.
inline std::string write_inside(const TemporaryFolder &folder, const std::string &name, std::int64_t messages,
                                std::int64_t bytes, std::int32_t late, double late_s,
                                const std::string &run_name = "", const std::string &started = "") {
    CoupledRun run = inside_run();
    run.run.id = run_name.empty() ? name : run_name;
    if (!started.empty()) run.run.started = started;
    Component &atmosphere = run.components[1];
    atmosphere.balance.step_count = 20;
    atmosphere.inside.traffic.groups = 3;
    atmosphere.inside.traffic.pairs = {{0, 1, messages, messages * bytes, 0}};
    if (late >= 0) atmosphere.inside.traffic.waited_for = {{late, 2, 100, late_s, late_s, late_s}};
    return written(folder, name, run);
}

} // namespace cpl_lb::test
