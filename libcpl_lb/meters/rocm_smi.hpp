// Energy of AMD GPUs.
#pragma once

#include "data/time.hpp"
#include "meters/options.hpp"
#include "meters/reader.hpp"

#include <memory>

namespace cpl_lb {

// `clock`: any steady clock, over which the power of GPUs without a counter is integrated.
[[nodiscard]] std::unique_ptr<Reader> make_rocm_smi_reader(const ReaderOptions &options,
                                                           Nanoseconds (*clock)() noexcept);

} // namespace cpl_lb
