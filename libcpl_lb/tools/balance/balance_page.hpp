// The page of cpl-lb balance: its basis (measured times, each with its run), as pictures, and its answer.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/curve_samples.hpp"
#include "tools/balance/balance_output.hpp"
#include "tools/balance/scaling_pictures.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// A region of a component in one run: the mean over the processes that entered it, in the whole run.
struct RegionTime {
    MeasuredTime time;
    double simulated_s = unknown; // of the run
};

// The sources of the times through which the curves go.
struct ScalingSources {
    SamplesByComponent samples;                           // of all runs and tables, in their order
    std::map<std::string, std::vector<std::string>> runs; // of each sample: the folder, or the table
    std::map<std::string, std::string> seconds_of;        // by component: "a coupling cycle"; empty: the table's
    std::map<std::string, std::map<std::string, std::vector<RegionTime>>> regions; // by component and name
};

// Called after the samples of a run were added: the new ones and the regions belong to this run.
void add_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &directory,
                 const CoupledRun &run);
// Called after all samples. Samples of components without a run, or with another number of them, are from the table.
void settle_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &table,
                    const std::string &seconds_of);

struct ComponentPictures {
    ScalingPicture component;
    std::vector<ScalingPicture> regions; // present in several runs, the longest first
};

// In the order of the components of the answer.
[[nodiscard]] std::vector<ComponentPictures> pictures_of(const BalanceOutput &output, const ScalingSources &sources);
// Whether regions of several runs are drawn, and the simulated time of one of these is not known.
[[nodiscard]] bool lengths_not_known(const ScalingSources &sources);

// `page`: the file that it will be: links to the pages of runs are relative to it.
[[nodiscard]] std::string balance_as_page(const BalanceOutput &output, const ScalingSources &sources,
                                          const std::string &page);

} // namespace cpl_lb
