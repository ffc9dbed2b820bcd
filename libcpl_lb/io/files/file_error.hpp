// The one exception of the io room: which file, and what the system or netCDF says about it.
#pragma once

#include <stdexcept>
#include <string>

namespace cpl_lb {

class FileError : public std::runtime_error {
public:
    FileError(const std::string &path, const std::string &what) : std::runtime_error(path + ": " + what) {}
};

} // namespace cpl_lb
