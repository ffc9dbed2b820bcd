// Reads the words of --launch, and puts the text of the forms together.
#include "tools/launch/launch_options.hpp"

#include "io/files/file_handle.hpp"
#include "support/fmt.hpp"
#include "tools/launch/launch_form.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace cpl_lb {
namespace {

bool is_form(const std::string &word) {
    const std::vector<LaunchForm> &forms = launch_forms();
    return std::ranges::any_of(forms, [&](const LaunchForm &form) { return word == form.name; });
}

std::string forms_in_words() {
    std::vector<std::string> words;
    for (const LaunchForm &form : launch_forms())
        words.push_back(std::string(form.name) + " (" + form.what + ")");
    return joined(words, ", ");
}

bool is_a_file(const std::string &word) {
    std::error_code error;
    return std::filesystem::exists(word, error) && !std::filesystem::is_directory(word, error);
}

// A list is split at its commas; the name of a file that there is stays whole.
std::vector<std::string> words_of(const LaunchOptions &options) {
    std::vector<std::string> words;
    for (const std::string &given : options.words) {
        if (is_a_file(given)) {
            words.push_back(given);
            continue;
        }
        std::istringstream list(given + ",");
        for (std::string word; std::getline(list, word, ',');)
            words.push_back(word);
    }
    return words;
}

bool is_wanted(const LaunchForm &form, const std::vector<std::string> &asked) {
    return asked.empty() || std::ranges::find(asked, form.name) != asked.end();
}

// mpirun and srun print the same words if components run in turn.
void add_once(std::string &text, const std::string &lines) {
    if (text.find(lines) == std::string::npos) text += lines;
}

LaunchText forms_text(const LaunchOptions &options, const LaunchPlan &plan) {
    LaunchText all;
    for (const LaunchForm &form : launch_forms()) {
        if (!is_wanted(form, options.forms)) continue;
        const LaunchLines lines = form.lines(plan);
        all.by_form.emplace_back(form.name, lines.text);
        add_once(all.text, lines.text);
        if (lines.text.empty() && !options.forms.empty())
            all.text += fmt::format("# No lines for {}: {}.\n", form.name, lines.why_not);
    }
    return all;
}

} // namespace

void add_launch_option(cli::App &command, LaunchOptions &options) {
    command
        .add_option(
            "--launch,--template", options.words,
            "how the counts are printed: " + forms_in_words() +
                "; or a file of your own, and only its text is printed: in it {ocean}, {ocean.threads}, "
                "{ocean.cores}, {ocean.nodes}, {ocean.first}, {ocean.last}, {ocean.tiles_i}, {ocean.tiles_j}, "
                "{total}, {cores}, {nodes} are filled in; {{ and }} are braces")
        ->delimiter('\n'); // a comma may be one of a file's name: read_words knows
}

void read_words(LaunchOptions &options) {
    for (const std::string &word : words_of(options)) {
        const bool is_there = is_a_file(word);
        if (!is_there && is_form(word)) {
            options.forms.push_back(word);
            continue;
        }
        if (!is_there && word.find_first_of("./") == std::string::npos)
            throw cli::WrongUsage("--launch: neither a form (mpirun, srun) nor a file: '" + word + "'");
        if (!options.pattern.empty()) throw cli::WrongUsage("--template: one file a call");
        options.pattern = word;
    }
    if (!options.pattern.empty() && !options.forms.empty())
        throw cli::WrongUsage(
            "--template is a form of its own: call the command once for it, and once for the others");
}

JsonTree launch_json(const LaunchText &launch) {
    JsonTree all = JsonTree::object();
    for (const auto &[form, lines] : launch.by_form)
        all[form] = lines.empty() ? JsonTree() : JsonTree(lines);
    return all;
}

LaunchText launch_text(const LaunchOptions &options, const LaunchPlan &plan) {
    if (!options.is_template()) return forms_text(options, plan);
    LaunchText result{filled_template(read_text_file(options.pattern), options.pattern, plan), {}};
    result.by_form.emplace_back("template", result.text);
    return result;
}

} // namespace cpl_lb
