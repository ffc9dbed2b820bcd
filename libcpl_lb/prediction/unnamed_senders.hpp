// Fields that several components send and one receives from anybody: nobody records whose send a receive took.
// If all send in turn, or all each time, the order is the same anyway; with different rates it is not.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/matched_events.hpp"

#include <vector>

namespace cpl_lb {

// Throws PredictionError if such senders did not send equally often. One or two sends more or less, at the ends of a
// run, do not count. Fields that an I/O server receives hold up nobody and are left out.
void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges);

} // namespace cpl_lb
