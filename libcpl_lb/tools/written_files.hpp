// What several commands write: a page that opens offline (words, tables and pictures), and JUnit's XML, which all
// systems for continuous integration read.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// Up to <main>, with the heading and the look of load_balancing_report.html. `styles`: CSS that the page needs
// besides.
[[nodiscard]] std::string page_begin(const std::string &title, const std::string &heading, const std::string &styles);
// From </main> on: the button for light and dark, and hints where something is wider than the window.
[[nodiscard]] std::string page_end();

// Moves sideways by itself where the window is narrow; on paper it fits the sheet. `what` is for those who hear the
// page.
[[nodiscard]] std::string in_a_scroller(const std::string &content, const std::string &what);

// Rows of cells, which are HTML already; the first row holds the titles.
[[nodiscard]] std::string html_table(const std::vector<std::vector<std::string>> &rows, const char *attributes = "");

// From the place of a page to the page of the run in that folder, as an address; empty if the run has none there.
[[nodiscard]] std::string address_of_run(const std::string &folder, const std::string &page);
// The words, as a link where there is an address; both are escaped here.
[[nodiscard]] std::string linked(const std::string &words, const std::string &address);

struct JunitCase {
    std::string name, failure, skipped, output; // empty: none
};

[[nodiscard]] std::string junit_of(const std::string &suite, const std::vector<JunitCase> &cases);

} // namespace cpl_lb
