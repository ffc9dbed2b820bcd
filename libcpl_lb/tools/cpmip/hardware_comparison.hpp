// The same models on two machines (Balaji et al. 2017, section 4.7, tables 3 and 4): their gain, compared with what
// cores and peak rates promise.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct HardwareRow {
    std::string model, machine;
    double sypd = unknown, chsy = unknown, jpsy = unknown;
    [[nodiscard]] double cores() const { return sypd * chsy / 24; } // that the run used
};

// A machine, or several partitions taken together: "gaea/c1+gaea/c2".
struct ComparedMachine {
    std::string name;
    std::vector<std::string> parts;
    double cores = unknown, peak_flop_per_s = unknown; // of all parts; NaN: of one of them it is not known
};

struct HardwareComparison {
    ComparedMachine before, after;
    struct Pair {
        HardwareRow before, after;
        [[nodiscard]] double faster() const { return after.sypd / before.sypd; }
        [[nodiscard]] double core_for_core() const { return before.chsy / after.chsy; }
        [[nodiscard]] double energy() const { return after.jpsy / before.jpsy; }
    };
    std::vector<Pair> pairs;
    std::vector<std::string> remarks; // models that only one of them has

    // Geometric mean over the pairs; NaN if no pair has it.
    [[nodiscard]] double core_for_core() const;
    [[nodiscard]] double energy() const;
    [[nodiscard]] double cores_ratio() const { return after.cores / before.cores; }
    [[nodiscard]] double peak_ratio() const { return after.peak_flop_per_s / before.peak_flop_per_s; }
    // How much of these models the whole new machine can run against the whole old one.
    [[nodiscard]] double capacity() const { return core_for_core() * cores_ratio(); }
};

// rows: CSV with model, machine (or platform, as in rows of --csv), SYPD, CHSY, and JPSY if known. platforms: CSV
// with machine, cores, clock_GHz, flop_per_cycle; empty: table 4. from, to: machines, or sums of them; empty: the two
// machines of the rows, in their order. Throws FileError.
[[nodiscard]] HardwareComparison compare_hardware(const std::string &rows, const std::string &platforms,
                                                  const std::string &from, const std::string &to);

[[nodiscard]] std::string hardware_as_text(const HardwareComparison &comparison);
[[nodiscard]] std::string hardware_as_json(const HardwareComparison &comparison);

} // namespace cpl_lb
