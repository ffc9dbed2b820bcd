// Scaling curves of components from runs and from tables.
#pragma once

#include "prediction/measured_graph.hpp"
#include "prediction/scaling_curve.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

using SamplesByComponent = std::map<std::string, std::vector<ScalingSample>>;

// A table with the columns component,processes,seconds (io/csv_table.hpp). Throws FileError with line and column.
[[nodiscard]] SamplesByComponent read_curves(const std::string &path);

// Adds one sample for each component: its processes, and its computing time in one coupling cycle (in the whole
// stretch where no cycle was found, which fits only runs of one length).
void add_samples(SamplesByComponent &samples, const MeasuredGraph &measured);

// The run without these components, which take no part in the coupling (an I/O server). Throws PredictionError for a
// name that the run does not have.
[[nodiscard]] CoupledRun leave_out(CoupledRun run, const std::vector<std::string> &names);

// A run as the coupling sees it: without the components named, and without I/O servers (cpl_lb_set_io_server) that
// exchange nothing with the others. Throws as load_run and leave_out do.
struct CoupledPart {
    CoupledRun run;
    std::vector<std::string> io_servers; // that were left out
};
[[nodiscard]] CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without);

// The line that tells of them; empty where none was left out.
[[nodiscard]] std::string left_out_in_words(const std::vector<std::string> &io_servers);

// --serial: by component the share of its computing time that is the same with any processes; NaN where not given.
// Throws std::invalid_argument for what is not a share.
[[nodiscard]] std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names);

// For each name its curve; throws PredictionError where a component has no sample, or a serial part (by name; may be
// empty) although it was measured with several counts, which tell it.
[[nodiscard]] std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples,
                                                  const std::vector<std::string> &names,
                                                  const std::vector<double> &serial = {});

} // namespace cpl_lb
