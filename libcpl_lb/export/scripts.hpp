// Scripts beside the results that draw them: Ferret, Python, ncview.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// Names of files with kind_dominant, in the folder: what each script draws.
struct ScriptFiles {
    std::vector<std::string> plots; // Ferret and Python
    std::vector<std::string> idle;  // those of `plots` that are I/O servers'
    std::vector<std::string> ncview;
};
// Returns the names of the scripts.
[[nodiscard]] std::vector<std::string> write_scripts(const std::string &folder, const ScriptFiles &files);

} // namespace cpl_lb
