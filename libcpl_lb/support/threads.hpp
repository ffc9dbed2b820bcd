// Work on several threads: each takes the next few rows of a timeline that are left; and work that may be left
// behind.
#pragma once

#include "data/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cpl_lb {

// The number of threads: as many as there are cores, rows, and room for the memory of each.
[[nodiscard]] std::size_t row_workers(std::int64_t rows, std::size_t bytes_of_each);

// Works on rows [first, first + count). Workers are 0 to workers - 1, and each has one call at a time.
using RowWork = std::function<void(std::size_t worker, std::int64_t first, std::int64_t count)>;

// Shares out rows 0 to `rows` - 1, at most `height` at a time. The calling thread is worker 0 and tells `progress`
// how far they are. An exception from `work` ends the work. If several rows fail, the exception of the lowest row is
// thrown again, so that the same file gives the same error. If the system gives fewer threads, fewer workers run.
void share_rows(std::int64_t rows, std::int64_t height, std::size_t workers, const Progress &progress,
                const RowWork &work);

// A file server may hold up work, so it runs on a thread of its own. A thread that takes too long is left behind: no
// system call on a file can be given up. The shortest limit: a busy machine or a slow disk is no dead server, however
// short rn_timeout is.
inline constexpr double least_patience_s = 3;

// Whether `work` was done within so many seconds. Its exception is thrown here. Work that is left behind may go on
// at any later time, or never: it owns all that it uses, and calls neither MPI nor netCDF. All signals are blocked in
// it. If the system gives no thread, the caller does the work, however long that takes.
[[nodiscard]] bool done_within(double seconds, std::function<void()> work);

} // namespace cpl_lb
