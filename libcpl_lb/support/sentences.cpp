// The table of sentences, made of sentences.inc, and its texts with figures.
#include "support/sentences.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

constexpr std::size_t sentence_count = 0
#define SENTENCE(id, condition, text) +1 // NOLINT(bugprone-macro-parentheses): a sum
#include "support/sentences.inc"
#undef SENTENCE
    ;
// With its size: clang counts at most 256 elements by itself.
constexpr std::array<SentenceRow, sentence_count> all_sentences = {{
#define SENTENCE(id, condition, text) {Sentence::id, #id, condition, text},
#include "support/sentences.inc"
#undef SENTENCE
}};

} // namespace

std::span<const SentenceRow> sentence_table() noexcept {
    return all_sentences;
}

std::string say(Sentence sentence, SentenceFigures figures) {
    std::string_view rest = all_sentences[static_cast<std::size_t>(sentence)].text;
    std::string text;
    for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
        const auto close = rest.find('}', open);
        const std::string_view name = rest.substr(open + 1, close - open - 1);
        const auto *given =
            std::find_if(figures.begin(), figures.end(), [&](const auto &f) { return f.first == name; });
        text += std::string(rest.substr(0, open)) + (given == figures.end() ? "n/a" : given->second);
        rest.remove_prefix(close + 1);
    }
    return text + std::string(rest);
}

} // namespace cpl_lb
