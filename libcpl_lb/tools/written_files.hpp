// What several commands write: a page that opens offline (words, tables and pictures, no script), and JUnit's XML,
// which all systems for continuous integration read.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// Up to <body>. `styles`: CSS that the page needs besides.
[[nodiscard]] std::string page_begin(const std::string &title, const std::string &styles);

// Moves sideways by itself where the window is narrow; on paper it fits the sheet. `what` is for those who hear the
// page.
[[nodiscard]] std::string in_a_scroller(const std::string &content, const std::string &what);

struct JunitCase {
    std::string name, failure, skipped, output; // empty: none
};

[[nodiscard]] std::string junit_of(const std::string &suite, const std::vector<JunitCase> &cases);

} // namespace cpl_lb
