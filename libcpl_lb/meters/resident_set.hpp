// The resident set of this process by one pread of statm, cheap enough to be read often.
#pragma once

#include "meters/options.hpp"

namespace cpl_lb {

class ResidentSet {
public:
    // 0, or the errno of the failure.
    [[nodiscard]] int open(const ReaderOptions &options);
    [[nodiscard]] const std::string &path() const noexcept { return statm_.path(); }
    // Bytes; NaN if it cannot be read.
    [[nodiscard]] double read_B() const noexcept;

private:
    KeptFile statm_;
    double page_B_ = 0;
};

} // namespace cpl_lb
