// The file that says which run a result folder belongs to, and its lock.
#include "io/files/folder_claim.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr int most_attempts = 10; // to lock a file that others remove at the same time
constexpr std::size_t most_bytes = 4096;

std::string first_bytes(int descriptor) {
    std::array<char, most_bytes> text{};
    ssize_t got = -1;
    do
        got = ::pread(descriptor, text.data(), text.size(), 0);
    while (got < 0 && errno == EINTR);
    return {text.data(), static_cast<std::size_t>(got > 0 ? got : 0)};
}

// One line for each: token, name, node, process, start.
std::string as_text(const ClaimingRun &run) {
    return run.token + "\n" + run.id + "\n" + run.host + "\n" + std::to_string(run.process) + "\n" + run.started +
           "\n";
}

ClaimingRun run_of(const std::string &text) {
    std::array<std::string, 5> lines;
    std::size_t at = 0;
    for (std::string &line : lines) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string::npos) break;
        line = text.substr(at, end - at);
        std::replace_if( // anybody may have written it
            line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
        at = end + 1;
    }
    return {lines[0], lines[1], lines[2], lines[4], std::strtol(lines[3].c_str(), nullptr, 10)};
}

std::string in_words(const ClaimingRun &run) {
    if (run.token.empty()) return "another run";
    return "the run " + run.id + " (process " + std::to_string(run.process) + " on " + run.host + ", since " +
           run.started + ")";
}

enum class Locked { yes, by_another, not_possible_here };

Locked lock(int descriptor) {
    struct flock all {};
    all.l_type = F_WRLCK;
    all.l_whence = SEEK_SET;
    if (::fcntl(descriptor, F_SETLK, &all) == 0) return Locked::yes;
    return errno == EACCES || errno == EAGAIN ? Locked::by_another : Locked::not_possible_here;
}

// Without locks only a process on the same node can be asked for.
bool lives_here(const ClaimingRun &run) {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    if (run.process <= 0 || run.host != host.data()) return false;
    return ::kill(static_cast<pid_t>(run.process), 0) == 0 || errno == EPERM;
}

} // namespace

FolderClaim::FolderClaim(const std::string &folder, ClaimingRun mine)
    : path_(path_in(folder.empty() ? "." : folder, claim_file_name)), mine_(std::move(mine)) {
    try {
        create_directory(folder);
    } catch (const FileError &) { // told at the end of the run, with all results that it costs
        return;
    }
    claim();
}

FolderClaim::~FolderClaim() {
    // While it is locked: nobody can have taken it over.
    const bool own = ::getpid() == mine_.process; // not a forked child's
    try {
        if (own && claimed_ && run_of(first_bytes(descriptor_)).token == mine_.token && is_still_in_place())
            ::unlink(path_.c_str());
    } catch (const std::bad_alloc &) { // the file stays; without its lock the next run takes it over
        errno = 0;
    }
    close();
}

// A model may have closed all descriptors and opened files of its own: the number is then theirs.
void FolderClaim::close() {
    struct stat now {};
    const bool ours = descriptor_ >= 0 && ::fstat(descriptor_, &now) == 0 && now.st_ino == inode_;
    if (ours) ::close(descriptor_);
    descriptor_ = -1;
}

// Locks belong to the process and end with it. A file that was removed between opening and locking is no claim.
void FolderClaim::claim() {
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        close();
        descriptor_ = ::open(path_.c_str(), flags, 0666);
        struct stat found {};
        if (descriptor_ < 0 && errno == EACCES && is_left_by_another_user()) continue;
        if (descriptor_ < 0 || ::fstat(descriptor_, &found) != 0) return;
        inode_ = found.st_ino;
        // It will be written to: a second name of another file is no claim.
        if (!S_ISREG(found.st_mode) || found.st_nlink > 1) return;
        const Locked locked = lock(descriptor_);
        const ClaimingRun run = run_of(first_bytes(descriptor_));
        if (locked == Locked::by_another || (locked == Locked::not_possible_here && lives_here(run))) {
            other_ = in_words(run);
            return close();
        }
        if (!is_still_in_place()) continue;
        write_mine();
        claimed_ = true;
        return;
    }
}

// For a file that may only be read. True: it was left and is deleted. False: other_ names the run that still has it.
bool FolderClaim::is_left_by_another_user() {
    const FileHandle file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat found {};
    if (file.descriptor() < 0 || ::fstat(file.descriptor(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
    struct flock wanted {};
    wanted.l_type = F_WRLCK;
    const ClaimingRun run = run_of(first_bytes(file.descriptor()));
    const bool asked = ::fcntl(file.descriptor(), F_GETLK, &wanted) == 0;
    if (asked ? wanted.l_type != F_UNLCK : lives_here(run)) {
        other_ = in_words(run);
        return false;
    }
    return asked && ::unlink(path_.c_str()) == 0;
}

bool FolderClaim::is_still_in_place() const {
    struct stat mine {};
    struct stat there {};
    return ::fstat(descriptor_, &mine) == 0 && ::stat(path_.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

// A full disk leaves an empty file: then the lock alone speaks.
void FolderClaim::write_mine() const {
    const NoFileSizeSignal guard;
    const std::string text = as_text(mine_);
    if (::ftruncate(descriptor_, 0) != 0) return;
    if (::write(descriptor_, text.data(), text.size()) < 0) return; // the first bytes of a file just opened
}

std::string FolderClaim::other_run() const {
    if (!other_.empty() || !claimed_) return other_;
    const ClaimingRun there = run_of(first_bytes(descriptor_));
    if (there.token.empty() || there.token == mine_.token) return {};
    return in_words(there);
}

std::string new_folder_in(const std::string &folder, const std::string &name) {
    const std::string stem = path_in(folder, file_stems(std::array{name}).front());
    for (int number = 1; number < 1000; ++number) {
        std::string path = number == 1 ? stem : stem + "_" + std::to_string(number);
        if (::mkdir(path.c_str(), 0777) == 0) return path;
        if (errno != EEXIST)
            throw FileError(path, "cannot create the directory: " + std::generic_category().message(errno));
    }
    throw FileError(stem, "cannot create the directory: there are too many of that name");
}

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
