// The file by which processes find out that they see the same folder.
#include "io/files/folder_probe.hpp"

#include "io/files/result_file.hpp"
#include "support/blocked_signal.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

std::string path_of(const std::string &folder, const std::string &token) {
    return path_in(folder, ".cpl_lb_probe_" + token);
}

} // namespace

FolderProbe::FolderProbe(const std::string &folder, std::string token) {
    if (token.empty()) return;
    const NoFileSizeSignal guard;
    std::string path = path_of(folder, token);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) return; // nobody sees it: what others write comes by messages
    path_ = std::move(path);
    // If it could not be written, nobody sees it either.
    const bool whole = ::write(descriptor, token.data(), token.size()) == static_cast<ssize_t>(token.size());
    ::close(descriptor);
    if (!whole) ::unlink(path_.c_str());
}

FolderProbe::~FolderProbe() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

bool FolderProbe::is_seen(const std::string &folder, const std::string &token) {
    if (token.empty()) return false;
    const int descriptor = ::open(path_of(folder, token).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return false;
    std::vector<char> there(token.size() + 1);
    const ssize_t got = ::read(descriptor, there.data(), there.size());
    ::close(descriptor);
    return got == static_cast<ssize_t>(token.size()) && std::string(there.data(), token.size()) == token;
}

} // namespace cpl_lb
