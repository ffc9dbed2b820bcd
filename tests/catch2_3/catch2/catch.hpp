// Catch2 3 under the one name and with the words of Catch2 2, in which the tests are written. Only where cmake found
// Catch2 3.
#ifndef CPL_LB_TESTS_CATCH_HPP
#define CPL_LB_TESTS_CATCH_HPP
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using Catch::Approx;

namespace Catch {
using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Matches;
using Matchers::StartsWith;

inline Matchers::StringContainsMatcher Contains(std::string const &part) {
    return Matchers::ContainsSubstring(part);
}
} // namespace Catch
#endif
