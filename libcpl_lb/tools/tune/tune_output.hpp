// The output of cpl-lb tune.
#pragma once

#include "tools/tune/tune_decision.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// "{ocean}" becomes the processes of the ocean, "{dir}" the folder; other braces stay.
[[nodiscard]] std::string filled_in(const std::string &pattern, const NamedCounts &counts, const std::string &folder);

[[nodiscard]] std::string tune_as_text(const TuneDecision &decision, const std::vector<TuneRow> &rows);
[[nodiscard]] std::string tune_as_json(const TuneDecision &decision, const std::vector<TuneRow> &rows);
[[nodiscard]] std::string runs_as_text(const std::vector<TuneRow> &rows);

} // namespace cpl_lb
