// Puts small pieces together, so that each write is worth a call of the system.
#include "io/files/stream_file.hpp"

namespace cpl_lb {
namespace {

constexpr std::size_t worth_a_write = std::size_t{1} << 16U;

} // namespace

StreamFile::StreamFile(const std::string &path) : result_(path) {
    waiting_.reserve(worth_a_write);
}

void StreamFile::text(std::string_view text) {
    if (waiting_.size() + text.size() > worth_a_write) {
        result_.write(waiting_);
        waiting_.clear();
    }
    if (text.size() > worth_a_write) return result_.write(text);
    waiting_ += text;
}

void StreamFile::commit() {
    result_.write(waiting_);
    waiting_.clear();
    result_.commit();
}

} // namespace cpl_lb
