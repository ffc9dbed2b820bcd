// The page's file while it is written: text, and blocks of bytes between it.
#pragma once

#include "io/files/result_file.hpp"
#include "page/zlib_in_process.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace cpl_lb {

// Bytes in base64, packed by zlib where that makes them smaller. A pure function: several threads may call it.
struct BlockText {
    std::string text;
    bool packed = false;
};
[[nodiscard]] BlockText block_text(Compress2 *zlib, std::span<const std::uint8_t> bytes);

class PageFile : public StreamFile {
public:
    // Without zlib the blocks are not packed.
    PageFile(const std::string &path, Compress2 *zlib) : StreamFile(path), zlib_(zlib) {}
    // A script element of data: what the browser calls document.getElementById(id).
    void block(const std::string &id, const BlockText &block);
    void block(const std::string &id, std::span<const std::uint8_t> bytes) { block(id, block_text(zlib_, bytes)); }
    // The same for JSON, as it is: nothing in it can end the element.
    void json(const std::string &id, const std::string &json);
    [[nodiscard]] bool packs() const { return zlib_ != nullptr; }
    [[nodiscard]] Compress2 *zlib() const { return zlib_; }

private:
    Compress2 *zlib_;
};

} // namespace cpl_lb
