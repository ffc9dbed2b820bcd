// Writes to the standard streams: each line with one system call.
#include "support/messages.hpp"

#include "support/system.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {

namespace {

constexpr std::size_t atomic_bytes = PIPE_BUF; // a pipe that is ready takes so many at once

// What a paused reader of each stream may still take of the model's time.
std::array<std::atomic<int>, 3> patience_ms = {5000, 5000, 5000};

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

// A stream as this call writes to it. The model's own description of a pipe or terminal may wait for a reader, and
// to change that would change it for the model, too: such a stream is opened once more.
class Stream {
public:
    explicit Stream(int number) noexcept : number_(number) {
        struct stat is {};
        if (fstat(number, &is) != 0) return;
        socket_ = S_ISSOCK(is.st_mode);
        may_wait_ = socket_ || S_ISFIFO(is.st_mode) || isatty(number) == 1;
        if (!may_wait_ || socket_) return;
        std::array<char, 32> path{};
        std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", number);
        again_ = open(path.data(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
    ~Stream() {
        if (again_ >= 0) close(again_);
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    [[nodiscard]] ssize_t write(std::string_view text) const noexcept {
        if (socket_) return send(number_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (!may_wait_) return ::write(number_, text.data(), text.size());
        // Without /proc, or with a pipe of another user: another process may fill it between these two calls.
        if (again_ < 0 && !takes(0)) {
            errno = EAGAIN;
            return -1;
        }
        return ::write(again_ < 0 ? number_ : again_, text.data(), std::min(text.size(), atomic_bytes));
    }
    [[nodiscard]] bool may_try_again() const noexcept {
        if (errno == EINTR) return true;
        return (errno == EAGAIN || errno == EWOULDBLOCK) && waited();
    }

private:
    [[nodiscard]] bool takes(int most_ms) const noexcept {
        pollfd ready{number_, POLLOUT, 0};
        return poll(&ready, 1, most_ms) == 1;
    }
    [[nodiscard]] bool waited() const noexcept {
        std::atomic<int> &left = patience_ms[static_cast<std::size_t>(number_)];
        const auto before = std::chrono::steady_clock::now();
        const bool ready = takes(left);
        const auto took = std::chrono::steady_clock::now() - before;
        const auto took_ms = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(took).count());
        left = std::max(0, left - took_ms);
        return ready;
    }

    int number_, again_ = -1;
    bool socket_ = false, may_wait_ = false;
};

} // namespace

bool write_to_stream(int descriptor, std::string_view text) noexcept {
    if (!is_standard_stream(descriptor)) return true;
    const NoSignal no_pipe(SIGPIPE);
    const NoSignal no_limit(SIGXFSZ);
    const Stream stream(descriptor);
    while (!text.empty()) {
        const ssize_t n = stream.write(text);
        if (n > 0)
            text.remove_prefix(static_cast<std::size_t>(n));
        else if (n == 0 || !stream.may_try_again())
            return false;
    }
    return true;
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
