#include "page/page_file.hpp"

#include "page/base64.hpp"
#include "page/deflate.hpp"

namespace cpl_lb {

void PageFile::block(const std::string &id, std::span<const std::uint8_t> bytes) {
    text(R"(<script type="text/plain" id=")" + id + "\">" + base64(deflated(bytes)) + "</script>\n");
}

void PageFile::json(const std::string &id, const std::string &json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c"; // so neither "</script" nor "<!--" can appear
        else
            safe += c;
    }
    text(R"(<script type="application/json" id=")" + id + "\">" + safe + "</script>\n");
}

} // namespace cpl_lb
