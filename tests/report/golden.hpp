// Golden texts: compared with tests/golden/<name>.approved.txt. After a wanted change look at the difference and
// approve it: CPL_LB_APPROVE=1 ctest -R report
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace cpl_lb::test {

inline void check_golden(const std::string &name, const std::string &text) {
    const std::string path = CPL_LB_TEST_DATA "/../golden/" + name + ".approved.txt";
    if (const char *approve = std::getenv("CPL_LB_APPROVE"); approve != nullptr && *approve == '1')
        std::ofstream(path, std::ios::binary) << text;
    std::ostringstream approved;
    approved << std::ifstream(path, std::ios::binary).rdbuf();
    INFO("golden text " << path);
    CHECK(approved.str() == text);
}

} // namespace cpl_lb::test
