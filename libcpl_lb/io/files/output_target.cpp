// Follows the links of an output's path, and writes to outputs that are not regular files.
#include "io/files/output_target.hpp"

#include "io/files/file_error.hpp"
#include "support/blocked_signal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int most_links = 40;        // as the kernel
constexpr int longest_wait_ms = 5000; // for a reader that takes nothing

// Set once, at the start of a command.
std::atomic<bool> commands_wait = false;

std::string folder_of(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string &path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

// Without links; empty where there is no such folder.
std::string real_folder(const std::string &folder) {
    const std::unique_ptr<char, void (*)(void *)> real(::realpath(folder.c_str(), nullptr), std::free);
    return real ? std::string(real.get()) : std::string();
}

// N of /proc/<this process>/fd/N; else -1.
int descriptor_named(const std::string &folder, const std::string &name) {
    const bool digits = !name.empty() && name.size() < 8 && name.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return -1;
    const std::string own = "/proc/" + std::to_string(::getpid());
    if (folder != own + "/fd" && folder.rfind(own + "/task/", 0) != 0) return -1;
    return std::atoi(name.c_str());
}

std::string link_at(const std::string &path) {
    std::array<char, PATH_MAX> text{};
    const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
    return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string();
}

bool is_special(const std::string &path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

} // namespace

OutputTarget output_target(const std::string &path) {
    OutputTarget target{path};
    for (int link = 0; link < most_links; ++link) {
        const std::string folder = real_folder(folder_of(target.path));
        const std::string name = name_of(target.path);
        if (folder.empty()) return target; // opening it will say why
        if (const int descriptor = descriptor_named(folder, name); descriptor >= 0) return {path, true, descriptor};
        const std::string whole = (folder == "/" ? "" : folder) + "/" + name;
        const std::string next = link_at(whole);
        if (next.empty()) {
            // A path without a link stays as it was given: messages name it so.
            if (link > 0) target.path = whole;
            target.special = is_special(target.path);
            return target;
        }
        target.path = next.front() == '/' ? next : folder + "/" + next;
    }
    throw FileError(path, std::generic_category().message(ELOOP)); // a ring
}

void wait_for_readers_of_pipes() {
    commands_wait = true;
}

SpecialOutput::SpecialOutput(const OutputTarget &target, std::string name) : name_(std::move(name)) {
    const int not_waiting = commands_wait ? 0 : O_NONBLOCK;
    descriptor_ = target.descriptor >= 0 ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0)
                                         : ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | not_waiting);
    if (descriptor_ < 0 && errno == ENXIO) throw FileError(name_, "nobody reads from this pipe");
    if (descriptor_ < 0) failed("cannot open", errno);
}

SpecialOutput::~SpecialOutput() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void SpecialOutput::failed(const char *doing, int code) const {
    throw FileError(name_, std::string(doing) + ": " + std::generic_category().message(code));
}

void SpecialOutput::write(std::string_view text) {
    const NoSignal no_signal(SIGPIPE);
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            wait_for_reader();
            continue;
        }
        if (written <= 0) failed("cannot write", written == 0 ? ENOSPC : errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void SpecialOutput::wait_for_reader() {
    pollfd wanted{descriptor_, POLLOUT, 0};
    const int ready = ::poll(&wanted, 1, commands_wait ? -1 : longest_wait_ms);
    if (ready < 0 && errno != EINTR) failed("cannot write", errno);
    if (ready == 0) throw FileError(name_, "the reader of this pipe takes nothing");
}

void SpecialOutput::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0) failed("cannot close", errno);
}

} // namespace cpl_lb
