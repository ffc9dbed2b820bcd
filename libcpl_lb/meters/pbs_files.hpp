// Files that PBS makes for a job, and names in variables: PBS_NODEFILE, PBS_GPUFILE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// 65,536 lines of 64 bytes.
inline constexpr std::size_t most_bytes_of_job_file = 4U << 20U;

// The text; nothing: no path, no regular file, a longer one, one that cannot be read, or its server does not answer.
[[nodiscard]] std::optional<std::string> read_job_file(const char *path);

// PBS_GPUFILE of Torque has a line for each GPU of the job: "node-gpu0".
struct GpuLines {
    std::int64_t all = 0;          // of all nodes
    std::vector<std::string> here; // numbers of the GPUs of one node, in the order of the lines
};
[[nodiscard]] GpuLines gpu_lines(std::string_view text, std::string_view node);

} // namespace cpl_lb
