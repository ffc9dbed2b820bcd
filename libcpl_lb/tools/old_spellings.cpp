// The table of old spellings, and how a command line is rewritten by it.
#include "tools/old_spellings.hpp"

#include <algorithm>
#include <sstream>

namespace cpl_lb {

const std::vector<OldSpelling> &old_spellings() {
    static const std::vector<OldSpelling> all = {
        {"tune run", "", "tune", false},
        {"completion", "", "manual completion", false},
        {"cpmip", "--hardware", "cpmip machines", false},
        {"cpmip", "--plan", "cpmip plan", false},
        {"cpmip plan", "--study", "cpmip plan", false},
        {"cpmip plan", "--scaling", "cpmip plan", false},
        {"cpmip plan", "--ensemble", "cpmip plan", false},
        {"cpmip", "--study", "cpmip study", false},
        {"cpmip", "--scaling", "cpmip study", false},
        {"cpmip", "--compare", "cpmip models", false},
        {"cpmip", "--es-doc", "cpmip es-doc", false},
        {"cpmip", "--realm", "cpmip realms", true},
        {"cpmip", "--simulated-per-job", "cpmip jobs", true},
        {"cpmip", "--simulation-jobs", "cpmip jobs", true},
        {"cpmip", "--transfer-jobs", "cpmip jobs", true},
        {"cpmip", "--cpus-per-core", "cpmip jobs", true},
        {"cpmip", "--ensemble", "cpmip jobs", true},
        {"cpmip", "--sacct", "cpmip", true, "--log"},
        {"cpmip", "--autosubmit", "cpmip", true, "--log"},
        {"cpmip", "--machine", "cpmip", true, "--platform machine="},
        {"cpmip", "--chip", "cpmip", true, "--platform chip="},
        {"cpmip", "--machine-cores", "cpmip", true, "--platform cores="},
        {"cpmip", "--clock", "cpmip", true, "--platform clock="},
        {"cpmip", "--flop-per-cycle", "cpmip", true, "--platform flop-per-cycle="},
        {"cpmip", "--platform-energy", "cpmip", true, "--platform energy="},
        {"cpmip", "--platform-core-hours", "cpmip", true, "--platform core-hours="},
        // Other machines.
        {"assert", "--vector-report", "machine vectors", false, {}, true},
        {"assert", "", "machine assert", false},
        {"energy", "--help", "machine", true}, // where all words are
        {"project", "--help", "machine", true},
        {"energy", "--", "machine energy", true},
        {"energy", "--work", "machine joules", false, {}, true},
        {"energy", "", "machine power", false},
        {"project", "--fit", "machine fit", false, {}, true},
        {"project", "--gpu", "machine gpu", false, {}, true},
        {"project", "--queue", "machine queue", false, {}, true},
        {"project", "--workflow", "machine workflow", false, {}, true},
        {"project", "--loops", "machine project", false, {}, true},
        {"project", "", "machine project", false},
        {"roofline", "", "machine roofline", false},
        // A word for each question.
        {"predict", "--kinds", "predict nodes", true},
        {"predict", "--what-if", "predict what-if", false},
        {"predict", "--sequential", "predict layout", true},
        {"predict", "--concurrent", "predict layout", true},
        {"predict", "--faster", "predict changes", true},
        {"predict", "--lag", "predict changes", true},
        {"predict", "--every", "predict changes", true},
        {"predict", "--balanced", "predict changes", true},
        {"predict", "--quiet", "predict changes", true},
        {"predict", "--transfer", "predict changes", true},
        {"predict", "--mapping-at", "predict changes", true},
        {"predict", "--output-every", "predict changes", true},
        {"predict", "--no-output", "predict changes", true},
        {"predict", "--html", "predict changes", true},
        {"predict changes", "--quiet", "predict changes --balanced=*=random", false},
        {"predict changes", "--no-output", "predict changes --output-every=0", false},
        {"predict layout", "--quiet", "predict layout --balanced=*=random", false},
        {"predict layout", "--no-output", "predict layout --output-every=0", false},
        {"balance", "--kinds", "balance nodes", true},
        {"balance", "--layout", "balance table", true},
        {"manager", "--benchmark", "manager benchmark", false},
    };
    return all;
}

namespace {

using Words = std::vector<std::string>;

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

// Where the option stands among the command's own words, which end at --; its end if it is not given.
Words::iterator option_in(Words &words, std::string_view option) {
    const auto own_end = std::find(words.begin(), words.end(), "--");
    if (option == "--") return own_end;
    const auto at = std::find_if(words.begin(), own_end, [option](const std::string &word) {
        return word.starts_with(option) && (word.size() == option.size() || word[option.size()] == '=');
    });
    return at == own_end ? words.end() : at;
}

// "--clock 2.3" and "--clock=2.3" as "--platform clock=2.3", or as "2.3" if no word stands in their place.
void replace_option(Words &words, Words::iterator at, const OldSpelling &old) {
    const std::size_t equals = at->find('=');
    Words now = words_of(old.option_now);
    auto end = at + 1;
    if (equals != std::string::npos)
        now.push_back(at->substr(equals + 1));
    else if (!now.empty() && end != words.end())
        now.push_back(*end++);
    if (now.size() > 1 && now[now.size() - 2].ends_with('=')) {
        now[now.size() - 2] += now.back();
        now.pop_back();
    }
    words.insert(words.erase(at, end), now.begin(), now.end());
}

// A folder that is called as a word is one all the same, if the word stands before it.
bool has_new_word(const Words &words, const Words &command) {
    return std::any_of(old_spellings().begin(), old_spellings().end(), [&](const OldSpelling &old) {
        Words now = words_of(old.now);
        std::erase_if(now, [](const std::string &word) { return word.starts_with("-"); });
        return now.size() > command.size() && begins_with(now, command) && begins_with(words, now);
    });
}

// Takes each of the option's values, and the option, from the words.
Words values_taken(Words &words, std::string_view option) {
    Words values;
    for (auto at = option_in(words, option); at != words.end(); at = option_in(words, option)) {
        auto end = at + 1;
        if (const std::size_t sign = at->find('='); sign != std::string::npos)
            values.push_back(at->substr(sign + 1));
        else
            end = std::find_if(end, words.end(), [](const std::string &word) { return word.starts_with('-'); });
        values.insert(values.end(), at + 1, end);
        words.erase(at, end);
    }
    return values;
}

bool rewrite(Words &words, const OldSpelling &old) {
    const Words command = words_of(old.command);
    Words now = words_of(old.now);
    if (!begins_with(words, command) || (now != command && has_new_word(words, command))) return false;
    if (!old.option.empty()) {
        const auto at = option_in(words, old.option);
        if (at == words.end()) return false;
        if (old.value_leads) {
            const Words values = values_taken(words, old.option);
            now.insert(now.end(), values.begin(), values.end());
        } else if (!old.keeps_option || !old.option_now.empty()) {
            replace_option(words, at, old);
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
    for (std::size_t times = 0; times < most; ++times) {
        if (std::none_of(old_spellings().begin(), old_spellings().end(),
                         [&words](const OldSpelling &old) { return rewrite(words, old); }))
            break;
    }
    return words;
}

} // namespace cpl_lb
