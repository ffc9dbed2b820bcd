// What the tests of the words of cpl-lb machine share: their tables, and calls of the command.
#pragma once

#include "tests/json.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <string>

namespace cpl_lb::test {

inline const std::string kernels = CPL_LB_KERNELS;
inline const std::string tco639 = kernels + "/sh.csv --parameters " + kernels + "/sh_cases.csv --case TCO639";

inline nlohmann::json json_of(const TemporaryFolder &folder, const std::string &arguments) {
    const Result r = command(folder, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return nlohmann::json::parse(r.output);
}

// The one line that the command says of what is wrong.
inline std::string error_of(const TemporaryFolder &folder, const std::string &arguments, int status = 1) {
    const Result r = command(folder, arguments);
    CHECK(r.status == status);
    CHECK(r.output.empty());
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

inline bool holds(const std::string &text, const std::string &part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

} // namespace cpl_lb::test
