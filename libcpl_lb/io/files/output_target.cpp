// Follows the links of an output's path, and writes to outputs that are not regular files.
#include "io/files/output_target.hpp"

#include "io/files/file_error.hpp"
#include "support/system.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
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

constexpr int most_links = 40;                    // as the kernel
constexpr int longest_wait_ms = 5000;             // for a reader that takes nothing
constexpr std::chrono::seconds longest_waits(10); // for one that takes a little now and then

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

// Without links; empty if there is no such folder.
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

struct Link {
    std::string to; // empty: there is none
    uid_t owner = 0;
};

// Owner and end of one and the same link: somebody may replace it at any moment.
Link link_at(const std::string &path) {
    const FileHandle link(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat found {};
    if (link.descriptor() < 0 || ::fstat(link.descriptor(), &found) != 0 || !S_ISLNK(found.st_mode)) return {};
    std::array<char, PATH_MAX> text{};
    const ssize_t length = ::readlinkat(link.descriptor(), "", text.data(), text.size());
    return {length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string(), found.st_uid};
}

// Who made it: this user, or the system. In a container the system's links may belong to nobody that it knows.
bool may_be_followed(const Link &link, const std::string &folder) {
    return link.owner == ::geteuid() || link.owner == 0 || folder == "/dev";
}

bool is_special(const std::string &path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

std::string remark_on(const Link &link) {
    return "there was a link that belongs to another user (" + std::to_string(link.owner) +
           "): it was not followed, and the file has taken its place";
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
        const Link next = link_at(whole);
        const bool planted = !next.to.empty() && !may_be_followed(next, folder);
        if (next.to.empty() || planted) {
            // A path without a link stays as it was given: messages name it so.
            if (link > 0) target.path = whole;
            target.special = !planted && is_special(target.path);
            if (planted) target.remark = remark_on(next);
            return target;
        }
        target.path = next.to.front() == '/' ? next.to : folder + "/" + next.to;
    }
    throw FileError(path, std::generic_category().message(ELOOP)); // a ring
}

void wait_for_readers_of_pipes() {
    commands_wait = true;
}

SpecialOutput::SpecialOutput(const OutputTarget &target, std::string name) : name_(std::move(name)) {
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | (commands_wait ? 0 : O_NONBLOCK);
    const bool is_ours = target.descriptor >= 0;
    FileHandle file(is_ours ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0) : ::open(target.path.c_str(), flags));
    if (file.descriptor() < 0 && errno == ENXIO) throw FileError(name_, "nobody reads from this pipe");
    if (file.descriptor() < 0) failed("cannot open", errno);
    struct stat found {};
    if (!is_ours && (::fstat(file.descriptor(), &found) != 0 || S_ISREG(found.st_mode)))
        throw FileError(name_, "somebody has put another file there");
    file_ = std::move(file);
}

void SpecialOutput::failed(const char *doing, int code) const {
    throw FileError(name_, std::string(doing) + ": " + std::generic_category().message(code));
}

void SpecialOutput::write(std::string_view text) {
    const NoSignal no_signal(SIGPIPE);
    while (!text.empty()) {
        const ssize_t written = ::write(file_.descriptor(), text.data(), text.size());
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
    using namespace std::chrono;
    const auto before = steady_clock::now();
    pollfd wanted{file_.descriptor(), POLLOUT, 0};
    const int ready = ::poll(&wanted, 1, commands_wait ? -1 : longest_wait_ms);
    if (ready < 0 && errno != EINTR) failed("cannot write", errno);
    if (ready == 0) throw FileError(name_, "the reader of this pipe takes nothing");
    waited_ += steady_clock::now() - before;
    if (!commands_wait && waited_ > longest_waits) throw FileError(name_, "the reader of this pipe is too slow");
}

void SpecialOutput::close() {
    if (!file_.close()) failed("cannot close", errno);
}

} // namespace cpl_lb
