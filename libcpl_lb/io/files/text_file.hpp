// A file that is read whole: tables, rules, machines, json.
#pragma once

#include <string>

namespace cpl_lb {

// Throws FileError with the system's reason; a folder is told as one.
[[nodiscard]] std::string read_text_file(const std::string &path);

} // namespace cpl_lb
