// A result file that is written piece by piece: it appears whole or not at all.
#pragma once

#include "io/files/result_file.hpp"

#include <string>
#include <string_view>

namespace cpl_lb {

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
