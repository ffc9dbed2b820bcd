// Scaling curves of components from runs and from tables, as the command's options name them.
#pragma once

#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// A table with the columns component,processes,seconds (io/csv_table.hpp). Throws FileError with line and column.
[[nodiscard]] SamplesByComponent read_curves(const std::string &path);

// Puts the times of the table in the place of those of the runs: a table says how a component scales, in whatever
// unit of time. Throws PredictionError for a component that is not among `names`.
void replace_samples(SamplesByComponent &samples, const std::string &path, const std::vector<std::string> &names);

// Runs of the same model. Throws as load_run and leave_out do, and PredictionError where one is of another model than
// the first.
[[nodiscard]] CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without);
void check_same_model(const CoupledPart &first, const CoupledPart &other, const std::string &directory);

// The line that tells of components that were left out; empty where none was.
[[nodiscard]] std::string left_out_in_words(const std::vector<std::string> &io_servers);

// --serial: by component the share of its computing time that is the same with any processes; NaN where not given.
// Throws std::invalid_argument for what is not a share.
[[nodiscard]] std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names);

} // namespace cpl_lb
