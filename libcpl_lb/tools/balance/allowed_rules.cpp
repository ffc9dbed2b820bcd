// Reads the words of --allowed, and splits counts into tiles.
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
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <tuple>

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

// "40" or "any".
std::optional<std::int64_t> most_tiles(std::string_view text) {
    return text == "any" ? std::optional<std::int64_t>{0} : whole_number(text);
}

// "40x25" or "40x25-ratio-2".
std::optional<TileRule> tile_rule(std::string_view text) {
    TileRule rule;
    const std::size_t ratio_at = text.find("-ratio-");
    if (ratio_at != std::string_view::npos) {
        const auto ratio = cli::number_in<double>(text.substr(ratio_at + 7));
        if (!ratio || !std::isfinite(*ratio) || *ratio < 1) return std::nullopt;
        rule.most_ratio = *ratio;
        text = text.substr(0, ratio_at);
    }
    const std::size_t by = text.find('x');
    if (by == std::string_view::npos) return std::nullopt;
    const auto x = most_tiles(text.substr(0, by)), y = most_tiles(text.substr(by + 1));
    if (!x || !y) return std::nullopt;
    rule.most_x = *x;
    rule.most_y = *y;
    return rule;
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
    } else if (take(rest, "tiles-to-")) {
        if (const auto tiles = tile_rule(rest)) return rule.tiles.push_back(*tiles);
    } else if (const auto count = whole_number(rest)) {
        return rule.counts.push_back(*count);
    }
    throw std::invalid_argument("--allowed: not a number of processes, multiple-of-6, tiles-to-40x25, "
                                "tiles-to-40x25-ratio-2 or @FILE: '" +
                                word + "'");
}

} // namespace

std::pair<std::int64_t, std::int64_t> tiles_within(const TileRule &rule, std::int64_t processes) {
    const auto fits = [&](std::int64_t x, std::int64_t y) {
        return (rule.most_x == 0 || x <= rule.most_x) && (rule.most_y == 0 || y <= rule.most_y);
    };
    for (auto small = static_cast<std::int64_t>(std::sqrt(static_cast<double>(processes))) + 1; small > 0; --small) {
        if (processes % small != 0 || small > processes / small) continue;
        const std::int64_t large = processes / small;
        if (rule.most_ratio > 0 && static_cast<double>(large) > rule.most_ratio * static_cast<double>(small)) break;
        if (fits(small, large)) return {small, large};
        if (fits(large, small)) return {large, small};
    }
    return {0, 0};
}

bool AllowedRule::allows(std::int64_t cores, const std::vector<std::int64_t> &threads) const {
    if (std::ranges::binary_search(counts, cores)) return true;
    if (std::ranges::any_of(factors, [&](std::int64_t factor) { return cores % factor == 0; })) return true;
    return std::ranges::any_of(tiles, [&](const TileRule &rule) {
        return std::ranges::all_of(
            threads, [&](std::int64_t t) { return cores % t != 0 || tiles_within(rule, cores / t).first > 0; });
    });
}

AllowedRules allowed_rules(const std::string &text, const std::vector<std::string> &components) {
    AllowedRules rules;
    if (text.empty()) return rules;
    for (const auto &[name, words] : component_words("--allowed", text, "PROCESSES", components)) {
        AllowedRule &rule = rules[name];
        for (const std::string &word : words)
            add_word(rule, word);
        rule.words = joined(words, ":");
        std::ranges::sort(rule.counts);
    }
    return rules;
}

void check_allowed(const std::string &option, const std::string &component, std::int64_t cores,
                   const std::vector<std::int64_t> &threads, const AllowedRules &rules) {
    const auto rule = rules.find(component);
    if (rule == rules.end() || rule->second.allows(cores, threads)) return;
    throw std::invalid_argument(
        fmt::format("{}: {} cannot have {}, by --allowed: {}", option, component, cores, rule->second.words));
}

std::vector<std::int64_t> possible_threads(const BalanceModel &model, std::size_t c) {
    std::vector<std::int64_t> threads;
    if (model.keeps_threads(c)) threads.push_back(model.threads[c]);
    if (c < model.other_threads.size())
        for (const CurveOfThreads &other : model.other_threads[c])
            threads.push_back(other.threads);
    return threads;
}

std::vector<std::string> not_allowed_now(const std::string &allowed, const BalanceModel &model) {
    std::vector<std::string> sentences;
    if (!model.measured) return sentences;
    for (const auto &[name, rule] : allowed_rules(allowed, model.names)) {
        const std::size_t c = place_in(model.names, name);
        const std::int64_t now = model.measured->processes[c];
        if (rule.allows(now, {model.threads[c]})) continue;
        sentences.push_back(
            say(Sentence::not_allowed_now,
                {{"name", safe_name(name)}, {"cores", counted(now, "core")}, {"allowed", safe_name(rule.words)}}));
    }
    return sentences;
}

void enter_tiles(LaunchPlan &plan, const std::string &allowed) {
    const AllowedRules rules = allowed_rules(allowed, plan.names());
    for (LaunchPart &part : plan.parts) {
        const auto rule = rules.find(part.name);
        if (rule == rules.end()) continue;
        for (const TileRule &tiles : rule->second.tiles) {
            if (part.tiles_i > 0) break;
            std::tie(part.tiles_i, part.tiles_j) = tiles_within(tiles, part.processes);
        }
    }
}

} // namespace cpl_lb
