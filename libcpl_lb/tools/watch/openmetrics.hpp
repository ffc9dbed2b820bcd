// A run that goes on as OpenMetrics text, which Prometheus and node_exporter's text collector read.
#pragma once

#include "data/coupled_run.hpp"
#include "tools/watch/progress_of_run.hpp"

#include <string>

namespace cpl_lb {

// Gauges, each with the label run; figures that are not known are left out.
[[nodiscard]] std::string openmetrics_text(const CoupledRun &run, const RunProgress &progress, double quiet_s);

} // namespace cpl_lb
