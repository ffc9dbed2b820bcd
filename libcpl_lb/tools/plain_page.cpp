// Writes the head of a page.
#include "tools/plain_page.hpp"

#include "report/plot.hpp"

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

} // namespace cpl_lb
