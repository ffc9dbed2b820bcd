// One list of a type's members, for both ways: to write them and to read them.
#pragma once

#include <concepts>
#include <type_traits>

namespace cpl_lb {

// A list takes its value as const to write it, and as it is to read into it.
template <class T, class Of>
concept Either = std::same_as<std::remove_const_t<T>, Of>;

} // namespace cpl_lb
