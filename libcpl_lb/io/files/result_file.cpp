// Writes beside the final place and renames; makes folders and names of result files.
#include "io/files/result_file.hpp"

#include "io/files/file_error.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t longest_stem = 100;

std::string system_text(int code) {
    return std::generic_category().message(code);
}

// A result that nobody could read would be of no use: its rights are those that the umask leaves.
int create_new(const std::string &path) {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// An existing file is never opened, so it would do no harm to guess them. They only have to be free.
std::string random_letters() {
    std::uint64_t bits = 0;
    if (::getentropy(&bits, sizeof bits) != 0)
        bits = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::string letters;
    for (unsigned shift = 0; shift < 64; shift += 4)
        letters += "0123456789abcdef"[bits >> shift & 15U];
    return letters;
}

// Beside the result, so that the rename stays inside one file system; hidden, so that users do not take it for a
// result, and random, so that nobody can have put something there.
// Without std::filesystem::path: in GCC 12 a path that is put together while memory runs out ends the process.
std::string temporary_for(const std::string &path) {
    constexpr std::size_t longest = 200;          // of 255, which file systems allow
    const std::size_t name = path.rfind('/') + 1; // 0 without a folder
    return path.substr(0, name) + "." + path.substr(name, longest) + "." + random_letters() + ".part";
}

bool is_plain(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
}

std::string stem_of(const std::string &name, const std::string &suffix) {
    std::string stem = name.empty() ? "_" : name.substr(0, longest_stem - suffix.size());
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return !is_plain(c); }, '_');
    if (stem.front() == '.') stem.front() = '_'; // or a folder of that name is hidden
    return stem + suffix;
}

} // namespace

std::string temporary_folder() {
    const char *set = std::getenv("TMPDIR");
    return set != nullptr && *set != '\0' ? set : "/tmp";
}

ResultFile::ResultFile(std::string path) : path_(std::move(path)), target_(output_target(path_)) {
    if (target_.special) {
        own_folder_ = temporary_folder() + "/cpl_lb_XXXXXX";
        if (::mkdtemp(own_folder_.data()) == nullptr)
            throw FileError(path_, "cannot create a folder in " + temporary_folder() + ": " + system_text(errno));
    }
    constexpr int most_attempts = 10; // each with another name
    for (int attempt = 0; attempt < most_attempts && file_.descriptor() < 0; ++attempt) {
        temporary_ = target_.special ? own_folder_ + "/part" : temporary_for(target_.path);
        file_ = FileHandle(create_new(temporary_));
        if (file_.descriptor() < 0 && errno != EEXIST) break;
    }
    if (file_.descriptor() >= 0) return;
    const int why = errno;
    if (!own_folder_.empty()) ::rmdir(own_folder_.c_str());
    throw FileError(path_, "cannot create: " + system_text(why));
}

ResultFile::~ResultFile() {
    // Somebody may still have it open (netCDF, another process of the run): then removing it gives nothing back.
    if (!committed_ && file_.descriptor() >= 0 && ::ftruncate(file_.descriptor(), 0) != 0) errno = 0;
    if (!committed_) ::unlink(temporary_.c_str());
    if (!own_folder_.empty()) ::rmdir(own_folder_.c_str());
}

void ResultFile::commit() {
    const bool is_mine = target_.special || file_.is_at(temporary_);
    // Network file systems tell of a full disk as late as here.
    if (!file_.close()) throw FileError(path_, "cannot close: " + system_text(errno));
    if (target_.special) return copy_to_target();
    if (!is_mine) throw FileError(path_, "somebody has removed or replaced its temporary file");
    if (::rename(temporary_.c_str(), target_.path.c_str()) != 0)
        throw FileError(path_, "cannot put the finished file in place: " + system_text(errno));
    committed_ = true;
    if (!target_.remark.empty()) tell(path_ + ": " + target_.remark);
}

void ResultFile::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file_.descriptor(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw FileError(path_, "cannot write: " + system_text(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

// The temporary file goes with the object.
void ResultFile::copy_to_target() const {
    const FileHandle from = open_to_read(temporary_);
    SpecialOutput to(target_, path_);
    std::vector<char> piece(std::size_t{1} << 18U);
    ssize_t got = 0;
    while ((got = ::read(from.descriptor(), piece.data(), piece.size())) > 0)
        to.write({piece.data(), static_cast<std::size_t>(got)});
    if (got < 0) throw FileError(path_, "cannot read its temporary file: " + system_text(errno));
    to.close();
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
    if (const OutputTarget target = output_target(path); target.special) {
        SpecialOutput to(target, path);
        to.write(text);
        return to.close();
    }
    ResultFile file(path);
    file.write(text);
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
