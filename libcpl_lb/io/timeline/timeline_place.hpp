// Chooses the file name of a component's timeline. OASIS3-MCT 5 writes timeline_<component>.nc, too, and neither
// program may replace the other's file.
#pragma once

#include <string>
#include <string_view>

namespace cpl_lb {

// Whether the file at `path` is a timeline that another program wrote. Not if there is no regular file, or where
// it is no classic netCDF, which is all that OASIS writes.
[[nodiscard]] bool is_foreign_timeline(const std::string &path);

// timeline_<stem>.nc, but timeline_<stem>.cpl_lb.nc where another program's timeline has the first name. It is the
// same before and after ours has been written.
[[nodiscard]] std::string timeline_name_in(const std::string &directory, std::string_view stem);

// One line for users who look for the timeline under its usual name; empty if it has that name.
[[nodiscard]] std::string words_for_other_name(const std::string &name, std::string_view stem);

} // namespace cpl_lb
