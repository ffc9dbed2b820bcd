// Runs work that a file server may hold up on a thread of its own. A thread that takes too long is left behind:
// no system call on a file can be given up.
#pragma once

#include <functional>

namespace cpl_lb {

// The shortest limit: a busy machine or a slow disk is no dead server, however short rn_timeout is.
inline constexpr double least_patience_s = 3;

// Whether `work` was done within so many seconds. Its exception is thrown here. Work that is left behind may go on
// at any later time, or never: it owns all that it uses, and calls neither MPI nor netCDF. All signals are blocked in
// it. If the system gives no thread, the caller does the work, however long that takes.
[[nodiscard]] bool done_within(double seconds, std::function<void()> work);

} // namespace cpl_lb
