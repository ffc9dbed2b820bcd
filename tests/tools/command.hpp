// Runs cpl-lb with arguments as a shell would.
#pragma once

#include "tests/temporary_folder.hpp"

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

} // namespace cpl_lb::test
