// The error of a model that lacks an input: one line that names the loop, the machine or the fact.
#pragma once

#include <stdexcept>

namespace cpl_lb {

class ProjectionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace cpl_lb
