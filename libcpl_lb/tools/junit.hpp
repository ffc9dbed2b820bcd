// JUnit's XML, which all systems for continuous integration read.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

struct JunitCase {
    std::string name, failure, skipped, output; // empty: none
};

[[nodiscard]] std::string junit_of(const std::string &suite, const std::vector<JunitCase> &cases);

} // namespace cpl_lb
