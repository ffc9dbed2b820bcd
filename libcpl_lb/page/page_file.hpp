// The page's file while it is written: text, and blocks of bytes between it, packed and in base64.
#pragma once

#include "io/files/result_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cpl_lb {

// zlib's compress2: packs `from` into `to` (RFC 1950), at most *to_size bytes, and leaves in *to_size how many there
// are; 0 when all went well.
using Compress2 = int(unsigned char *to, unsigned long *to_size, const unsigned char *from, unsigned long from_size,
                      int level);

[[nodiscard]] Compress2 *zlib_in_process(); // null: there is none

// Bytes in base64, packed by zlib if that makes them smaller. A pure function: several threads may call it.
struct BlockText {
    std::string text;
    bool packed = false;
};
[[nodiscard]] BlockText block_text(Compress2 *zlib, std::span<const std::uint8_t> bytes);

class PageFile : public StreamFile {
public:
    // Without zlib the blocks are not packed.
    PageFile(const std::string &path, Compress2 *zlib) : StreamFile(path), zlib_(zlib) {}
    // A script element with data, which the browser finds by document.getElementById(id).
    void block(const std::string &id, const BlockText &block);
    void block(const std::string &id, std::span<const std::uint8_t> bytes) { block(id, block_text(zlib_, bytes)); }
    // The same for JSON, unchanged: it holds nothing that could end the element.
    void json(const std::string &id, const std::string &json);
    [[nodiscard]] bool packs() const { return zlib_ != nullptr; }
    [[nodiscard]] Compress2 *zlib() const { return zlib_; }

private:
    Compress2 *zlib_;
};

// Base64 (RFC 4648, section 4): bytes inside a text file.
[[nodiscard]] std::string base64(std::string_view bytes);

// The files of page/assets, put into the library by page/embed.cmake.
[[nodiscard]] std::span<const std::string_view> shared_style(); // of all pages
[[nodiscard]] std::span<const std::string_view> shared_scripts();
[[nodiscard]] std::span<const std::string_view> page_style(); // of this one besides
[[nodiscard]] std::span<const std::string_view> page_body();  // from <body> on, without its end
[[nodiscard]] std::span<const std::string_view> page_scripts();

} // namespace cpl_lb
