// Counts of the kernel: getrusage and sysconf.
#include "meters/disturbance.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace cpl_lb {

std::int64_t involuntary_switches() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : -1;
}

std::int64_t processors_of_node() {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? processors : 0;
}

} // namespace cpl_lb
