// Why the processes of a component wait for each other: a section of the text, and a sentence of the verdict.
#pragma once

#include "report/text_sections.hpp"

#include <string>

namespace cpl_lb {

// Less than this share of the coupling loop is not worth a sentence.
inline constexpr double imbalance_told_from = 0.05;

// The sentence for the component whose imbalance costs the most core time; empty if that is less of its loop.
[[nodiscard]] std::string imbalance_sentence(const CoupledRun &run);

// The parts, "always the same processes" first: "process 1 is always last (12 %), the rest is random (3 %)".
[[nodiscard]] std::string imbalance_parts_in_words(const Component &component);

// A table of all components, and why a part is missing; empty without a coupling loop.
[[nodiscard]] SectionText imbalance_section(const CoupledRun &run);

} // namespace cpl_lb
