// What a text has to hold, for the tests of the page.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace cpl_lb::test {

inline bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

inline void check_has(const std::string &text, const std::vector<std::string> &parts) {
    for (const std::string &part : parts) {
        INFO(part);
        CHECK(has(text, part));
    }
}

} // namespace cpl_lb::test
