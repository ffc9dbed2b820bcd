// Runs a scenario under mpirun in a fresh folder and collects what it left.
#pragma once

#include "io/timeline_reader.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace scenario {

struct Result {
    int exit_code = -1;
    std::map<std::string, double> said;  // "name value" lines of the model
    std::string output;                  // standard output
    std::vector<std::string> complaints; // lines of standard error that start with "cpl_lb: "
    std::filesystem::path folder;

    [[nodiscard]] bool has(const std::string &file) const { return std::filesystem::exists(folder / file); }
    [[nodiscard]] nlohmann::json info() const {
        std::ifstream in(folder / "load_balancing_info.json");
        return nlohmann::json::parse(in);
    }
    [[nodiscard]] nlohmann::json component(const std::string &name) const {
        const nlohmann::json all = info();
        for (const auto &c : all.at("components"))
            if (c.at("name") == name) return c;
        return {};
    }
    [[nodiscard]] std::size_t complaints_with(const std::string &words) const {
        std::size_t n = 0;
        for (const std::string &c : complaints)
            n += c.find(words) != std::string::npos ? 1 : 0;
        return n;
    }
};

inline std::string slurp(const std::filesystem::path &path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

inline void read_output(Result &r) {
    r.output = slurp(r.folder / "stdout");
    std::istringstream out(r.output);
    for (std::string line; std::getline(out, line);) {
        std::istringstream words(line);
        std::string name;
        double value = 0;
        if (words >> name >> value) r.said[name] = value;
    }
    std::istringstream err(slurp(r.folder / "stderr"));
    for (std::string line; std::getline(err, line);)
        if (line.rfind("cpl_lb: ", 0) == 0) r.complaints.push_back(line);
}

// environment: "NAME=value NAME=value"; on: the library switched on.
inline Result run(const std::string &name, int processes, const std::string &environment = "", bool on = true,
                  const std::string &wrapper = "") {
    static int count = 0;
    Result r;
    r.folder = std::filesystem::temp_directory_path() /
               ("cpl_lb_scenario_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(r.folder);
    const std::string command = "cd '" + r.folder.string() + "' && " + environment +
                                (on ? " CPL_LB_ENABLED=1 " : " ") + SCENARIOS_MPIEXEC " " +
                                std::to_string(processes) + " " + wrapper + " '" SCENARIOS_PROGRAM "' " + name +
                                " >stdout 2>stderr </dev/null";
    const int status = std::system(command.c_str());
    r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_output(r);
    return r;
}

// All rows of a component's timeline.
struct Timeline {
    cpl_lb::TimelineHeader header;
    std::vector<cpl_lb::Row> rows;
};
inline Timeline timeline(const Result &r, const std::string &component) {
    cpl_lb::TimelineReader reader((r.folder / ("timeline_" + component + ".nc")).string());
    Timeline t{reader.header(), std::vector<cpl_lb::Row>(static_cast<std::size_t>(reader.processes()))};
    reader.read_rows(0, t.rows);
    return t;
}

} // namespace scenario
