// The lines that the library writes to standard error while this lives.
#pragma once

#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace cpl_lb::testing {

class Told {
public:
    Told() : before_(::dup(STDERR_FILENO)) {
        // For writing only, as a shell opens it: the library takes anything else for a file of the model.
        const int file = ::open((folder_ / "told").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        ::dup2(file, STDERR_FILENO);
        ::close(file);
    }
    ~Told() {
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
    }
    Told(const Told &) = delete;
    Told &operator=(const Told &) = delete;

    // Without "cpl_lb: ".
    [[nodiscard]] std::vector<std::string> lines() const {
        std::vector<std::string> all;
        std::istringstream text(test::contents(folder_ / "told"));
        for (std::string line; std::getline(text, line);)
            all.push_back(line.rfind("cpl_lb: ", 0) == 0 ? line.substr(8) : line);
        return all;
    }
    [[nodiscard]] std::ptrdiff_t lines_with(const std::string &words) const {
        const std::vector<std::string> all = lines();
        return std::count_if(all.begin(), all.end(),
                             [&](const std::string &line) { return line.find(words) != std::string::npos; });
    }

private:
    test::TemporaryFolder folder_;
    int before_;
};

} // namespace cpl_lb::testing
