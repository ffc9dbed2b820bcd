// Numbers with a fixed number of decimals, for text that people read.
#pragma once

#include <string>

namespace cpl_lb {

// "12.35"; "n/a" if the number is not finite. From 1e15 on "1.235e+16": its hundreds of digits would mean nothing.
[[nodiscard]] std::string decimal_text(double value, int decimals);
// The same with its sign: "+12.35".
[[nodiscard]] std::string change_text(double value, int decimals);
// "12.35", "1.2e+08": so many digits; "n/a" if the number is not finite.
[[nodiscard]] std::string digits_text(double value, int digits);
// "0.21", "21.3", "1907": three digits, and from 100 on no decimals.
[[nodiscard]] std::string rounded_text(double value);

} // namespace cpl_lb
