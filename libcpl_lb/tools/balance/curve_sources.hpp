// Scaling curves of components from runs and from tables, as the command's options name them.
#pragma once

#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceModel;
struct BalanceOptions;
struct ScalingSources;

// A table with the columns component, processes, seconds, and optionally threads of each process
// (io/files/csv_table.hpp). Samples are by cores, processes x threads. Throws FileError with line and column.
[[nodiscard]] SamplesByComponent read_curves(const std::string &path);

// Replaces the times of the runs by those of the table: a table says how a component scales, in any unit of time.
// Throws PredictionError for a component that is not among `names`.
void replace_samples(SamplesByComponent &samples, const std::string &path, const std::vector<std::string> &names);

// Runs of the same model. `order`: of the components, for timelines without ids. Throws like load_run and leave_out,
// and PredictionError if a run is of another model than the first.
// Throws PredictionError if it is not known how long the components take with other cores.
void refuse_unknown_cores(const std::string &directory, const CoupledRun &run);

// Throws PredictionError if the component was never measured with so many threads, now or elsewhere.
void check_threads(const std::string &component, std::int64_t threads, std::int64_t now,
                   const std::vector<CurveOfThreads> &others);

[[nodiscard]] CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without,
                                       const std::vector<std::string> &order);
void check_same_model(const CoupledPart &first, const CoupledPart &other, const std::string &directory);

// The remarks of the runs, each once: a reader of advice must see that clocks did not fit, or that the order of the
// components was guessed.
void add_remarks(std::vector<std::string> &remarks, const CoupledRun &run);
[[nodiscard]] std::string remarks_in_words(const std::vector<std::string> &remarks);

// The line about components that were left out; empty if there are none.
[[nodiscard]] std::string left_out_in_words(const std::vector<std::string> &io_servers);

// The shares of --curves: by component, the share of its computing time that does not depend on the processes; NaN if
// not given. Throws std::invalid_argument if a value is no share.
[[nodiscard]] std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names);

// Whether the first of these folders holds a run from timers.
[[nodiscard]] bool are_from_timers(const std::vector<std::string> &directories);

// Adds all runs to the model, and their times to the samples: of each run one by component. Of runs from timers: the
// layout of the first, and the times of all, converted to the simulated time of the first. Throws PredictionError for
// timers mixed with timelines, runs of other components or without a layout, and if the simulated time is known for
// some runs only; throws FileError like load_run. `sources` may be null. `note`: is called with each whole run.
void read_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
               ScalingSources *sources, const std::function<void(const CoupledRun &)> &note = {});

} // namespace cpl_lb
