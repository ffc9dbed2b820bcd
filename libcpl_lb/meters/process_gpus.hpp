// Which GPUs this process uses: by the drivers' libraries that it has loaded itself, and by its environment.
#pragma once

#include "meters/reader.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct ProcessGpus {
    // Whether the drivers tell all that it uses: `uuids`, none if the process has opened no GPU.
    bool told = false;
    std::vector<std::string> uuids; // ascending
    // GPUs that its environment lets it use, by number or UUID, ascending; empty: it says nothing.
    std::vector<std::string> visible;
    std::string visible_from; // "CUDA_VISIBLE_DEVICES"
    bool of_job = false;      // a batch system's list of the job's GPUs
};

// Opens no library and makes no context: a process that has loaded none of these libraries can use no GPU.
[[nodiscard]] ProcessGpus gpus_of_process(const ReaderOptions &options);

// The part of the environment. value_of: as getenv.
[[nodiscard]] ProcessGpus gpus_of_environment(const char *(*value_of)(const char *name));

} // namespace cpl_lb
