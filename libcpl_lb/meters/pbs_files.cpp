// Reads files whose names the environment gives: they may be anything, so what is read is bounded.
#include "meters/pbs_files.hpp"

#include "support/threads.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

std::optional<std::string> read_whole(const std::string &path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return std::nullopt;
    std::optional<std::string> text;
    struct stat facts {};
    if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
        static_cast<std::size_t>(facts.st_size) <= most_bytes_of_job_file) {
        // One byte more tells a file that grows.
        std::string bytes(static_cast<std::size_t>(facts.st_size) + 1, '\0');
        std::size_t have = 0;
        ssize_t got = 1;
        while (got > 0 && have < bytes.size()) {
            got = ::read(file, bytes.data() + have, bytes.size() - have);
            if (got < 0 && errno == EINTR)
                got = 1;
            else if (got > 0)
                have += static_cast<std::size_t>(got);
        }
        bytes.resize(have);
        if (got == 0) text = std::move(bytes);
    }
    ::close(file);
    return text;
}

} // namespace

std::optional<std::string> read_job_file(const char *path) {
    if (path == nullptr || *path == '\0') return std::nullopt;
    const auto text = std::make_shared<std::optional<std::string>>();
    const bool done = done_within(least_patience_s, [text, name = std::string(path)] { *text = read_whole(name); });
    return done ? *text : std::nullopt;
}

} // namespace cpl_lb
