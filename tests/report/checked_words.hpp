// The words of a run, each sentence evaluated by code of its own.
#pragma once

#include "report/words.hpp"
#include "tests/report/sentence_check.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace cpl_lb::test {

// Fails for each false one, with all words of the run. Gives the words back.
inline std::vector<std::string> checked_words(const CoupledRun &run, std::uint64_t seed) {
    std::vector<std::string> words = plain_words(run);
    std::string all;
    for (const std::string &sentence : words)
        all += sentence + "\n";
    INFO("seed " << seed << "\n" << all);
    for (const std::string &wrong : what_is_false(run, words))
        FAIL_CHECK(wrong);
    return words;
}

} // namespace cpl_lb::test
