// fmt, for every file of the project: nobody else includes its headers. Only its declarations are compiled here; what
// they call is compiled once, in fmt.cpp (docs/decisions/compiling.md). So only fmt::format is to be used.
#pragma once

#ifdef FMT_VERSION
#error "include support/fmt.hpp, and no header of fmt"
#endif
// fmt's names stand in an inline namespace of fmt's version. Ours is cpl_lb: a model that links fmt itself, of
// whatever version, never meets two functions of the same name.
#define FMT_BEGIN_NAMESPACE                                                                                          \
    namespace fmt {                                                                                                  \
    inline namespace cpl_lb {
#define FMT_END_NAMESPACE                                                                                            \
    }                                                                                                                \
    }
#if __has_include(<fmt/base.h>) // fmt 11 and later declare format() in their large header only
#include <fmt/format.h>
#else
#include <fmt/core.h>
#endif

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

[[nodiscard]] std::string joined(const std::vector<std::string> &words, std::string_view between);

} // namespace cpl_lb
