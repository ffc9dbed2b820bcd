// Lines on standard error: each starts with "cpl_lb: " and is written at once, so that lines of several processes
// do not mix.
#pragma once

#include <exception>
#include <new>
#include <string_view>

namespace cpl_lb {

void tell(std::string_view line) noexcept;

// An exception's text for a line on standard error: std::bad_alloc says only its own name.
[[nodiscard]] inline const char *in_words(const std::exception &e) {
    return dynamic_cast<const std::bad_alloc *>(&e) != nullptr ? "out of memory" : e.what();
}

} // namespace cpl_lb
