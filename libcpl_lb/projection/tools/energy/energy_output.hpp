// Reads the tables of cpl-lb machine power and joules, or makes them from runs of a model, and prints its answers
// (docs/machines.md).
#pragma once

#include "projection/models/energy_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Package or DRAM, for each number of threads.
struct EnergyDomain {
    double idle_W = unknown;
    PowerFit fit; // of given coefficients: these alone
    bool fitted = false;
    std::string why_not; // the measured rows cannot tell the coefficients; empty: they can, or there are none
    std::vector<PowerPoint> powers;
    std::vector<double> measured_J;

    void add(const PowerPoint &power, double joules);
    [[nodiscard]] bool is_known() const { return cpl_lb::is_known(fit.coefficients.full); }
    [[nodiscard]] double power_W(std::size_t row) const;
};

struct EnergyTable {
    double nodes = 1;
    std::vector<int> threads;
    std::vector<double> seconds; // NaN: not given
    EnergyDomain package, dram;
};
// Columns threads, package_W, dram_W, measured_package_W, measured_dram_W, seconds, measured_package_J,
// measured_dram_J; all but threads may be left out. The row with 0 threads is the idle power.
[[nodiscard]] EnergyTable read_energy_table(const std::string &path);
[[nodiscard]] std::string energy_as_text(const EnergyTable &table);
[[nodiscard]] std::string energy_as_json(const EnergyTable &table);

struct EnergyByWork {
    std::vector<EnergyRun> runs;
    std::vector<std::string> names; // of each
    WorkEnergyFit fit;
    std::vector<std::string> remarks; // in words: which regions of runs these are
};
// Columns flops, bytes, seconds, joules, to the rows that are there; not fitted yet.
void read_energy_runs(const std::string &path, EnergyByWork &rows);
[[nodiscard]] std::string work_energy_as_text(const EnergyByWork &rows);
[[nodiscard]] std::string work_energy_as_json(const EnergyByWork &rows);

// One row for each region of each source that knows its operations, bytes and energy (of a node); a source may be a
// table, too. Bytes are those that the program asks for, or DRAM's where more regions know these. Throws FileError.
[[nodiscard]] EnergyByWork energy_by_work(const std::vector<std::string> &sources, const CoresAtWork &said);

} // namespace cpl_lb
