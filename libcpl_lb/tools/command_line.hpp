// The command line as the commands see it. Only command_line.cpp includes CLI11: each file that did so took seven
// seconds to compile and twenty to check.
#pragma once

#include <charconv>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
} // namespace CLI

namespace cpl_lb::cli {

// The user asked for something that is not offered: exit status 2.
class WrongUsage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The number that a word is; nothing if it is none, or more than one.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view word) {
    Number number{};
    const char *const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    return error == std::errc{} && end == last ? std::optional(number) : std::nullopt;
}

// Which values are accepted, with words for the help.
using Check = std::shared_ptr<const CLI::Validator>;
[[nodiscard]] Check count(std::int64_t most = 1'000'000); // a whole number from 1
[[nodiscard]] Check in_range(double least, double most);
[[nodiscard]] Check one_of(const std::vector<std::string> &words);
[[nodiscard]] Check positive();
[[nodiscard]] Check not_negative();

// The text of the help, for manual pages and shells.
struct OptionFacts {
    std::vector<std::string> names; // "-o", "--output"; of a positional argument its name
    std::string value;              // "FILE", "FLOAT:0 OR MORE"; empty: a flag
    std::vector<std::string> words; // the only values, if they are words
    std::string description;
    bool is_positional = false, is_required = false, takes_many = false;
};
struct CommandFacts {
    std::string name, description;
    std::vector<OptionFacts> options;
    std::vector<CommandFacts> commands;
};

// Each returns itself, so that calls can be chained.
class Option {
public:
    explicit Option(CLI::Option *behind) : behind_(behind) {}
    Option *required();
    Option *check(const Check &check);
    Option *
    check(const std::function<std::string(const std::string &)> &wrong); // what is wrong with a word, or nothing
    Option *needs(Option *other);
    Option *excludes(Option *other);
    // Allows several values in one word. They may also be several words: a list ends at an option, and at the name of
    // an existing file or folder.
    Option *delimiter(char between);
    Option *type_name(const std::string &name);
    Option *expected(int values);
    Option *again(); // may be given several times, one value each time

private:
    CLI::Option *behind_;
};

// A command with its options, or cpl-lb itself.
class App {
public:
    App(const std::string &description, const std::string &name, const std::string &version);
    App(const App &) = delete;
    App &operator=(const App &) = delete;
    App(App &&) = delete;
    App &operator=(App &&) = delete;
    ~App();

    // The help of all commands shows the first line of the description; under its heading, if the command has one.
    // A command of a command is a word behind its name: there the command's own options and its callback do not
    // count.
    App *add_subcommand(const std::string &name, const std::string &description);
    void set_heading(const std::string &command, const std::string &heading);
    void set_footer(const std::string &text); // the last lines of the help
    // T: one of those at the end of command_line.cpp.
    template <class T>
    Option *add_option(const std::string &name, T &value, const std::string &description);
    Option *add_flag(const std::string &name, bool &value, const std::string &description);
    App *add_option_group(const std::string &name, const std::string &description); // of options
    void require_option(int options);
    void require_subcommand();                // one of this command's
    void callback(std::function<void()> run); // of the command alone, without one of its own commands
    // The words after -- are a command of the user's own: they come into `words`.
    void take_after_dashes(std::vector<std::string> &words);

    [[nodiscard]] CommandFacts facts() const;

    // The call that prints the help of the command that was named: "cpl-lb import timers --help".
    [[nodiscard]] std::string help_call(const std::vector<std::string> &words) const;

    // Throws WrongUsage if a word of a command does not stand right behind it: "predict RUN what-if". Before old
    // spellings are rewritten, which would take that word for a folder.
    void check_words(const std::vector<std::string> &words) const;

    // Runs the command that the words name (without the program's name). Throws WrongUsage, or what the command
    // throws. Returns the help if it was requested, else an empty text.
    [[nodiscard]] std::string parse(std::vector<std::string> words);

private:
    explicit App(CLI::App *part); // one that is part of another
    App *add_part(CLI::App *part);
    Option *added(CLI::Option *option) { return &options_.emplace_back(option); }
    [[nodiscard]] const App &named_by(const std::vector<std::string> &words) const; // the command, or this
    void take_words(std::vector<std::string> &words) const; // behind --, if it has asked for them

    std::unique_ptr<CLI::App> own_; // of the outermost
    CLI::App *app_;
    std::vector<std::string> *after_dashes_ = nullptr;
    std::deque<Option> options_; // their addresses are handed out
    std::vector<std::unique_ptr<App>> parts_;
};

} // namespace cpl_lb::cli
