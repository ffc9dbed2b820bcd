// Writes the head of a page, and test cases as XML.
#include "tools/written_files.hpp"

#include "page/page.hpp"
#include "page/page_file.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string_view>

namespace cpl_lb {

namespace {

std::string text_of(std::span<const std::string_view> pieces) {
    std::string text;
    for (const std::string_view piece : pieces)
        text += piece;
    return text;
}

// The colours of the dark theme for pages without a script that could ask the system.
std::string dark_by_the_system(const std::string &style) {
    constexpr std::string_view dark = ":root[data-theme=\"dark\"] {";
    const std::size_t begin = style.find(dark), end = style.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return "";
    return "@media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) {" +
           style.substr(begin + dark.size(), end - begin - dark.size()) + "} }\n";
}

} // namespace

std::string page_begin(const std::string &title, const std::string &heading, const std::string &styles) {
    const std::string shared = text_of(shared_style());
    return R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>)" + svg_text(title) +
           "</title><style>\n" + shared + dark_by_the_system(shared) + styles +
           "</style></head><body>\n<header><h1>" + svg_text(heading) +
           "</h1><div class=tools><button type=button id=theme hidden aria-label=\"Switch between light and "
           "dark\"></button></div></header>\n<main>\n";
}

std::string page_end() {
    return "</main>\n<script>\n'use strict';\n" + text_of(shared_scripts()) +
           "theme.start();\nfor (const wide of document.querySelectorAll('.wide')) watchWide(wide);\n</script>\n"
           "</body></html>\n";
}

std::string paragraphs_of(const std::string &lines, bool first_is_verdict) {
    std::string html;
    for (std::size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1) {
        html += fmt::format("<p{}>{}</p>\n", first_is_verdict && begin == 0 ? " class=verdict" : "",
                            svg_text(lines.substr(begin, end - begin)));
    }
    return html;
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
        return std::ranges::count_if(cases, [member](const JunitCase &c) { return !(c.*member).empty(); });
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
