// Reads text as if it were a file of timers; what the tests of all readers share.
#pragma once

#include "data/coupled_run.hpp"
#include "run/timers/readers.hpp"
#include "tests/error_of.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

namespace timer_files {

using ReadTimers = std::vector<cpl_lb::TimedRun> (*)(const cpl_lb::TimerText &);

inline cpl_lb::TimedRun only_run(ReadTimers read, const std::string &path, std::string text) {
    return read(cpl_lb::TimerText(path, std::move(text))).at(0);
}

// The line that the user sees; "read" if the file was read.
inline std::string refusal(ReadTimers read, std::string text) {
    const std::string error = cpl_lb::test::error_of([&] { read(cpl_lb::TimerText("log", std::move(text))); });
    return error.empty() ? "read" : error;
}

inline const cpl_lb::TimedComponent &component_of(const cpl_lb::TimedRun &run, const std::string &name) {
    const auto found = std::find_if(run.components.begin(), run.components.end(),
                                    [&](const cpl_lb::TimedComponent &c) { return c.name == name; });
    static const cpl_lb::TimedComponent none;
    return found == run.components.end() ? none : *found;
}

inline const cpl_lb::TimedPart &part_of(const cpl_lb::TimedComponent &component, const std::string &name) {
    const auto found = std::find_if(component.parts.begin(), component.parts.end(),
                                    [&](const cpl_lb::TimedPart &p) { return p.name == name; });
    static const cpl_lb::TimedPart none;
    return found == component.parts.end() ? none : *found;
}

inline bool has_remark(const std::vector<std::string> &remarks, const std::string &words) {
    return std::any_of(remarks.begin(), remarks.end(),
                       [&](const std::string &remark) { return remark.find(words) != std::string::npos; });
}

// Up to the end of the line that these words are in.
inline std::string up_to_line(const std::string &text, const std::string &words) {
    const std::size_t at = text.find(words);
    return at == std::string::npos ? "'" + words + "' is not in the text" : text.substr(0, text.find('\n', at) + 1);
}

inline std::string replaced(std::string text, const std::string &old, const std::string &now) {
    const std::size_t at = text.find(old);
    return at == std::string::npos ? "'" + old + "' is not in the text" : text.replace(at, old.size(), now);
}

struct Damage {
    std::string old, now; // what stands there, and what in its place
    std::string words;    // of the line that the user sees
};
inline void check_damaged(ReadTimers read, const std::string &text, const std::vector<Damage> &all) {
    for (const Damage &d : all)
        CHECK_THAT(refusal(read, replaced(text, d.old, d.now)), Catch::Contains(d.words));
}
// Cut off before words that are in it.
inline void check_cut(ReadTimers read, const std::string &text,
                      const std::vector<std::pair<std::string, std::string>> &all) {
    for (const auto &[before, words] : all)
        CHECK_THAT(refusal(read, text.substr(0, text.find(before))), Catch::Contains(words));
}

} // namespace timer_files
