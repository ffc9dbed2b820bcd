#include "io/result_file.hpp"

#include "io/file_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <pthread.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t longest_stem = 100;

std::string system_text(int code) {
    return std::generic_category().message(code);
}

// Beside the result, so that the rename stays inside one file system; hidden and with the process id, so that
// neither users nor a second run in the same folder take it for a result.
// Without std::filesystem::path: in GCC 12 a path that is put together while memory runs out ends the process.
std::string temporary_for(const std::string &path) {
    const std::size_t name = path.rfind('/') + 1; // 0 without a folder
    return path.substr(0, name) + "." + path.substr(name) + "." + std::to_string(::getpid()) + ".part";
}

void write_all(int descriptor, const std::string &path, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw FileError(path, "cannot write: " + system_text(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

bool is_plain(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
}

std::string stem_of(const std::string &name, const std::string &suffix) {
    std::string stem = name.empty() ? "_" : name.substr(0, longest_stem - suffix.size());
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return !is_plain(c); }, '_');
    return stem + suffix;
}

} // namespace

ResultFile::ResultFile(std::string path) : path_(std::move(path)), temporary_(temporary_for(path_)) {}

ResultFile::~ResultFile() {
    if (!committed_) ::unlink(temporary_.c_str());
}

void ResultFile::commit() {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        throw FileError(path_, "cannot put the finished file in place: " + system_text(errno));
    committed_ = true;
}

NoSignal::NoSignal(int signal) noexcept {
    sigset_t pending;
    sigset_t before;
    sigemptyset(&only_);
    sigaddset(&only_, signal);
    sigpending(&pending);
    const bool blocked_now = pthread_sigmask(SIG_BLOCK, &only_, &before) == 0;
    was_free_ = blocked_now && sigismember(&before, signal) == 0 && sigismember(&pending, signal) == 0;
}

NoSignal::~NoSignal() {
    if (!was_free_) return;
    const int code = errno;
    const timespec at_once{};
    while (sigtimedwait(&only_, nullptr, &at_once) == -1 && errno == EINTR) {
    }
    pthread_sigmask(SIG_UNBLOCK, &only_, nullptr);
    errno = code;
}

void create_directory(const std::string &path) {
    std::error_code error;
    if (path.empty() || std::filesystem::is_directory(path, error)) return;
    std::filesystem::create_directories(path, error);
    // Another process may have made it in the meantime.
    std::error_code ignored;
    if (error && !std::filesystem::is_directory(path, ignored))
        throw FileError(path, "cannot create the directory: " + error.message());
}

void write_result_file(const std::string &path, std::string_view text) {
    const NoFileSizeSignal guard;
    ResultFile file(path);
    const int descriptor = ::open(file.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) throw FileError(path, "cannot create: " + system_text(errno));
    try {
        write_all(descriptor, path, text);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    // Network file systems tell of a full disk as late as here.
    if (::close(descriptor) != 0) throw FileError(path, "cannot close: " + system_text(errno));
    file.commit();
}

std::vector<std::string> file_stems(std::span<const std::string> component_names) {
    const std::size_t n = component_names.size();
    std::vector<std::string> stems(n);
    std::vector<char> with_id(n, 0);
    for (bool again = true; again;) {
        std::map<std::string, std::vector<std::size_t>> users;
        for (std::size_t i = 0; i < n; ++i) {
            stems[i] = stem_of(component_names[i], with_id[i] != 0 ? "_" + std::to_string(i + 1) : "");
            users[stems[i]].push_back(i);
        }
        // "a/b", "a b" and "a_b_1": the third collides only once the first has its id, hence the loop.
        again = false;
        for (const auto &[stem, same] : users) {
            if (same.size() < 2) continue;
            for (const std::size_t i : same) {
                again = again || with_id[i] == 0;
                with_id[i] = 1;
            }
        }
    }
    return stems;
}

std::string timeline_file_name(std::string_view stem) {
    return "timeline_" + std::string(stem) + ".nc";
}

std::string path_in(const std::string &directory, const std::string &name) {
    return directory.empty() || directory.back() == '/' ? directory + name : directory + "/" + name;
}

} // namespace cpl_lb
