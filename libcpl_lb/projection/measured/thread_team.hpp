// Runs the same work at the same time on threads with a core of their own, and takes the shortest time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// CPUs that this process may use, the first hardware thread of each core; all of them where sysfs does not say.
[[nodiscard]] std::vector<int> usable_cores(const std::string &sysfs_root);

struct TeamWork {
    std::function<void(std::size_t thread)> prepare; // once, on the thread's core: memory is touched here
    std::function<double(std::size_t thread, std::size_t passes)> work; // what it returns must depend on the work
};

struct TeamBudget {
    double seconds = 0.1; // for the repetitions
    double least_repetition_s =
        1e-3; // passes are doubled until one repetition takes so long: the clock does not matter
};

// Best of at least three repetitions after a warm-up, from the first start to the last end of a repetition: seconds
// for one pass of all threads, thread i on cores[i]. Throws std::system_error where threads cannot be made.
[[nodiscard]] double best_pass_s(const std::vector<int> &cores, const TeamWork &work, const TeamBudget &budget);

} // namespace cpl_lb
