#include "tools/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <deque>
#include <sstream>

namespace cpl_lb::cli {
namespace {

CLI::Option *option(void *behind) {
    return static_cast<CLI::Option *>(behind);
}

template <class Validator>
Check check_of(const Validator &validator) {
    return Check(std::make_shared<const CLI::Validator>(validator));
}

} // namespace

Check in_range(std::int64_t least, std::int64_t most) {
    return check_of(CLI::Range(least, most));
}
Check in_range(double least, double most) {
    return check_of(CLI::Range(least, most));
}
Check one_of(const std::vector<std::string> &words) {
    return check_of(CLI::IsMember(words));
}
Check positive() {
    return check_of(CLI::PositiveNumber);
}
Check not_negative() {
    return check_of(CLI::NonNegativeNumber);
}

Option *Option::required() {
    option(behind_)->required();
    return this;
}
Option *Option::check(const Check &check) {
    option(behind_)->check(*static_cast<const CLI::Validator *>(check.behind()));
    return this;
}
Option *Option::check(const std::function<std::string(const std::string &)> &wrong) {
    option(behind_)->check(wrong);
    return this;
}
Option *Option::needs(Option *other) {
    option(behind_)->needs(option(other->behind_));
    return this;
}
Option *Option::excludes(Option *other) {
    option(behind_)->excludes(option(other->behind_));
    return this;
}
Option *Option::delimiter(char between) {
    option(behind_)->delimiter(between);
    return this;
}
Option *Option::type_name(const std::string &name) {
    option(behind_)->type_name(name);
    return this;
}
Option *Option::expected(int values) {
    option(behind_)->expected(values);
    return this;
}
Option *Option::again() {
    option(behind_)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return this;
}

struct App::Behind {
    explicit Behind(CLI::App *of_another) : app(of_another) {}
    Behind(const std::string &description, const std::string &name)
        : own(std::make_unique<CLI::App>(description, name)), app(own.get()) {}
    Option *add(CLI::Option *option) { return &options.emplace_back(option); }
    App *add(CLI::App *part) {
        parts.push_back(std::unique_ptr<App>(new App(part)));
        return parts.back().get();
    }

    std::unique_ptr<CLI::App> own; // of the outermost
    CLI::App *app;
    std::deque<Option> options; // their addresses are handed out
    std::vector<std::unique_ptr<App>> parts;
};

App::App(const std::string &description, const std::string &name, const std::string &version)
    : behind_(std::make_unique<Behind>(description, name)) {
    behind_->app->set_version_flag("--version", version);
    behind_->app->require_subcommand(1);
}
App::App(void *behind) : behind_(std::make_unique<Behind>(static_cast<CLI::App *>(behind))) {}
App::~App() = default;

App *App::add_subcommand(const std::string &name, const std::string &description) {
    return behind_->add(behind_->app->add_subcommand(name, description));
}
App *App::add_option_group(const std::string &name, const std::string &description) {
    return behind_->add(behind_->app->add_option_group(name, description));
}
template <class T>
Option *App::add_option(const std::string &name, T &value, const std::string &description) {
    return behind_->add(behind_->app->add_option(name, value, description));
}
Option *App::add_flag(const std::string &name, bool &value, const std::string &description) {
    return behind_->add(behind_->app->add_flag(name, value, description));
}
void App::require_option(int options) {
    behind_->app->require_option(options);
}
void App::callback(std::function<void()> run) {
    behind_->app->callback(std::move(run));
}

std::string App::parse(int argc, char **argv) {
    std::ostringstream text;
    try {
        behind_->app->parse(argc, argv);
    } catch (const CLI::Success &help) {
        behind_->app->exit(help, text, text);
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
