// Writes to the standard streams: each line with one system call.
#include "support/messages.hpp"

#include "support/system.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {

namespace {

constexpr int patience_ms = 1000; // for a full pipe that does not block

bool is_open(int descriptor) noexcept {
    return fcntl(descriptor, F_GETFD) != -1;
}

// When the library is loaded, before MPI and the model open their files.
struct OpenAtStart {
    const std::array<bool, 3> open = {is_open(0), is_open(1), is_open(2)};
};
const OpenAtStart at_start;

// A data file has been opened for reading, too; a log file has not.
bool is_standard_stream(int descriptor) noexcept {
    if (!at_start.open[static_cast<std::size_t>(descriptor)]) return false;
    struct stat what {};
    if (fstat(descriptor, &what) != 0) return false;
    if (S_ISCHR(what.st_mode) || S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode)) return true;
    return S_ISREG(what.st_mode) && (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY;
}

bool may_try_again(int descriptor) noexcept {
    if (errno == EINTR) return true;
    pollfd ready{descriptor, POLLOUT, 0};
    return (errno == EAGAIN || errno == EWOULDBLOCK) && poll(&ready, 1, patience_ms) == 1;
}

} // namespace

void write_to_stream(int descriptor, std::string_view text) noexcept {
    if (!is_standard_stream(descriptor)) return;
    const NoSignal no_pipe(SIGPIPE);
    const NoSignal no_limit(SIGXFSZ);
    while (!text.empty()) {
        const ssize_t n = write(descriptor, text.data(), text.size());
        if (n > 0)
            text.remove_prefix(static_cast<std::size_t>(n));
        else if (n == 0 || !may_try_again(descriptor))
            return;
    }
}

StandardNumbersTaken::StandardNumbersTaken() noexcept {
    for (int number = 0; number < 3; ++number) {
        if (is_open(number)) continue;
        const int got = open("/dev/null", O_RDWR | O_CLOEXEC); // the lowest number that is free
        ours_[static_cast<std::size_t>(number)] = got == number;
        if (got > number) close(got);
    }
}

StandardNumbersTaken::~StandardNumbersTaken() {
    for (int number = 0; number < 3; ++number)
        if (ours_[static_cast<std::size_t>(number)]) close(number);
}

void tell(std::string_view line) noexcept {
    try { // one system call
        std::string text = "cpl_lb: " + safe_text(first_bytes(line, 2000));
        std::replace(text.begin(), text.end(), '\n', ' ');
        text += '\n';
        write_to_stream(STDERR_FILENO, text);
    } catch (...) { // no memory for the message: nothing to do about it
        return;
    }
}

} // namespace cpl_lb
