// Writes the head of a page, and test cases as XML.
#include "tools/written_files.hpp"

#include "page/page.hpp"
#include "report/plot.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace cpl_lb {

std::string page_begin(const std::string &title, const std::string &styles) {
    return R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>)" + svg_text(title) +
           R"(</title><style>
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a;
  background: #fff; } a { color: #005a9e; } p, h1 { overflow-wrap: anywhere; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } .wide svg { min-width: 44rem; } .wide:focus-visible { outline: 3px solid #005a9e; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; } body { color: #e6ebf0; background: #12181f; }
  a { color: #7cc0ff; } svg.plot { fill: #e6ebf0; } svg.plot .paper { fill: #12181f; } svg.plot .grid { stroke: #34404c; }
  svg.plot .label { stroke: #12181f; } svg.plot .mark { stroke: #e6ebf0; } svg.plot [fill='#000000'] { fill: #e6ebf0; }
  svg.plot [stroke='#000000'] { stroke: #e6ebf0; } svg.plot [stroke='#0072b2'] { stroke: #4da6e0; }
  svg.plot :is(circle, polygon, .key rect)[fill='#0072b2'] { fill: #4da6e0; } .wide:focus-visible { outline-color: #7cc0ff; } }
@media print { body { margin: 0; } .wide { overflow: visible; } .wide svg { min-width: 0; } svg, tr { break-inside: avoid; }
  h1, h2 { break-after: avoid; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)" + styles +
           "</style></head><body>\n";
}

std::string in_a_scroller(const std::string &content, const std::string &what) {
    return "<div class=wide tabindex=0 role=region aria-label=\"" + what + "\">" + content + "</div>\n";
}

std::string html_table(const std::vector<std::vector<std::string>> &rows, const char *attributes) {
    std::string table = fmt::format("<table{}>\n", attributes);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        table += r == 0 ? "<thead><tr>" : "<tr>";
        for (const std::string &cell : rows[r])
            table += (r == 0 ? "<th>" : "<td>") + cell + (r == 0 ? "</th>" : "</td>");
        table += r == 0 ? "</tr></thead><tbody>\n" : "</tr>\n";
    }
    return table + "</tbody></table>\n";
}

// Browsers resolve ".." by the letters of the address, so that links of the file system must not matter here either.
std::string address_of_run(const std::string &folder, const std::string &page) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path run = (fs::absolute(folder, error) / page_file_name).lexically_normal();
    if (folder.empty() || error || !fs::is_regular_file(run, error)) return "";
    const fs::path from = fs::absolute(page, error).lexically_normal().parent_path();
    if (error || !fs::is_regular_file(from / run.lexically_relative(from), error)) return "";
    constexpr std::string_view plain = "-._~/";
    std::string address;
    for (const char c : run.lexically_relative(from).string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && (std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos))
            address += c;
        else
            address += fmt::format("%{:02X}", byte);
    }
    return address;
}

std::string linked(const std::string &words, const std::string &address) {
    if (address.empty()) return svg_text(words);
    return fmt::format("<a href=\"{}\">{}</a>", address, svg_text(words));
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
