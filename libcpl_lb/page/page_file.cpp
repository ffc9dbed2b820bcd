// Writes the page's script elements: blocks of bytes, and JSON. Finds zlib in the process.
#include "page/page_file.hpp"

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>

namespace cpl_lb {
namespace {

// The bytes packed by zlib; empty if zlib is missing, or does not make them smaller.
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

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    const auto at = [&](std::size_t i) {
        return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0U;
    };
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t three = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
        text += digits[three >> 18U];
        text += digits[three >> 12U & 63U];
        text += i + 1 < bytes.size() ? digits[three >> 6U & 63U] : '=';
        text += i + 2 < bytes.size() ? digits[three & 63U] : '=';
    }
    return text;
}

Compress2 *zlib_in_process() {
    // Prefers the function that HDF5 calls, perhaps the model's own: two versions must not share inner functions.
    void *found = ::dlsym(RTLD_DEFAULT, "compress2");
    if (found == nullptr) {
        void *library = ::dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL); // never closed: it costs nothing to keep
        if (library != nullptr) found = ::dlsym(library, "compress2");
    }
    return reinterpret_cast<Compress2 *>(found);
}

} // namespace cpl_lb
