// Runs the same work at the same time on threads with a core of their own, and finds measured rates that cannot be
// right: on a busy node two threads may come out slower than one, or L1 slower than memory. Such a figure is measured
// again, and refused if it stays.
#pragma once

#include "projection/machine/machine_file.hpp"

#include <cstddef>
#include <functional>
#include <stdexcept>
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

// One line: which figure cannot be, beside which other, and how often it was measured.
class ImplausibleError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Another figure, and the share of it that the new one must reach.
struct Floor {
    double value = 0; // as the new one; NaN: not measured
    std::string of;   // "with 1 thread"
    double share = 0.5;
};
// More threads never compute less; they may disturb each other in memory. A nearer level is faster, or hardly slower.
inline constexpr double share_of_flops = 0.9, share_of_further_level = 0.8;

struct RateInQuestion {
    std::string what; // "the avx512 flop rate with 2 threads"
    std::string unit; // "GFLOP/s"
    machine_units::Unit scale;
    std::vector<Floor> floors;
};

// The rate that `measure` gives; measured again with four times the time, at most four times, where it is too far
// below a floor or the machine's file could not hold it. The best one counts: other load only makes it slower. Throws
// ImplausibleError.
[[nodiscard]] double plausible_rate(const RateInQuestion &rate, const TeamBudget &budget,
                                    const std::function<double(const TeamBudget &)> &measure);

// Raises the floor to `value` if that is larger: figures with this floor cannot be slower. Its share stays.
void raise(Floor &floor, double value, const std::string &of);

} // namespace cpl_lb
