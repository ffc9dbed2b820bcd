// What users may still write and no version after 0.3 knows: a namelist or variable that has it gives one line and
// the model goes on; a command ends with one line and status 2. CHANGELOG lists the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

inline constexpr std::string_view of_namelist = "namelist", of_environment = "environment";

struct GoneName {
    std::string_view of;      // of_namelist, of_environment, a command ("cpmip plan"); empty: it was a command itself
    std::string_view name;    // lower case in a namelist; "--launch pbs": a value of an option
    std::string_view instead; // ends "NAME is gone: "
};

[[nodiscard]] const std::vector<GoneName> &gone_names();

// One line, or nothing.
[[nodiscard]] std::string gone_in(std::string_view of, std::string_view name);
// words: of the command line, without the program's name.
[[nodiscard]] std::string gone_in_command(const std::vector<std::string> &words);

} // namespace cpl_lb
