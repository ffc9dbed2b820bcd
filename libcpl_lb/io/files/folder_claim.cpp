// The file that says which run a result folder belongs to, and its lock.
#include "io/files/folder_claim.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "support/system.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int most_attempts = 10; // to lock a file that others remove at the same time
constexpr std::size_t most_bytes = 4096;

std::string first_bytes(int descriptor) {
    std::array<char, most_bytes> text{};
    return {text.data(), read_at(descriptor, 0, std::as_writable_bytes(std::span(text)))};
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
        line = safe_name(text.substr(at, end - at)); // anybody may have written it
        at = end + 1;
    }
    if (lines.back().empty()) return {}; // no run has written that
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
        if (own && claimed_ && is_held() && run_of(first_bytes(file_.number())).token == mine_.token &&
            file_.is_at(path_.c_str()))
            ::unlink(path_.c_str());
    } catch (const std::bad_alloc &) { // the file stays; without its lock the next run takes it over
        errno = 0;
    }
}

// A model that closes descriptors which it does not own has given up the lock, too.
bool FolderClaim::is_held() {
    return file_.is_ours() || (file_.open_again(path_.c_str(), O_RDWR) && lock(file_.number()) != Locked::by_another);
}

// Locks belong to the process and end with it. A file that was removed between opening and locking is no claim.
void FolderClaim::claim() {
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        file_.close();
        file_ = HeldDescriptor(::open(path_.c_str(), flags, 0666));
        struct stat found {};
        if (!file_.was_opened() && errno == EACCES && is_left_by_another_user()) continue;
        if (!file_.was_opened() || ::fstat(file_.number(), &found) != 0) return;
        // It will be written to: a second name of another file is no claim.
        if (!S_ISREG(found.st_mode) || found.st_nlink > 1) return;
        const Locked locked = lock(file_.number());
        const ClaimingRun run = run_of(first_bytes(file_.number()));
        if (locked == Locked::by_another || (locked == Locked::not_possible_here && lives_here(run))) {
            other_ = in_words(run);
            return file_.close();
        }
        if (!file_.is_at(path_.c_str())) continue;
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

// A full disk leaves an empty file: then the lock alone speaks.
void FolderClaim::write_mine() const {
    const NoFileSizeSignal guard;
    const std::string text = as_text(mine_);
    if (::ftruncate(file_.number(), 0) != 0) return;
    if (::write(file_.number(), text.data(), text.size()) < 0) return; // the first bytes of a file just opened
}

std::string FolderClaim::other_run() const {
    if (!other_.empty() || !claimed_) return other_;
    const FileHandle now(file_.is_ours() ? -1
                                         : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const ClaimingRun there = run_of(first_bytes(file_.is_ours() ? file_.number() : now.descriptor()));
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

// At most a quarter of what is free. Where the system cannot do that at once, nothing is kept.
void keep_room(int descriptor) {
    constexpr std::uint64_t most = std::uint64_t{1} << 20U;
    struct statvfs disk {};
    if (::fstatvfs(descriptor, &disk) != 0) return;
    const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (::fallocate(descriptor, 0, 0, static_cast<off_t>(std::min(most, free_bytes / 4))) != 0) errno = 0;
}

} // namespace

FolderProbe::FolderProbe(const std::string &folder, std::string token) : token_(std::move(token)) {
    if (token_.empty()) return;
    const NoFileSizeSignal guard;
    std::string path = path_of(folder, token_);
    FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.descriptor() < 0) return; // nobody sees it: what others write comes by messages
    path_ = std::move(path);
    file_ = std::move(file);
    // If it could not be written, nobody sees it either.
    if (::write(file_.descriptor(), token_.data(), token_.size()) == static_cast<ssize_t>(token_.size()))
        keep_room(file_.descriptor());
    else
        ::unlink(path_.c_str());
}

FolderProbe::~FolderProbe() {
    give_room_back(); // whoever has it open
    if (!path_.empty()) ::unlink(path_.c_str());
}

void FolderProbe::give_room_back() const {
    if (file_.descriptor() >= 0 && ::ftruncate(file_.descriptor(), static_cast<off_t>(token_.size())) != 0) errno = 0;
}

bool FolderProbe::is_seen(const std::string &folder, const std::string &token) {
    if (token.empty()) return false;
    const FileHandle file(::open(path_of(folder, token).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.descriptor() < 0) {
        // Without a descriptor left the file is there all the same; whether it can be written to is found later.
        struct stat found {};
        return (errno == EMFILE || errno == ENFILE) && ::lstat(path_of(folder, token).c_str(), &found) == 0 &&
               S_ISREG(found.st_mode) && found.st_size >= static_cast<off_t>(token.size());
    }
    std::string there(token.size(), ' ');
    return read_at(file.descriptor(), 0, std::as_writable_bytes(std::span(there))) == token.size() && there == token;
}

} // namespace cpl_lb
