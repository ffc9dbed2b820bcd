// Reads the words of --allowed.
#include "tools/balance/allowed_rules.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utf8.hpp"
#include "tools/command_line.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_count = 1'000'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
    const auto n = cli::number_in<std::int64_t>(text);
    return n && *n >= 1 && *n <= most_count ? n : std::nullopt;
}

// Removes the word from the begin of the text if the text begins with it.
bool take(std::string_view &text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

void add_file(std::vector<std::int64_t> &counts, const std::string &path) {
    std::istringstream lines(read_text_file(path));
    std::size_t number = 0, before = counts.size();
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string_view word = without_blanks(std::string_view(line).substr(0, line.find('#')));
        if (word.empty()) continue;
        const auto count = whole_number(word);
        if (!count)
            throw FileError(path + ":" + std::to_string(number),
                            "not a number of processes: '" + excerpt(word) + "'; write one a line, comments after #");
        counts.push_back(*count);
    }
    if (counts.size() == before) throw FileError(path, "--allowed: there is no count in it");
}

void add_word(AllowedRule &rule, const std::string &word) {
    std::string_view rest = word;
    if (take(rest, "@")) return add_file(rule.counts, std::string(rest));
    if (take(rest, "multiple-of-")) {
        if (const auto factor = whole_number(rest)) return rule.factors.push_back(*factor);
    } else if (const auto count = whole_number(rest)) {
        return rule.counts.push_back(*count);
    }
    throw std::invalid_argument("--allowed: not a number of processes, multiple-of-6 or @FILE: '" + word + "'");
}

std::vector<std::string> words_between_colons(const std::string &text) {
    std::vector<std::string> words;
    std::istringstream all(text + ":");
    for (std::string word; std::getline(all, word, ':');)
        words.push_back(word);
    return words;
}

} // namespace

bool names_components(const std::string &allowed) {
    const std::size_t sign = allowed.find('=');
    const std::string_view before = std::string_view(allowed).substr(0, sign);
    return sign != std::string::npos && !before.starts_with('@') && before.find(":@") == std::string_view::npos;
}

bool AllowedRule::allows(std::int64_t cores) const {
    return std::ranges::binary_search(counts, cores) ||
           std::ranges::any_of(factors, [&](std::int64_t factor) { return cores % factor == 0; });
}

AllowedRules allowed_rules(const std::string &text, const std::vector<std::string> &components) {
    AllowedRules rules;
    if (text.empty()) return rules;
    ComponentWords by_component;
    if (names_components(text))
        by_component = component_words("--allowed", text, "PROCESSES", components);
    else
        for (const std::string &name : components)
            by_component[name] = words_between_colons(text);
    for (const auto &[name, words] : by_component) {
        AllowedRule &rule = rules[name];
        for (const std::string &word : words)
            add_word(rule, word);
        rule.words = joined(words, ":");
        std::ranges::sort(rule.counts);
    }
    return rules;
}

void check_allowed(const std::string &option, const std::string &component, std::int64_t cores,
                   const AllowedRules &rules) {
    const auto rule = rules.find(component);
    if (rule == rules.end() || rule->second.allows(cores)) return;
    throw std::invalid_argument(
        fmt::format("{}: {} cannot have {}, by --allowed: {}", option, component, cores, rule->second.words));
}

std::vector<std::string> not_allowed_now(const std::string &allowed, const BalanceModel &model) {
    std::vector<std::string> sentences;
    if (!model.measured) return sentences;
    for (const auto &[name, rule] : allowed_rules(allowed, model.names)) {
        const std::size_t c = place_in(model.names, name);
        const std::int64_t now = model.measured->processes[c];
        if (rule.allows(now)) continue;
        sentences.push_back(
            say(Sentence::not_allowed_now,
                {{"name", safe_name(name)}, {"cores", counted(now, "core")}, {"allowed", safe_name(rule.words)}}));
    }
    return sentences;
}

} // namespace cpl_lb
