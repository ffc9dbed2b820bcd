// The table of old spellings, and how a command line is rewritten by it.
#include "tools/commands.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace cpl_lb {
namespace {

using Words = std::vector<std::string>;

// What becomes of the option.
enum class Option {
    goes,
    stays, // it says more than the new word does
    leads, // its values stand first
};

struct OldSpelling {
    std::string_view command; // its first word or words, as scripts have it
    std::string_view options; // one of these asks the question ("--": a command of the user's own); none: the command
                              // itself has another name
    // The words that stand in place of the command's, and what stands in place of the option: "cpmip --platform
    // clock=", to which its value is joined.
    std::string_view now;
    Option option = Option::goes;
};

// Rows that say more stand first.
constexpr OldSpelling old_spellings[] = {
    {"tune run", "", "tune"},
    {"completion", "", "manual completion"},
    {"cpmip", "--hardware", "cpmip machines"},
    {"cpmip", "--plan", "cpmip plan"},
    {"cpmip plan", "--study --scaling --ensemble", "cpmip plan"},
    {"cpmip", "--study --scaling", "cpmip study"},
    {"cpmip", "--compare", "cpmip models"},
    {"cpmip", "--es-doc", "cpmip es-doc"},
    {"cpmip", "--realm", "cpmip realms", Option::stays},
    {"cpmip", "--simulated-per-job --simulation-jobs --transfer-jobs --cpus-per-core --ensemble", "cpmip jobs",
     Option::stays},
    {"cpmip", "--sacct --autosubmit", "cpmip --log"},
    {"cpmip", "--machine", "cpmip --platform machine="},
    {"cpmip", "--chip", "cpmip --platform chip="},
    {"cpmip", "--machine-cores", "cpmip --platform cores="},
    {"cpmip", "--clock", "cpmip --platform clock="},
    {"cpmip", "--flop-per-cycle", "cpmip --platform flop-per-cycle="},
    {"cpmip", "--platform-energy", "cpmip --platform energy="},
    {"cpmip", "--platform-core-hours", "cpmip --platform core-hours="},
    // Other machines.
    {"assert", "--vector-report", "machine vectors", Option::leads},
    {"assert", "", "machine assert"},
    {"energy", "--help", "machine", Option::stays}, // where all words are
    {"project", "--help", "machine", Option::stays},
    {"energy", "--", "machine energy", Option::stays},
    {"energy", "--work", "machine joules", Option::leads},
    {"energy", "", "machine power"},
    {"project", "--fit", "machine fit", Option::leads},
    {"project", "--gpu", "machine gpu", Option::leads},
    {"project", "--queue", "machine queue", Option::leads},
    {"project", "--workflow", "machine workflow", Option::leads},
    {"project", "--loops", "machine project", Option::leads},
    {"project", "", "machine project"},
    {"roofline", "", "machine roofline"},
    // A word for each question.
    {"predict", "--kinds", "predict nodes", Option::stays},
    {"predict", "--what-if", "predict what-if"},
    {"predict", "--sequential --concurrent", "predict layout", Option::stays},
    {"predict", "--faster --lag --every --balanced --quiet --transfer --mapping-at --output-every --no-output --html",
     "predict changes", Option::stays},
    {"predict changes", "--quiet", "predict changes --balanced=*=random"},
    {"predict changes", "--no-output", "predict changes --output-every=0"},
    {"predict layout", "--quiet", "predict layout --balanced=*=random"},
    {"predict layout", "--no-output", "predict layout --output-every=0"},
    {"balance", "--kinds", "balance nodes", Option::stays},
    {"balance", "--layout", "balance table", Option::stays},
    {"manager", "--benchmark", "manager benchmark"},
};

bool is_option(const std::string &word) {
    return word.starts_with('-');
}

Words words_of(std::string_view text) {
    std::istringstream stream{std::string(text)};
    Words words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

bool begins_with(const Words &words, const Words &first) {
    return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

// A folder that is called as a word is one all the same, if the word stands before it.
bool has_new_word(const Words &words, const Words &command) {
    return std::ranges::any_of(old_spellings, [&](const OldSpelling &old) {
        Words now = words_of(old.now);
        std::erase_if(now, is_option);
        return now.size() > command.size() && begins_with(now, command) && begins_with(words, now);
    });
}

// Where the option stands among the command's own words, which end at --; its end if it is not given. A value behind
// its = becomes a word of its own.
Words::iterator option_in(Words &words, const std::string &option) {
    const auto own_end = std::ranges::find(words, "--");
    if (option == "--") return own_end;
    const auto at = std::find_if(words.begin(), own_end, [&](const std::string &word) {
        return word == option || word.starts_with(option + "=");
    });
    if (at == own_end) return words.end();
    if (*at == option) return at;
    const std::string value = at->substr(option.size() + 1);
    *at = option;
    return words.insert(at + 1, value) - 1;
}

// "--clock 2.3" as "--platform clock=2.3".
void replace_option(Words &words, Words::iterator at, const Words &now) {
    at = words.insert(words.erase(at), now.begin(), now.end()) + static_cast<std::ptrdiff_t>(now.size()) - 1;
    if (!at->ends_with('=') || at + 1 == words.end()) return;
    *at += *(at + 1);
    words.erase(at + 1);
}

// Takes each of the option's values, and the option, from the words.
Words values_taken(Words &words, const std::string &option) {
    Words values;
    for (auto at = option_in(words, option); at != words.end(); at = option_in(words, option)) {
        const auto end = std::find_if(at + 1, words.end(), is_option);
        values.insert(values.end(), at + 1, end);
        words.erase(at, end);
    }
    return values;
}

bool rewrite(Words &words, const OldSpelling &old) {
    const Words command = words_of(old.command);
    Words now = words_of(old.now);
    const auto first_option = std::ranges::find_if(now, is_option);
    const Words option_now(first_option, now.end());
    now.erase(first_option, now.end());
    if (!begins_with(words, command) || (now != command && has_new_word(words, command))) return false;
    if (!old.options.empty()) {
        const Words options = words_of(old.options);
        const auto given = std::ranges::find_if(
            options, [&](const std::string &option) { return option_in(words, option) != words.end(); });
        if (given == options.end()) return false;
        if (!option_now.empty()) {
            replace_option(words, option_in(words, *given), option_now);
        } else if (old.option == Option::leads) {
            const Words values = values_taken(words, *given);
            now.insert(now.end(), values.begin(), values.end());
        } else if (old.option == Option::goes) {
            for (auto at = option_in(words, *given); at != words.end(); at = option_in(words, *given))
                words.erase(at);
        }
    }
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(command.size()));
    words.insert(words.begin(), now.begin(), now.end());
    return true;
}

} // namespace

std::vector<std::string> new_spelling(std::vector<std::string> words) {
    // Each time one option, or the command's name, at most: a table that leads in a circle ends, too.
    const std::size_t most = words.size() + 1;
    for (std::size_t times = 0; times < most; ++times)
        if (std::ranges::none_of(old_spellings, [&](const OldSpelling &old) { return rewrite(words, old); })) break;
    return words;
}

} // namespace cpl_lb
