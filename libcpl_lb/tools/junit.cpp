// Writes test cases as XML.
#include "tools/junit.hpp"

#include "report/plot.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
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
