// Texts become regular expressions, and what they read is figures by their names.
#include "tests/report/sentence_check.hpp"

#include "support/sentences.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <regex>

namespace cpl_lb::test {
namespace {

struct Pattern {
    std::string id, expression;
    std::vector<std::string> names;     // of its groups
    std::vector<std::string> words{""}; // before, between and after the figures
    int letters = 0;                    // in these

    // Regular expressions are slow, and nearly every text lacks some of the words.
    [[nodiscard]] bool has_words_in(const std::string &text) const {
        if (!text.starts_with(words.front())) return false;
        std::size_t from = 0;
        for (const std::string &some : words) {
            const std::size_t at = text.find(some, from);
            if (at == std::string::npos) return false;
            from = at + some.size();
        }
        return true;
    }
};

// "{slow} is the bottleneck" becomes "(.+?) is the bottleneck".
Pattern pattern_of(const SentenceRow &row) {
    Pattern pattern;
    pattern.id = row.id;
    std::string &text = pattern.expression;
    std::string_view rest = row.text;
    while (!rest.empty()) {
        if (rest.front() == '{') {
            const auto close = rest.find('}');
            pattern.names.emplace_back(rest.substr(1, close - 1));
            pattern.words.emplace_back();
            text += R"(((?:(?!\. ).)*?))"; // within one sentence
            rest.remove_prefix(close + 1);
            continue;
        }
        pattern.words.back() += rest.front();
        pattern.letters += std::isalpha(static_cast<unsigned char>(rest.front())) != 0 ? 1 : 0;
        if (std::string_view(R"(.[]()*+?^$|\)").find(rest.front()) != std::string_view::npos) text += '\\';
        text += rest.front();
        rest.remove_prefix(1);
    }
    // What has no full stop is a line of its own.
    text += row.text.ends_with('.') ? "( .*)?" : "()";
    return pattern;
}

const std::vector<Pattern> &patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made;
        for (const SentenceRow &row : sentence_table())
            if (!row.id.starts_with("part_")) made.push_back(pattern_of(row));
        // A text that fits two of them is the one that says more.
        std::stable_sort(made.begin(), made.end(),
                         [](const Pattern &a, const Pattern &b) { return a.letters > b.letters; });
        return made;
    }();
    return all;
}

bool read_from(const std::string &text, std::vector<ReadSentence> &read) {
    if (text.empty()) return true;
    for (const Pattern &pattern : patterns()) {
        std::smatch match;
        if (!pattern.has_words_in(text) || !std::regex_match(text, match, std::regex(pattern.expression))) continue;
        ReadSentence &one = read.emplace_back();
        one.id = pattern.id;
        for (std::size_t i = 0; i < pattern.names.size(); ++i)
            one.figures.emplace(pattern.names[i], match[i + 1].str());
        const std::string rest = match[match.size() - 1].str();
        if (read_from(rest.empty() ? rest : rest.substr(1), read)) return true;
        read.pop_back();
    }
    return false;
}

} // namespace

std::vector<ReadSentence> read_sentences(const std::string &text) {
    std::vector<ReadSentence> read;
    return read_from(text, read) ? read : std::vector<ReadSentence>();
}

// A little more than rounding, for sums in another order.
bool is_share(const std::string &text, double share) {
    if (!std::isfinite(share)) return text == "an unknown share";
    if (text == "less than 0.1 %") return share < 0.00051;
    const bool whole = text.find('.') == std::string::npos;
    return std::abs(std::stod(text) - 100 * share) <= (whole ? 0.501 : 0.0501);
}

double share_of(const std::string &text) {
    return text == "less than 0.1 %" ? 0 : std::stod(text) / 100;
}

} // namespace cpl_lb::test
