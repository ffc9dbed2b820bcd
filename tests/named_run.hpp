// A run of which the components' names are known, and nothing else.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb::test {

// The ids go from 1 on.
inline CoupledRun named_run(const std::vector<std::string> &names) {
    CoupledRun run;
    run.component_names = names;
    for (const std::string &name : names) {
        Component &c = run.components.emplace_back();
        c.name = name;
        c.id = static_cast<std::int32_t>(run.components.size());
    }
    return run;
}

} // namespace cpl_lb::test
