// Works out whether the sentences of cpl-lb predict with changes are true, from the figures of the same answer.
#pragma once

#include "tests/json.hpp"
#include "tests/report/sentence_check.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb::test {

// Nothing for a sentence that is about no changes.
[[nodiscard]] std::optional<std::vector<std::string>> what_is_false_in_what_if(const ReadSentence &sentence,
                                                                               const nlohmann::json &answer);

} // namespace cpl_lb::test
