// Lists such as "ocean=96,atmosphere=32": a whole number for each component named.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// Throws std::invalid_argument, one line with the option's name, for anything that is not a list of NAME=N with
// positive whole N, for names that are not among `components`, and for names given twice.
[[nodiscard]] std::map<std::string, std::int64_t> processor_counts(const std::string &option, const std::string &text,
                                                                   const std::vector<std::string> &components);

// The same with lists: "atm=64:128:192".
[[nodiscard]] std::map<std::string, std::vector<std::int64_t>>
processor_lists(const std::string &option, const std::string &text, const std::vector<std::string> &components);

// "8" for all components or "atm=8,ocn=16" for some, as real numbers that are not negative, some of them several with
// ":" between them. By component; empty if nothing is given.
[[nodiscard]] std::vector<std::vector<double>> component_numbers(const std::string &option, const std::string &text,
                                                                 const std::vector<std::string> &components);

} // namespace cpl_lb
