#include "page/page_file.hpp"

#include "io/file_error.hpp"
#include "page/base64.hpp"
#include "page/deflate.hpp"

#include <cerrno>
#include <system_error>

namespace cpl_lb {
namespace {

std::string system_text() {
    return std::generic_category().message(errno);
}

} // namespace

PageFile::PageFile(const std::string &path) : result_(path), file_(std::fopen(result_.temporary().c_str(), "wbe")) {
    if (!file_) throw FileError(path, "cannot create: " + system_text());
}

void PageFile::text(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
        throw FileError(result_.path(), "cannot write: " + system_text());
}

void PageFile::block(const std::string &id, std::span<const std::uint8_t> bytes) {
    text("<script type=\"text/plain\" id=\"" + id + "\">" + base64(deflated(bytes)) + "</script>\n");
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
    text("<script type=\"application/json\" id=\"" + id + "\">" + safe + "</script>\n");
}

void PageFile::commit() {
    if (std::fflush(file_.get()) != 0) throw FileError(result_.path(), "cannot write: " + system_text());
    // Network file systems tell of a full disk as late as here.
    if (std::fclose(file_.release()) != 0) throw FileError(result_.path(), "cannot close: " + system_text());
    result_.commit();
}

} // namespace cpl_lb
