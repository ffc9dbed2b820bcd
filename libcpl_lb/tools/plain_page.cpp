// Writes the head of a page.
#include "tools/plain_page.hpp"

#include "report/svg_chart.hpp"

namespace cpl_lb {

std::string page_begin(const std::string &title, const std::string &styles) {
    return R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>)" + svg_text(title) +
           R"(</title><style>
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a;
  background: #fff; } svg { max-width: 100%; height: auto; }
)" + styles +
           "</style></head><body>\n";
}

} // namespace cpl_lb
