// Coordinates for the parts of an OASIS grid, from grids.nc in the folder where the model runs. Looks whether the
// file can be read at all before netCDF does: a call of netCDF cannot be left behind.
#include "run/live/steps/write_results.hpp"

#include "page/globe.hpp"
#include "support/held_up.hpp"
#include "support/messages.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr const char *path = "./grids.nc";
constexpr const char *no_time = "the analysis had no time left for it (rn_analysis); cpl-lb report puts it there";

bool can_be_read() {
    struct stat is {};
    if (::stat(path, &is) != 0 || !S_ISREG(is.st_mode)) return false;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char one = 0;
    const bool read = ::read(file, &one, 1) == 1;
    ::close(file);
    return read;
}

std::string why_not_read(double patience_s) {
    const auto found = std::make_shared<bool>(false);
    if (!done_within(patience_s, [found] { *found = can_be_read(); })) return not_answered(patience_s);
    return *found ? "" : "no grids.nc can be read in the folder of the model";
}

} // namespace

void enter_coordinates(ProcessFigures &figures, const ProcessRecord &record, const Budget &budget) {
    if (!needs_globe(figures) || !figures.why_no_globe.empty()) return;
    const HeldUp by_the_file;
    try {
        figures.why_no_globe = budget.used_up() ? no_time : why_not_read(least_patience_s);
        // 16 bytes for each point of a process.
        const auto held = static_cast<std::int64_t>(record.memory_bound_B / 64);
        if (figures.why_no_globe.empty()) put_on_globe(figures, {"."}, std::min(most_points_at_terminate, held));
    } catch (const std::exception &e) { // everything else is there
        figures.why_no_globe = in_words(e);
    }
}

} // namespace cpl_lb
