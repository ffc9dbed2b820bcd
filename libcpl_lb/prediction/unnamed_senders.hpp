// A field that a component receives from anybody and that several components send: whose send a receive took is not
// recorded. All in turn, or all each time, gives the same order; senders at different rates do not.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/matched_events.hpp"

#include <vector>

namespace cpl_lb {

// Throws PredictionError if such senders did not send equally often. A send or two more or less, at the ends of a
// run, are no difference. What an I/O server receives holds up nobody and is not looked at.
void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges);

} // namespace cpl_lb
