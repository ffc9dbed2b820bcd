// A run of a model in a folder of its own, and what it left there.
#pragma once

#include "io/timeline/timeline_reader.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace cpl_lb::adapter_tests {

using Counts = std::map<std::string, int>; // "PUT A_F > model_b"

struct Result {
    int status = -1;
    std::filesystem::path folder;
    [[nodiscard]] std::string text(const char *file) const {
        std::ifstream in(folder / file);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    }
    // The model's own line.
    [[nodiscard]] std::string result() const {
        const std::string out = text("out");
        const std::size_t at = out.find("result");
        return at == std::string::npos ? "" : out.substr(at, out.find('\n', at) - at);
    }
    [[nodiscard]] Counts counts(const std::string &component) const {
        const TimelineReader reader((folder / ("timeline_" + component + ".nc")).string());
        const TimelineHeader &h = reader.header();
        Counts counts;
        for (const EventKey &key : h.keys.all()) {
            std::string name(name_of(key.kind));
            if (key.field > 0) name += " " + h.field_names[static_cast<std::size_t>(key.field) - 1];
            if (key.counterpart > 0) name += " > " + h.component_names[static_cast<std::size_t>(key.counterpart) - 1];
            ++counts[name];
        }
        return counts;
    }
};

// What the library itself says on standard error.
inline std::ptrdiff_t lines_of_cpl_lb(const std::string &text) {
    std::istringstream in(text);
    std::ptrdiff_t lines = 0;
    for (std::string line; std::getline(in, line);)
        lines += line.rfind("cpl_lb:", 0) == 0 ? 1 : 0;
    return lines;
}

// Removed when the program ends.
inline std::filesystem::path new_folder() {
    struct Folders {
        std::vector<std::filesystem::path> all;
        ~Folders() {
            std::error_code ignored;
            for (const std::filesystem::path &folder : all)
                std::filesystem::remove_all(folder, ignored);
        }
    };
    static Folders folders;
    folders.all.push_back(std::filesystem::temp_directory_path() /
                          ("cpl_lb_adapters_" + std::to_string(getpid()) + "_" + std::to_string(folders.all.size())));
    std::filesystem::create_directories(folders.all.back());
    return folders.all.back();
}

} // namespace cpl_lb::adapter_tests
