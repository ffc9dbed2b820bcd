// The page's file while it is written: text, and blocks of bytes between it.
#pragma once

#include "io/result_file.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cpl_lb {

class PageFile {
public:
    explicit PageFile(const std::string &path); // throws FileError, like all here
    void text(std::string_view text);
    // A script element of data, deflated and in base64: what the browser calls document.getElementById(id).
    void block(const std::string &id, std::span<const std::uint8_t> bytes);
    // The same for JSON, as it is: nothing in it can end the element.
    void json(const std::string &id, const std::string &json);
    void commit();

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); } // NOLINT(cppcoreguidelines-owning-memory)
    };
    NoFileSizeSignal no_signal_; // first: outlives the file
    ResultFile result_;
    std::unique_ptr<std::FILE, Close> file_;
};

} // namespace cpl_lb
