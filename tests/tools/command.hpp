// Runs cpl-lb with arguments as a shell would.
#pragma once

#include "tests/json.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace cpl_lb::test {

struct Result {
    int status = -1;
    std::string output, errors;
};

inline Result shell(const TemporaryFolder &folder, const std::string &line) {
    const std::string errors = folder / "stderr";
    FILE *pipe = ::popen((line + " 2>" + errors).c_str(), "r");
    REQUIRE(pipe != nullptr);
    Result result;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        result.output += static_cast<char>(c);
    const int status = ::pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.errors = test::contents(errors);
    return result;
}

inline Result command(const TemporaryFolder &folder, const std::string &arguments) {
    return shell(folder, CPL_LB_COMMAND " " + arguments);
}

// Whether the text has these words; if not, a test that fails shows the text.
inline bool says(const std::string &text, const std::string &words) {
    if (text.find(words) != std::string::npos) return true;
    UNSCOPED_INFO(text);
    return false;
}

// Of either stream.
inline bool says(const Result &r, const std::string &words) {
    return says(r.output + r.errors, words);
}

inline nlohmann::json answer_of(const TemporaryFolder &folder, const std::string &arguments) {
    const Result r = command(folder, arguments + " --json");
    INFO(arguments << "\n" << r.errors);
    REQUIRE(r.status == 0);
    return nlohmann::json::parse(r.output);
}

// One line, and nothing else.
inline std::string error_of(const Result &r, int status = 1) {
    INFO(r.errors);
    CHECK(r.status == status);
    CHECK(r.output.empty());
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

} // namespace cpl_lb::test
