// The page's file while it is written: text, and blocks of bytes between it.
#pragma once

#include "io/stream_file.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace cpl_lb {

class PageFile : public StreamFile {
public:
    using StreamFile::StreamFile;
    // A script element of data, deflated and in base64: what the browser calls document.getElementById(id).
    void block(const std::string &id, std::span<const std::uint8_t> bytes);
    // The same for JSON, as it is: nothing in it can end the element.
    void json(const std::string &id, const std::string &json);
};

} // namespace cpl_lb
