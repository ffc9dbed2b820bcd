// A file that PBS makes for a job, and names in a variable: PBS_NODEFILE.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace cpl_lb {

// 65,536 lines of 64 bytes.
inline constexpr std::size_t most_bytes_of_job_file = 4U << 20U;

// The text; nothing: no path, no regular file, a longer one, one that cannot be read, or its server does not answer.
[[nodiscard]] std::optional<std::string> read_job_file(const char *path);

} // namespace cpl_lb
