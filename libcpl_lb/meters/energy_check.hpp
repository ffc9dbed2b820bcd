// Checks that several sources agree on one node's energy.
#pragma once

#include "meters/reader.hpp"

#include <string>
#include <string_view>

namespace cpl_lb {

struct SourceEnergy {
    std::string_view source;
    double joules = unknown;
};

// Sources that count the same part may differ by this share of the larger one.
inline constexpr double tolerated_disagreement = 0.1;

// "the energy of the processors is 100 J by rapl, 150 J by pm_counters: ..."; empty: they agree, one is unknown, or
// the run is too short to tell.
[[nodiscard]] std::string disagreement(std::string_view what, SourceEnergy counts, SourceEnergy beside,
                                       double sampled_s);
struct WholeEnergy {
    std::string_view whole, parts; // in words
    double whole_J = unknown;
    bool counts = true; // the node's energy is that of this whole
};
// The remark if parts exceed the whole: they contain each other, or one is wrong. Empty: they do not.
[[nodiscard]] std::string parts_exceed_whole(const WholeEnergy &whole, double parts_J, double sampled_s);
// "the processors", "the memory", "the GPUs", "the modules".
[[nodiscard]] std::string_view energy_words(Domain domain) noexcept;

} // namespace cpl_lb
