// The page's file while it is written: text, and blocks of bytes between it.
#pragma once

#include "io/files/stream_file.hpp"
#include "page/zlib_in_process.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace cpl_lb {

class PageFile : public StreamFile {
public:
    // Without zlib the blocks are not packed.
    PageFile(const std::string &path, Compress2 *zlib) : StreamFile(path), zlib_(zlib) {}
    // A script element of data in base64, packed where that makes it smaller: what the browser calls
    // document.getElementById(id).
    void block(const std::string &id, std::span<const std::uint8_t> bytes);
    // The same for JSON, as it is: nothing in it can end the element.
    void json(const std::string &id, const std::string &json);
    [[nodiscard]] bool packs() const { return zlib_ != nullptr; }

private:
    Compress2 *zlib_;
};

} // namespace cpl_lb
