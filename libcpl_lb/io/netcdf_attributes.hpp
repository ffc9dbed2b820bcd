// Attributes of files that others wrote: missing ones, other types and other lengths are not errors.
#pragma once

#include "data/time.hpp"
#include "io/netcdf_file.hpp"

#include <cstdint>
#include <string>

namespace cpl_lb {

class AttributeReader {
public:
    AttributeReader(const NetcdfFile &file, int variable) : file_(file), variable_(variable) {}

    [[nodiscard]] std::string text(const char *name) const; // "" where there is none
    [[nodiscard]] double number(const char *name) const;    // NaN where there is no single number
    [[nodiscard]] std::int64_t integer(const char *name, std::int64_t least, std::int64_t most,
                                       std::int64_t otherwise) const;      // otherwise: also out of range
    [[nodiscard]] Nanoseconds time(const char *name, double most_s) const; // from seconds; `absent` where none

private:
    const NetcdfFile &file_;
    int variable_;
};

} // namespace cpl_lb
