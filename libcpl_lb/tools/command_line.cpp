// Calls CLI11; the only file that includes it.
#include "tools/command_line.hpp"

#include "support/fmt.hpp"
#include "support/word_distance.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <type_traits>

namespace cpl_lb::cli {
namespace {

// In our own words: CLI11 prints the largest double, 300 digits, as the other end of a range, and 0.1 as 0.100000.
Check number_check(const std::string &which, const std::string &type, const std::function<bool(double)> &is_good) {
    const auto wrong = [which, is_good](std::string &text) {
        const auto x = number_in<double>(text);
        return x && is_good(*x) ? std::string{} : "must be " + which + ", not '" + text + "'";
    };
    return std::make_shared<const CLI::Validator>(wrong, type);
}

// A script's variable that was not set: no file and no name is meant by it.
std::string empty_value(const std::string &text) {
    return text.empty() ? "its value is empty: give one, or leave the option out" : "";
}

// "inf" and "nan" are numbers for CLI11, and lead to figures that are none.
std::string not_finite(const std::string &text) {
    if (text.empty()) return empty_value(text);
    char *end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    const bool is_number = end == text.c_str() + text.size(); // if not, CLI11 reports it
    return is_number && !std::isfinite(x) ? "must be a finite number, not '" + text + "'" : "";
}

// CLI11 would say of each of these that a subcommand is required. Says which command there is not, and the nearest
// one if it is near.
void check_command(const CLI::App &app, const std::string &name) {
    if (name.empty()) throw WrongUsage("no command was given");
    if (name == "-h" || name == "--help" || name == "--version") return;
    if (name.front() == '-') throw WrongUsage("'" + name + "' is not a command: give a command first");
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
        if (command->get_name() == name) return;
        names.push_back(command->get_name());
    }
    const std::string nearest = nearest_word(name, names);
    throw WrongUsage("there is no command '" + name + "'" +
                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

bool exists(const std::string &path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

std::vector<const CLI::App *> words_below(const CLI::App &command) {
    return command.get_subcommands([](const CLI::App *part) { return !part->get_name().empty(); });
}

const CLI::App *named_in(const std::vector<const CLI::App *> &parts, const std::string &name) {
    const auto part = std::ranges::find_if(parts, [&](const CLI::App *p) { return p->get_name() == name; });
    return part == parts.end() ? nullptr : *part;
}

// Whether what follows this word is its value, for the command or one of its words.
bool takes_next(const CLI::App &command, const std::string &word) {
    if (!word.starts_with('-')) return false;
    std::vector<const CLI::App *> all = words_below(command);
    all.push_back(&command);
    return std::ranges::any_of(all, [&](const CLI::App *app) {
        const CLI::Option *option = app->get_option_no_throw(word);
        return option != nullptr && option->get_expected_max() > 0;
    });
}

// A command's words stand right behind it: "predict RUN layout" are two folders, if there is a folder "layout".
void check_place_of_words(const CLI::App &command, const std::vector<std::string> &words) {
    const std::vector<const CLI::App *> parts = words_below(command);
    if (parts.empty() || words.size() < 2 || named_in(parts, words[1]) != nullptr) return;
    const auto own_end = std::ranges::find(words, "--");
    for (auto at = words.begin() + 2; at < own_end; ++at) {
        if (named_in(parts, *at) == nullptr || takes_next(command, *(at - 1)) || exists(*at)) continue;
        throw WrongUsage("'" + *at + "' must stand right behind " + command.get_name() + ": cpl-lb " +
                         command.get_name() + " " + *at);
    }
    if (words[1].starts_with('-') || command.get_option_no_throw("DIR") == nullptr || exists(words[1])) return;
    std::vector<std::string> names;
    names.reserve(parts.size());
    for (const CLI::App *part : parts)
        names.push_back(part->get_name());
    const std::string nearest = nearest_word(words[1], names);
    if (!nearest.empty())
        throw WrongUsage("there is no folder '" + words[1] + "'; did you mean cpl-lb " + command.get_name() + " " +
                         nearest + "?");
}

// The words of "{perfetto,otf2,csv}"; none if the text is no such list.
std::vector<std::string> words_of(const std::string &type) {
    const std::size_t open = type.find('{'), close = type.rfind('}');
    std::vector<std::string> words;
    if (open == std::string::npos || close == std::string::npos || close < open) return words;
    std::istringstream list(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(list, word, ',');)
        words.push_back(word);
    return words;
}

OptionFacts facts_of(const CLI::Option &option) {
    OptionFacts facts;
    facts.is_positional = option.get_positional();
    if (facts.is_positional) facts.names.push_back(option.get_name(true));
    for (const std::string &name : option.get_snames())
        facts.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames())
        facts.names.push_back("--" + name);
    if (option.get_type_size() != 0) facts.value = option.get_type_name();
    facts.words = words_of(facts.value);
    facts.description = option.get_description();
    facts.is_required = option.get_required();
    facts.takes_many = option.get_expected_max() > 1 || option.get_delimiter() != '\0';
    return facts;
}

CommandFacts facts_of(const CLI::App &app) {
    CommandFacts facts{app.get_name(), app.get_description(), {}, {}};
    for (const CLI::Option *option : app.get_options([](const CLI::Option *) { return true; }))
        facts.options.push_back(facts_of(*option));
    for (const CLI::App *part : app.get_subcommands([](const CLI::App *) { return true; })) {
        if (!part->get_name().empty()) {
            facts.commands.push_back(facts_of(*part));
            continue;
        }
        // A group of options of this command.
        const CommandFacts group = facts_of(*part);
        facts.options.insert(facts.options.end(), group.options.begin(), group.options.end());
    }
    return facts;
}

// All commands on one screen: of each the first line.
class ShortList : public CLI::Formatter {
public:
    std::string make_subcommand(const CLI::App *command) const override {
        const std::string description = command->get_description();
        return fmt::format("  {:<12}{}\n", command->get_name(), description.substr(0, description.find('\n')));
    }
};

bool is_part_of_list(const std::string &word) {
    return !word.empty() && word.front() != '-' && !exists(word);
}

// "--without ice ioserver DIR" as "--without=ice,ioserver DIR": CLI11 would take the folder, too.
std::vector<std::string> lists_in_one_word(const CLI::App &app, const std::vector<std::string> &words) {
    const CLI::App *command = &app;
    std::size_t depth = 0; // words that name it
    std::vector<std::string> joined;
    joined.reserve(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (words[k] == "--") { // a command of the user's own
            joined.insert(joined.end(), words.begin() + static_cast<std::ptrdiff_t>(k), words.end());
            break;
        }
        joined.push_back(words[k]);
        if (const CLI::App *named = named_in(words_below(*command), words[k]); named != nullptr && k == depth) {
            command = named;
            ++depth;
        }
        const bool is_option = words[k].rfind("--", 0) == 0 && words[k].size() > 2;
        const CLI::Option *option = is_option ? command->get_option_no_throw(words[k]) : nullptr;
        if (option == nullptr || option->get_delimiter() == '\0' || k + 1 == words.size()) continue;
        if (words[k + 1].rfind("--", 0) == 0) throw WrongUsage(words[k] + ": its value is missing");
        joined.back() += "=" + words[++k];
        for (; k + 1 < words.size() && is_part_of_list(words[k + 1]); ++k)
            joined.back() += option->get_delimiter() + words[k + 1];
    }
    return joined;
}

} // namespace

Check count(std::int64_t most) {
    return std::make_shared<const CLI::Range>(std::int64_t{1}, most);
}
Check in_range(double least, double most) {
    const std::string range = fmt::format("{:g} to {:g}", least, most);
    return number_check(range, range, [=](double x) { return x >= least && x <= most; });
}
Check one_of(const std::vector<std::string> &words) {
    return std::make_shared<const CLI::IsMember>(words);
}
Check positive() {
    return number_check("more than 0", "MORE THAN 0", [](double x) { return x > 0; });
}
Check not_negative() {
    return number_check("0 or more", "0 OR MORE", [](double x) { return x >= 0; });
}

Option *Option::required() {
    behind_->required();
    return this;
}
Option *Option::check(const Check &check) {
    behind_->check(*check);
    return this;
}
Option *Option::check(const std::function<std::string(const std::string &)> &wrong) {
    behind_->check(wrong);
    return this;
}
Option *Option::needs(Option *other) {
    behind_->needs(other->behind_);
    return this;
}
Option *Option::excludes(Option *other) {
    behind_->excludes(other->behind_);
    return this;
}
Option *Option::delimiter(char between) {
    behind_->delimiter(between);
    return again();
}
Option *Option::type_name(const std::string &name) {
    behind_->type_name(name);
    return this;
}
Option *Option::expected(int values) {
    behind_->expected(values);
    return this;
}
Option *Option::again() {
    behind_->expected(1)->allow_extra_args(false);
    behind_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return this;
}

App::App(const std::string &description, const std::string &name, const std::string &version)
    : own_(std::make_unique<CLI::App>(description, name)), app_(own_.get()) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
    app_->formatter(std::make_shared<ShortList>());
}
App::App(CLI::App *part) : app_(part) {}
App::~App() = default;

App *App::add_part(CLI::App *part) {
    return parts_.emplace_back(std::unique_ptr<App>(new App(part))).get();
}
App *App::add_subcommand(const std::string &name, const std::string &description) {
    // One word at most: behind it, a folder that is called as another one is a folder.
    if (app_->get_require_subcommand_min() == 0) app_->require_subcommand(0, 1);
    return add_part(app_->add_subcommand(name, description));
}
void App::set_heading(const std::string &command, const std::string &heading) {
    app_->get_subcommand(command)->group(heading);
}
void App::set_footer(const std::string &text) {
    app_->footer(text);
}
App *App::add_option_group(const std::string &name, const std::string &description) {
    return add_part(app_->add_option_group(name, description));
}
template <class T>
Option *App::add_option(const std::string &name, T &value, const std::string &description) {
    CLI::Option *option = app_->add_option(name, value, description);
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::vector<double>>)
        option->check(not_finite);
    else
        option->check(empty_value);
    return added(option);
}
Option *App::add_flag(const std::string &name, bool &value, const std::string &description) {
    return added(app_->add_flag(name, value, description));
}
void App::require_option(int options) {
    app_->require_option(options);
}
void App::require_subcommand() {
    app_->require_subcommand(1);
}
void App::callback(std::function<void()> run) {
    app_->callback([app = app_, run = std::move(run)] {
        if (app->get_subcommands().empty()) run(); // else the word below it has answered
    });
}

void App::take_after_dashes(std::vector<std::string> &words) {
    after_dashes_ = &words;
}

void App::take_words(std::vector<std::string> &words) const {
    const auto dashes = std::ranges::find(words, "--");
    if (after_dashes_ == nullptr || dashes == words.end()) return;
    after_dashes_->assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
    if (after_dashes_->empty()) throw WrongUsage("no command after --");
}

const App &App::named_by(const std::vector<std::string> &words) const {
    const App *named = this;
    for (const std::string &word : words) {
        const auto part = std::ranges::find_if(
            named->parts_, [&word](const std::unique_ptr<App> &p) { return p->app_->get_name() == word; });
        if (part == named->parts_.end()) break;
        named = part->get();
    }
    return *named;
}

CommandFacts App::facts() const {
    return facts_of(*app_);
}

std::string App::help_call(const std::vector<std::string> &words) const {
    std::string call = "--help";
    for (const CLI::App *named = named_by(words).app_; named != nullptr; named = named->get_parent())
        call = named->get_name() + " " + call;
    return call;
}

namespace {

// Beside a word the command itself needs nothing.
void choose_word(CLI::App &command, const std::vector<std::string> &words) {
    const auto parts = command.get_subcommands([](const CLI::App *part) { return !part->get_name().empty(); });
    const auto is_word = [&](const CLI::App *part) { return words.size() > 1 && part->check_name(words[1]); };
    const bool asks_for_help = std::ranges::any_of(words, [](const auto &w) { return w == "--help" || w == "-h"; });
    if (std::ranges::any_of(parts, is_word)) {
        for (CLI::Option *option : command.get_options())
            option->required(false);
        command.require_subcommand(1);
    } else if (!asks_for_help) {
        for (CLI::App *part : parts) // folders may be called so
            part->disabled();
    }
}

} // namespace

void App::check_words(const std::vector<std::string> &words) const {
    if (words.empty()) return;
    if (const CLI::App *command = named_in(words_below(*app_), words[0])) check_place_of_words(*command, words);
}

std::string App::parse(std::vector<std::string> words) {
    const std::string first = words.empty() ? "" : words.front();
    check_command(*app_, first);
    for (CLI::App *command : app_->get_subcommands([](const CLI::App *) { return true; })) {
        if (!command->check_name(first)) continue;
        if (command->get_require_subcommand_min() > 0)
            check_command(*command, words.size() > 1 ? words[1] : "");
        else
            choose_word(*command, words);
    }
    named_by(words).take_words(words);
    words = lists_in_one_word(*app_, words);
    std::ranges::reverse(words); // as CLI11 takes them
    std::ostringstream text;
    try {
        app_->parse(std::move(words));
    } catch (const CLI::Success &help) {
        app_->exit(help, text, text);
    } catch (const CLI::ParseError &error) {
        throw WrongUsage(error.what());
    }
    return text.str();
}

template Option *App::add_option(const std::string &, std::string &, const std::string &);
template Option *App::add_option(const std::string &, double &, const std::string &);
template Option *App::add_option(const std::string &, std::int64_t &, const std::string &);
template Option *App::add_option(const std::string &, std::vector<std::string> &, const std::string &);
template Option *App::add_option(const std::string &, std::vector<double> &, const std::string &);
template Option *App::add_option(const std::string &, std::vector<std::int64_t> &, const std::string &);

} // namespace cpl_lb::cli
