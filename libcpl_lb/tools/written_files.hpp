// Output that several commands write: a page that opens offline (words, tables and pictures), and JUnit's XML, which
// all systems for continuous integration read.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// The page up to <main>, with the heading and the style of load_balancing_report.html. `styles`: additional CSS of
// the page.
[[nodiscard]] std::string page_begin(const std::string &title, const std::string &heading, const std::string &styles);
// The page from </main> on: the button for light and dark, and hints if something is wider than the window.
[[nodiscard]] std::string page_end();

// Whole lines as paragraphs; escaped here.
[[nodiscard]] std::string paragraphs_of(const std::string &lines, bool first_is_verdict);

// Scrolls sideways if the window is narrow; on paper it fits the sheet. `what` is read to users who hear the page.
[[nodiscard]] std::string in_a_scroller(const std::string &content, const std::string &what);

// Rows of cells that are HTML already; the first row has the titles.
[[nodiscard]] std::string html_table(const std::vector<std::vector<std::string>> &rows, const char *attributes = "");

// From the place of a page to the page of the run in that folder, as an address; empty if the run has none there.
[[nodiscard]] std::string address_of_run(const std::string &folder, const std::string &page);
// The words, as a link if there is an address; both are escaped here.
[[nodiscard]] std::string linked(const std::string &words, const std::string &address);

struct JunitCase {
    std::string name, failure, skipped, output; // empty: none
};

[[nodiscard]] std::string junit_of(const std::string &suite, const std::vector<JunitCase> &cases);

} // namespace cpl_lb
