// Foreign text in lines that a user is to copy into a shell: it arrives there as it is, and nothing of it is run.
#pragma once

#include <string>
#include <string_view>

namespace cpl_lb {

// One word for sh: as it is if it has only letters, digits and _ . / : = , + @ -; else in quotes. Control
// characters, invisible marks and bytes that are not UTF-8 are written by printf, as \NNN: a terminal does not obey
// them, and the word stays on its line. Newlines at the end stand as they are, in quotes, because $(...) takes them
// away.
[[nodiscard]] std::string shell_word(std::string_view text);
// The same for a path, which no command takes for an option.
[[nodiscard]] std::string shell_path(std::string_view path);
// "--without ocean"; "--without=-x" where the value looks like an option itself.
[[nodiscard]] std::string shell_option(std::string_view option, std::string_view value);
// It needs printf: files that know quotes, but are read by no shell, cannot hold it.
[[nodiscard]] bool needs_a_shell(std::string_view text);

} // namespace cpl_lb
