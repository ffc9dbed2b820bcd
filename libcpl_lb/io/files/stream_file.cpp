// Writes text piece by piece and says which step of writing failed.
#include "io/files/stream_file.hpp"

#include "io/files/file_error.hpp"

#include <cerrno>
#include <system_error>

namespace cpl_lb {
namespace {

std::string system_text() {
    return std::generic_category().message(errno);
}

} // namespace

StreamFile::StreamFile(const std::string &path)
    : result_(path), file_(std::fopen(result_.temporary().c_str(), "wbe")) {
    if (!file_) throw FileError(path, "cannot create: " + system_text());
}

void StreamFile::text(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
        throw FileError(result_.path(), "cannot write: " + system_text());
}

void StreamFile::commit() {
    if (std::fflush(file_.get()) != 0) throw FileError(result_.path(), "cannot write: " + system_text());
    // Network file systems tell of a full disk as late as here.
    if (std::fclose(file_.release()) != 0) throw FileError(result_.path(), "cannot close: " + system_text());
    result_.commit();
}

} // namespace cpl_lb
