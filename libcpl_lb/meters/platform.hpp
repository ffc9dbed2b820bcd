// The machine as CPMIP describes it (Balaji et al. 2017, section 3.1): chip, clock, operations per cycle.
#pragma once

#include "data/coupled_run.hpp"
#include "meters/reader.hpp"

#include <functional>

namespace cpl_lb {

// From /proc/cpuinfo and /sys of this node. The machine's name is SLURM_CLUSTER_NAME or LSB_CLUSTER_NAME, else the
// host name. The cores of the whole machine are unknown, because no node knows them.
[[nodiscard]] Platform read_platform(const ReaderOptions &options,
                                     const std::function<const char *(const char *)> &get_variable);

// "gaea, Haswell, 48128 cores, 2.3 GHz, 16 operations per cycle", as far as it is known.
[[nodiscard]] std::string platform_text(const Platform &platform);

// Double-precision operations per cycle of one core by the vector instructions that the kernel lists as flags:
// AVX-512 32 (where the core has both of its units; AMD's family 25, Zen 4, does them in halves: 16), AVX2 with FMA
// 16, AVX 8, SSE2 4 (table 4). NaN: not known.
[[nodiscard]] double flop_per_cycle_of(std::string_view flags, bool in_halves = false);

} // namespace cpl_lb
