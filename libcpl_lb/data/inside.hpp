// Time of the processes of a component in MPI beside their exchanges (docs/definitions.md, section 8), reduced over
// the processes. Known if MPI was recorded (cpl-lb-record).
#pragma once

#include "data/meters.hpp"
#include "data/time.hpp"
#include "data/traffic.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cpl_lb {

// The numbers of cpl_lb_mpi_class.
enum class MpiClass : std::uint8_t { point_to_point, collective, one_sided, files };
inline constexpr std::size_t mpi_class_count = 4;

// Seconds of one process in one interval: the coupling loop, or the whole run.
struct ComponentInside {
    std::string why_not;                               // why the figures are unknown although MPI was recorded
    bool of_whole_run = false;                         // there is no coupling loop: from init to terminate
    double length_s = unknown;                         // of the interval
    Spread useful_s;                                   // neither in an exchange nor in another call of MPI
    Spread exchanges_s;                                // in exchanges, less the operations inside them
    std::array<Spread, mpi_class_count> in_class_s;    // in other calls of MPI
    Spread startup_s;                                  // in these from its init to the loop, if there is one
    std::array<std::int64_t, mpi_class_count> calls{}; // these calls, of all processes, in the whole run
    InsideTraffic traffic;                             // in the whole run

    [[nodiscard]] bool known() const { return useful_s.count > 0; }
    // MPI was recorded, whether or not the figures are known.
    [[nodiscard]] bool recorded() const { return known() || !why_not.empty(); }
};

// Shares of the core time, each the product of those below it; NaN: not known. Above 1 if processes do not get
// their exchanges at the same time.
struct Efficiency {
    double total = unknown;
    double coupling = unknown;
    double inside = unknown;
    double load_balance = unknown;  // of one component
    double communication = unknown; // of one component
};

} // namespace cpl_lb
