// What the environment says of the tests on random models, for more models and other seeds than the suite tries.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace cpl_lb::simulator {

// CPL_LB_SIMULATED_MODELS and CPL_LB_SIMULATED_FIRST, the first seed.
inline std::uint64_t from_environment(const char *name, std::uint64_t otherwise) {
    const char *text = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// New models in each run of a test, which prints this: CPL_LB_SIMULATED_FIRST tries the same ones again.
inline std::uint64_t new_first_seed() {
    return from_environment("CPL_LB_SIMULATED_FIRST", std::random_device{}());
}

// CPL_LB_SIMULATED_TELL: the figures are printed.
inline bool tells_figures() {
    return std::getenv("CPL_LB_SIMULATED_TELL") != nullptr; // NOLINT(concurrency-mt-unsafe)
}

} // namespace cpl_lb::simulator
