// The page's script elements: blocks of bytes, and JSON.
#include "page/page_file.hpp"

#include "page/base64.hpp"

namespace cpl_lb {
namespace {

// Packed by zlib; empty if it is not there, or does not make them smaller.
std::string packed(Compress2 *zlib, std::span<const std::uint8_t> bytes) {
    constexpr int level = 1; // the model waits for it
    if (zlib == nullptr) return {};
    std::string to(bytes.size(), '\0');
    unsigned long size = to.size();
    if (zlib(reinterpret_cast<unsigned char *>(to.data()), &size, bytes.data(), bytes.size(), level) != 0) return {};
    to.resize(size);
    return to;
}

} // namespace

BlockText block_text(Compress2 *zlib, std::span<const std::uint8_t> bytes) {
    const std::string smaller = packed(zlib, bytes);
    const std::string_view plain(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return {base64(smaller.empty() ? plain : smaller), !smaller.empty()};
}

void PageFile::block(const std::string &id, const BlockText &block) {
    text(R"(<script type="text/plain" id=")" + id + (block.packed ? "\">" : R"(" data-packed="no">)"));
    text(block.text);
    text("</script>\n");
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
