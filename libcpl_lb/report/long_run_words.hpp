// The beginning and the end of a run in words.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

// A shorter start-up is not worth a sentence.
inline constexpr double startup_told_from = 0.1; // of the run

// How long start-up takes, and who is last; empty if it is short.
[[nodiscard]] std::string startup_sentence(const CoupledRun &run);
// The speed of the loop, and a simulated year in one job; empty if they are not known.
[[nodiscard]] std::string long_run_lines(const CoupledRun &run);
// "45 s", "2.5 min", "3.2 h", "12 days".
[[nodiscard]] std::string duration_in_words(double seconds);

} // namespace cpl_lb
