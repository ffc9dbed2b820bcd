// A result file appears whole or not at all: it is written beside its final place and renamed. What is no regular
// file (a device, a pipe) is never replaced: the finished bytes are copied into it. A link of this user is followed.
// Nobody else can make this process write to another file, also where others may write into the folder
// (docs/decisions/files_of_results.md). Writes past RLIMIT_FSIZE become an error here, never a signal in the model.
#pragma once

#include "io/files/file_handle.hpp"
#include "io/files/output_target.hpp"
#include "support/system.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

class ResultFile {
public:
    explicit ResultFile(std::string path); // makes the temporary file, empty; throws FileError
    ~ResultFile();                         // removes it unless committed, and gives its room back at once
    ResultFile(const ResultFile &) = delete;
    ResultFile &operator=(const ResultFile &) = delete;

    [[nodiscard]] const std::string &path() const { return path_; }
    void write(std::string_view text); // behind what was written; throws FileError
    // The path by which this process opens the temporary file once more.
    [[nodiscard]] std::string open_as() const { return file_.path(temporary_); }
    // Its name, for other processes, which have to look whether it is this file. Somebody may have replaced it.
    [[nodiscard]] const std::string &temporary() const { return temporary_; }
    void commit(); // closes the file and puts it in place; throws FileError

private:
    void copy_to_target() const;

    std::string path_;
    OutputTarget target_;
    std::string own_folder_; // of the temporary file, where the target is special
    std::string temporary_;
    FileHandle file_;
    bool committed_ = false;
};

[[nodiscard]] std::string temporary_folder();   // TMPDIR, or /tmp
void create_directory(const std::string &path); // with its parents; throws FileError
void write_result_file(const std::string &path, std::string_view text);

// The part of a file's name that stands for each component, by id - 1: every character outside
// A-Z a-z 0-9 _ . - becomes '_', at most 100 characters; names that would collide get "_<id>".
[[nodiscard]] std::vector<std::string> file_stems(std::span<const std::string> component_names);
[[nodiscard]] std::string timeline_file_name(std::string_view stem); // "timeline_<stem>.nc"
[[nodiscard]] std::string path_in(const std::string &directory, const std::string &name);

// A result file that is written piece by piece: it appears whole or not at all.
class StreamFile {
public:
    explicit StreamFile(const std::string &path); // throws FileError, like all here
    void text(std::string_view text);
    void commit();

private:
    NoFileSizeSignal no_signal_; // first: outlives the file
    ResultFile result_;
    std::string waiting_; // small pieces, until they are worth a write
};

} // namespace cpl_lb
