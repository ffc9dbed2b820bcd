// Signs that somebody else uses this process's core, too.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace cpl_lb {

// How often the kernel took the processor away from this process, all its threads; -1: not known.
[[nodiscard]] std::int64_t involuntary_switches();
// Processors of this node that work; 0: not known.
[[nodiscard]] std::int64_t processors_of_node();

// From the text of a schedstat: for how long the thread was ready and had no processor. NaN: the kernel does not
// count it (it then writes three zeros, and a thread that reads has run).
[[nodiscard]] double no_processor_s(std::string_view schedstat) noexcept;

// The same for each thread of this process, by its id; empty: not known.
using ThreadSeconds = std::map<std::string, double>;
[[nodiscard]] ThreadSeconds no_processor_of_threads(const std::string &procfs_root);
// How much it grew, all threads together. A thread that ended meanwhile is not in it. NaN: not known.
[[nodiscard]] double growth_of(const ThreadSeconds &first, const ThreadSeconds &last);

} // namespace cpl_lb
