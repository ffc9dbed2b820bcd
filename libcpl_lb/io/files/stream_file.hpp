// A result file that is written piece by piece: it appears whole or not at all.
#pragma once

#include "io/files/result_file.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace cpl_lb {

class StreamFile {
public:
    explicit StreamFile(const std::string &path); // throws FileError, like all here
    void text(std::string_view text);
    void commit();

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); } // NOLINT(cppcoreguidelines-owning-memory)
    };
    NoFileSizeSignal no_signal_; // first: outlives the file
    ResultFile result_;
    std::unique_ptr<std::FILE, Close> file_;
};

} // namespace cpl_lb
