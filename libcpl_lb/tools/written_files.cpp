// Writes the head of a page, and test cases as XML.
#include "tools/written_files.hpp"

#include "report/plot.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {

std::string page_begin(const std::string &title, const std::string &styles) {
    return R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>)" + svg_text(title) +
           R"(</title><style>
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a;
  background: #fff; } p, h1 { overflow-wrap: anywhere; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } .wide svg { min-width: 44rem; } .wide:focus-visible { outline: 3px solid #005a9e; }
@media print { body { margin: 0; } .wide { overflow: visible; } .wide svg { min-width: 0; } svg, tr { break-inside: avoid; }
  h1, h2 { break-after: avoid; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)" + styles +
           "</style></head><body>\n";
}

std::string in_a_scroller(const std::string &content, const std::string &what) {
    return "<div class=wide tabindex=0 role=region aria-label=\"" + what + "\">" + content + "</div>\n";
}

namespace {

std::string attribute(const std::string &text) {
    std::string out;
    for (const char c : svg_text(text))
        out += c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

std::string element(const char *name, const std::string &message) {
    return message.empty() ? "" : fmt::format("<{} message=\"{}\"/>", name, attribute(message));
}

} // namespace

std::string junit_of(const std::string &suite, const std::vector<JunitCase> &cases) {
    const auto count = [&](std::string JunitCase::*member) {
        return std::count_if(cases.begin(), cases.end(),
                             [member](const JunitCase &c) { return !(c.*member).empty(); });
    };
    std::string xml =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" "
                    "failures=\"{}\" skipped=\"{}\">\n",
                    attribute(suite), cases.size(), count(&JunitCase::failure), count(&JunitCase::skipped));
    for (const JunitCase &c : cases) {
        xml += fmt::format("  <testcase classname=\"{}\" name=\"{}\">{}{}{}</testcase>\n", attribute(suite),
                           attribute(c.name), element("failure", c.failure), element("skipped", c.skipped),
                           c.output.empty() ? "" : "<system-out>" + svg_text(c.output) + "</system-out>");
    }
    return xml + "</testsuite>\n";
}

} // namespace cpl_lb
