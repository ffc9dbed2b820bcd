// The words of a run, each sentence evaluated by code of its own.
#pragma once

#include "report/words.hpp"
#include "tests/report/sentence_check.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace cpl_lb::test {

// Fails for each false one, also of the remarks, with all words of the run. Gives the words back.
inline std::vector<std::string> checked_words(const CoupledRun &run, std::uint64_t seed) {
    std::vector<std::string> words = plain_words(run);
    std::string all;
    for (const std::string &sentence : words)
        all += sentence + "\n";
    for (const std::string &remark : run.remarks)
        all += "Remark: " + remark + "\n";
    INFO("seed " << seed << "\n" << all);
    for (const std::string &wrong : what_is_false(run, words))
        FAIL_CHECK(wrong);
    for (const std::string &wrong : what_is_false_in_remarks(run))
        FAIL_CHECK(wrong);
    return words;
}

} // namespace cpl_lb::test
