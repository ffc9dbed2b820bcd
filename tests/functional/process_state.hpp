// What a library in this process might have changed, as text: two snapshots are compared word by word.
#pragma once

#include <map>
#include <string>

namespace scenario {

using ProcessState = std::map<std::string, std::string>;
[[nodiscard]] ProcessState process_state();

// "changed NAME" on standard output for each that differs, but for those named in `spared`; how many differ.
int say_changes(const ProcessState &before, const ProcessState &after, const std::string &spared = "");

} // namespace scenario
