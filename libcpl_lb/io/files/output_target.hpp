// Where an output really goes. Links are followed, but not those of other users, who could send the output anywhere
// (docs/decisions/files_of_results.md). A regular file is replaced by a new one; everything else (a device, a pipe, a
// socket, a descriptor of this process) is written to and stays what it is.
#pragma once

#include "io/files/file_handle.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace cpl_lb {

struct OutputTarget {
    std::string path;     // without links; of a descriptor: as it was given
    bool special = false; // written to, never replaced
    int descriptor = -1;  // of this process, where the path names one: /dev/stdout, /dev/fd/3
    std::string remark{}; // printed when the output is there; empty: nothing
};

// Throws FileError if links lead to each other.
[[nodiscard]] OutputTarget output_target(const std::string &path);

// A model must not wait for whoever reads a pipe: a pipe that nobody reads is an error, and so is one whose reader
// lets it wait for 5 s at once, or for 10 s in all. The command calls this first, and then waits, as all commands do.
void wait_for_readers_of_pipes();

// Text into a special target, piece by piece. Throws FileError; raises no signal.
class SpecialOutput {
public:
    SpecialOutput(const OutputTarget &target, std::string name); // name: what errors say

    void write(std::string_view text);
    void close();

private:
    void wait_for_reader();
    [[noreturn]] void failed(const char *doing, int code) const;

    std::string name_;
    FileHandle file_;
    std::chrono::nanoseconds waited_{0}; // for the reader
};

} // namespace cpl_lb
