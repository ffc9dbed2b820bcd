// A long coupling loop in a few parts that together hold a bounded number of exchanges.
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {

// Parts evenly spread over the loop; the whole loop if it holds at most so many PUTs and GETs.
[[nodiscard]] std::vector<Interval> parts_of_loop(const CoupledRun &run, const Interval &loop,
                                                  std::size_t most_points);

} // namespace cpl_lb
