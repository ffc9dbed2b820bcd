// What the command answers: its json, or the one line of a refusal; and folders with the results of a run.
#pragma once

#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb::test {

// What is printed by a call that is good.
inline std::string answer_to(const TemporaryFolder &folder, const std::string &arguments) {
    const Result r = command(folder, arguments);
    INFO(arguments << ": " << r.output << r.errors);
    REQUIRE(r.status == 0);
    return r.output;
}

inline nlohmann::json told(const TemporaryFolder &folder, const std::string &arguments) {
    return nlohmann::json::parse(answer_to(folder, arguments + " --json"));
}

// The one line of a refusal.
inline std::string refused(const TemporaryFolder &folder, const std::string &arguments, int status = 1) {
    const Result r = command(folder, arguments);
    INFO(arguments << ": " << r.output << r.errors);
    CHECK(r.status == status);
    CHECK(r.output.empty());
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

// The text has each of these words.
template <class... Words>
void shows(const std::string &text, const Words &...words) {
    INFO(text);
    for (const std::string &one : {std::string(words)...})
        CHECK_THAT(text, Catch::Contains(one));
}

// For each text the call that it makes is refused with these words. call: gives the arguments for the text.
template <class Call>
void each_refused(const TemporaryFolder &folder, const Call &call, int status,
                  const std::vector<std::pair<std::string, std::string>> &texts_and_words) {
    for (const auto &[text, words] : texts_and_words)
        shows(refused(folder, call(text), status), words);
}

// A folder with the results of a run.
inline std::string written(const TemporaryFolder &folder, const std::string &name, const CoupledRun &run) {
    std::string directory = folder / name;
    std::filesystem::create_directories(directory);
    write_result_file(directory + "/load_balancing_info.json", info_json(run));
    return directory;
}

// The json of the run of these timelines: what a summary says of each of its components.
inline void tell(const TemporaryFolder &folder, const std::vector<TimelineLiteral> &timelines,
                 const std::function<void(Component &)> &say) {
    CoupledRun run;
    run.run.id = "literal";
    for (const TimelineLiteral &literal : timelines) {
        run.component_names.push_back(literal.name);
        Component &c = run.components.emplace_back();
        c.name = literal.name;
        c.id = literal.id;
        c.ranks = literal.ranks;
        say(c);
    }
    written(folder, ".", run);
}

inline std::string replaced(std::string text, const std::string &what, const std::string &with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

} // namespace cpl_lb::test
