// The model of examples/coupled as the simulator runs it.
#pragma once

#include "tests/simulator/simulator.hpp"

#include <utility>

namespace cpl_lb::simulator {

// The order of calls in examples/coupled/src/ocean.f90 and atmosphere.f90: each sends, receives what the other sent
// in this step, and then computes. Sends do not wait.
inline Model coupled_example(Law ocean, Law atmosphere) {
    Model model;
    model.date_step_s = 10800;
    model.exchanges = {{"SST", 0, 1, 0, 1, -1, 0}, {"QNET", 1, 0, 0, 1, -1, 0}, {"TAUX", 1, 0, 0, 1, -1, 0}};
    model.parts = {{"ocean", std::move(ocean), {send(0), receive(1), receive(2), compute(1)}},
                   {"atmosphere", std::move(atmosphere), {send(1), send(2), receive(0), compute(1)}}};
    return model;
}

// Every fourth step each sends the I/O server its output.
inline Model with_server(Model model) {
    for (std::size_t part : {0U, 1U}) {
        model.parts[part].step.push_back(send(model.exchanges.size()));
        model.exchanges.push_back({"output", part, 2, 0, 4, -1, 0});
    }
    model.parts.push_back({"ioserver", ideal(0), {receive(3), receive(4)}, 0, 0, 0, true});
    return model;
}

} // namespace cpl_lb::simulator
