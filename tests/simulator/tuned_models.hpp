// The models that cpl-lb tune is tried on, by name: the tests know their true times, the program runs them.
#pragma once

#include "tests/simulator/coupled_example.hpp"

#include <algorithm>
#include <string>

namespace cpl_lb::simulator {

inline bool is_random(const std::string &name) {
    return name.find_first_not_of("0123456789") == std::string::npos;
}

// The number of a random model, or a name of simulated_model.cpp.
inline Model tuned_model(const std::string &name) {
    if (is_random(name)) return random_model(std::stoull(name), {.io_servers = false, .noise = 0.005});
    if (name == "even") return coupled_example(ideal(0.8), ideal(1.6));
    Model model = coupled_example(amdahl(0.6, 0.1), amdahl(1.8, 0.05));
    if (name == "server") {
        model = with_server(std::move(model));
        model.parts[2].law = ideal(0.02);
        model.parts[2].step.push_back(compute(1));
    }
    for (Part &part : model.parts)
        part.noise = name == "noisy" ? 0.01 : 0;
    return model;
}

inline std::int64_t tuned_steps(const std::string &name, const Model &model) {
    return is_random(name) ? std::max<std::int64_t>(72, 10 * steps_of_cycle(model)) : 24;
}

} // namespace cpl_lb::simulator
