// All sentences that a verdict or an answer can hold, each with its condition: sentences.inc. The texts are made from
// it, and a test reads them back with it (docs/decisions/sentences_in_one_table.md).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cpl_lb {

enum class Sentence : std::uint16_t {
#define SENTENCE(id, condition, text) id,
#include "support/sentences.inc"
#undef SENTENCE
};

struct SentenceRow {
    Sentence is;
    std::string_view id, condition, text;
};
[[nodiscard]] std::span<const SentenceRow> sentence_table() noexcept;

// The figures that replace {name} in the text.
using SentenceFigures = std::initializer_list<std::pair<std::string_view, std::string>>;
// The text with its figures. A figure that is not given becomes "n/a".
[[nodiscard]] std::string say(Sentence sentence, SentenceFigures figures = {});

} // namespace cpl_lb
