// cpl-lb manual and cpl-lb manual completion: the commands' help for man and for shells.
#include "io/files/result_file.hpp"
#include "support/fmt.hpp"
#include "tools/command_line.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <cctype>
#include <cpl_lb/version.h>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

// Text for man(7): no line starts a request, and backslashes and hyphens are kept.
std::string roff(const std::string &text) {
    std::string safe;
    bool at_begin = true;
    for (const char c : text) {
        if (at_begin && (c == '.' || c == '\'')) safe += "\\&";
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else
            safe += c;
        at_begin = c == '\n';
    }
    return safe;
}

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

std::string upper(std::string text) {
    for (char &c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string option_text(const cli::OptionFacts &option) {
    std::string names;
    for (const std::string &name : option.names)
        names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff(name));
    const bool has_value = !option.value.empty() && !option.is_positional;
    const std::string value = has_value ? " \\fI" + roff(option.value) + "\\fR" : "";
    const std::string many = option.takes_many ? " ..." : "";
    return ".TP\n" + names + value + many + "\n" + roff(option.description) + "\n";
}

bool has_positional(const cli::CommandFacts &command) {
    return std::ranges::any_of(command.options, &cli::OptionFacts::is_positional);
}

std::string synopsis(const std::string &name, const cli::CommandFacts &command) {
    std::string text = ".B " + roff(name) + "\n[\\fIOPTIONS\\fR]";
    for (const cli::OptionFacts &option : command.options) {
        if (!option.is_positional) continue;
        const std::string word = roff(option.names.front()) + (option.takes_many ? "..." : "");
        text += option.is_required ? fmt::format(" \\fI{}\\fR", word) : fmt::format(" [\\fI{}\\fR]", word);
    }
    // It answers itself, or a command below it does.
    if (!command.commands.empty() && has_positional(command)) text += "\n.br\n.B " + roff(name) + "\n";
    return text + (command.commands.empty() ? "\n" : " \\fICOMMAND\\fR\n");
}

std::string options_of(const cli::CommandFacts &command) {
    std::string text;
    for (const cli::OptionFacts &option : command.options)
        text += option_text(option);
    return text;
}

std::string head(const std::string &name, const std::string &description, const std::string &version) {
    return fmt::format(".TH {} 1 \"\" \"cpl_lb {}\" \"cpl_lb\"\n.ad l\n.SH NAME\n{} \\- {}\n", upper(name), version,
                       roff(name), roff(first_line(description)));
}

const char *const exit_status = ".SH EXIT STATUS\n"
                                ".TP\n.B 0\nAll is well.\n"
                                ".TP\n.B 1\nThe input is bad: one line on standard error says what and where.\n"
                                ".TP\n.B 2\nThe command line is wrong.\n"
                                ".TP\n.B 3\nA threshold that was given is crossed, or there is nothing more to do.\n";

std::string see_also(const std::string &own, const cli::CommandFacts &app) {
    std::string text = ".SH SEE ALSO\n";
    std::string names = own == app.name ? "" : fmt::format(".BR {} (1)", roff(app.name));
    for (const cli::CommandFacts &command : app.commands) {
        const std::string name = app.name + "-" + command.name;
        if (name != own) names += (names.empty() ? "" : " ,\n") + fmt::format(".BR {} (1)", roff(name));
    }
    return text + names +
           "\n.PP\nDefinitions of all figures, and a page for each command: the folder docs that is "
           "installed with cpl_lb.\n";
}

std::string section_of(const std::string &called, const cli::CommandFacts &command) {
    std::string text = ".SS " + roff(called) + "\n" + roff(command.description) + "\n.PP\n" +
                       synopsis(called, command) + options_of(command);
    for (const cli::CommandFacts &part : command.commands)
        text += section_of(called + " " + part.name, part);
    return text;
}

std::string page_of(const cli::CommandFacts &app, const cli::CommandFacts &command, const std::string &version) {
    const bool is_whole = &app == &command;
    const std::string name = is_whole ? app.name : app.name + "-" + command.name;
    const std::string called = is_whole ? app.name : app.name + " " + command.name;
    std::string text = head(name, command.description, version) + ".SH SYNOPSIS\n" + synopsis(called, command);
    text += ".SH DESCRIPTION\n" + roff(command.description) + "\n.SH OPTIONS\n" + options_of(command);
    if (!command.commands.empty()) text += ".SH COMMANDS\n";
    for (const cli::CommandFacts &part : command.commands) {
        if (is_whole) {
            text += fmt::format(".TP\n.BR {}\\-{} (1)\n{}\n", roff(app.name), roff(part.name),
                                roff(first_line(part.description)));
        } else {
            text += section_of(called + " " + part.name, part);
        }
    }
    return text + exit_status + see_also(name, app);
}

// Pages of section 1 in the macros man(7): of the whole, and of each command with its own commands in it. File name
// ("cpl-lb-compare.1") and text.
std::vector<std::pair<std::string, std::string>> manual_pages(const cli::CommandFacts &app,
                                                              const std::string &version) {
    std::vector<std::pair<std::string, std::string>> pages = {{app.name + ".1", page_of(app, app, version)}};
    for (const cli::CommandFacts &command : app.commands)
        pages.emplace_back(app.name + "-" + command.name + ".1", page_of(app, command, version));
    return pages;
}

// Names of its options.
std::vector<std::string> option_names(const cli::CommandFacts &command) {
    std::vector<std::string> words;
    for (const cli::OptionFacts &option : command.options)
        if (!option.is_positional) words.insert(words.end(), option.names.begin(), option.names.end());
    return words;
}

// The words that can come in the place of a positional argument: commands below it, and words that it takes.
std::vector<std::string> words_below(const cli::CommandFacts &command) {
    std::vector<std::string> words;
    for (const cli::CommandFacts &part : command.commands)
        words.push_back(part.name);
    for (const cli::OptionFacts &option : command.options)
        if (option.is_positional) words.insert(words.end(), option.words.begin(), option.words.end());
    return words;
}

// Branches of bash's case: after "command:option" the words of the option, "-" for a file name.
std::string branches_of_values(const std::string &path, const cli::CommandFacts &command) {
    std::string text;
    for (const cli::OptionFacts &option : command.options) {
        if (option.is_positional || option.value.empty()) continue;
        std::string patterns;
        for (const std::string &name : option.names)
            patterns += (patterns.empty() ? "" : "|") + fmt::format("'{}:{}'", path, name);
        text += fmt::format("        {}) values='{}' ;;\n", patterns,
                            option.words.empty() ? "-" : joined(option.words, " "));
    }
    for (const cli::CommandFacts &part : command.commands)
        text += branches_of_values(path + " " + part.name, part);
    return text;
}

std::string branches_of_words(const std::string &path, const cli::CommandFacts &command) {
    std::string text = fmt::format("        '{}') options='{}' words='{}'{} ;;\n", path,
                                   joined(option_names(command), " "), joined(words_below(command), " "),
                                   has_positional(command) && !command.commands.empty() ? " files=yes" : "");
    for (const cli::CommandFacts &part : command.commands)
        text += branches_of_words(path + " " + part.name, part);
    return text;
}

std::string paths_of(const std::string &path, const cli::CommandFacts &command) {
    std::string text;
    for (const cli::CommandFacts &part : command.commands) {
        const std::string own = path + " " + part.name;
        text += (text.empty() ? "'" : "|'") + own + "'";
        if (!part.commands.empty()) text += "|" + paths_of(own, part);
    }
    return text;
}

// Text inside '...' of a shell, for zsh's own syntax: "]" and ":" would end the parts.
std::string zsh_text(const std::string &text) {
    std::string safe;
    for (const char c : text.substr(0, text.find('\n'))) {
        if (c == '\'')
            safe += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            safe += std::string("\\") + c;
        else
            safe += c;
    }
    return safe;
}

std::string zsh_options(const cli::CommandFacts &command, bool with_positional) {
    std::string text;
    for (const cli::OptionFacts &option : command.options) {
        const std::string values = option.words.empty() ? "_files" : "(" + joined(option.words, " ") + ")";
        if (option.is_positional) {
            if (with_positional) {
                text += fmt::format(" \\\n        '{}:{}:{}'", option.takes_many ? "*" : "",
                                    zsh_text(option.names.front()), values);
            }
            continue;
        }
        for (const std::string &name : option.names)
            text += fmt::format(" \\\n        '{}{}[{}]{}'", option.takes_many ? "*" : "", name,
                                zsh_text(option.description), option.value.empty() ? "" : ":value:" + values);
    }
    return text;
}

std::string zsh_function(const std::string &name, const cli::CommandFacts &command) {
    if (command.commands.empty())
        return fmt::format("{}() {{\n    _arguments{}\n}}\n", name, zsh_options(command, true));
    std::string list, branches, functions;
    for (const cli::CommandFacts &part : command.commands) {
        list += fmt::format("        '{}:{}'\n", part.name, zsh_text(part.description));
        branches += fmt::format("        {0}) {1}_{0} ;;\n", part.name, name);
        functions += zsh_function(name + "_" + part.name, part);
    }
    const bool has_files = has_positional(command);
    if (has_files) branches += fmt::format("        *) _arguments{} ;;\n", zsh_options(command, true));
    return functions + fmt::format("{0}() {{\n    local -a commands=(\n{1}    )\n    _arguments -C{2} \\\n"
                                   "        '1:command:->command' '*::argument:->arguments'\n"
                                   "    case $state in\n    command) _describe command commands{4} ;;\n"
                                   "    arguments)\n        case $words[1] in\n{3}        esac ;;\n    esac\n}}\n",
                                   name, list, zsh_options(command, false), branches, has_files ? "; _files" : "");
}

// Scripts that complete commands, options, words that options take, and file names.
std::string bash_completion(const cli::CommandFacts &app) {
    return fmt::format("# Completion of {0} in bash: source <({0} manual completion bash)\n"
                       "_cpl_lb() {{\n"
                       "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path={0} "
                       "options='' words=''\n"
                       "    local values='' files='' i\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        case \"$path ${{COMP_WORDS[i]}}\" in\n"
                       "        {1}) path=\"$path ${{COMP_WORDS[i]}}\" ;;\n        esac\n"
                       "    done\n"
                       "    case \"$path:$before\" in\n{2}    esac\n"
                       "    case $path in\n{3}    esac\n"
                       "    if [[ -n $values ]]; then\n"
                       "        [[ $values == - ]] || COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
                       "        return\n"
                       "    fi\n"
                       "    if [[ $word == -* ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                       "    elif [[ -n $words ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                       "        [[ -n $files ]] || return\n"
                       "        compopt -o filenames 2> /dev/null\n"
                       "        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- \"$word\")\n"
                       "    fi\n"
                       "}}\n"
                       "complete -o default -F _cpl_lb {0}\n",
                       app.name, paths_of(app.name, app), branches_of_values(app.name, app),
                       branches_of_words(app.name, app));
}

std::string zsh_completion(const cli::CommandFacts &app) {
    return fmt::format("#compdef {0}\n# Completion of {0} in zsh: a file _{0} in a folder of $fpath\n", app.name) +
           zsh_function("_cpl_lb", app) + "_cpl_lb \"$@\"\n";
}

void write_pages(const cli::CommandFacts &facts, const std::string &folder) {
    std::filesystem::create_directories(folder);
    for (const auto &[name, text] : manual_pages(facts, CPL_LB_VERSION))
        write_result_file((std::filesystem::path(folder) / name).string(), text);
}

} // namespace

void add_manual_command(cli::App &app) {
    cli::App *manual = app.add_subcommand("manual", "Writes manual pages, or prints the completion for a shell");
    const auto folder = std::make_shared<std::string>();
    manual->add_option("FOLDER", *folder, "folder to write one page for each command to; made if it is missing");
    manual->callback([folder, &app] {
        if (folder->empty()) throw cli::WrongUsage("FOLDER is required");
        write_pages(app.facts(), *folder);
    });
    cli::App *completion = manual->add_subcommand(
        "completion", "Prints the completion for a shell\nsource <(cpl-lb manual completion bash)");
    const auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "bash or zsh")->required()->check(cli::one_of({"bash", "zsh"}));
    completion->callback(
        [shell, &app] { print(*shell == "bash" ? bash_completion(app.facts()) : zsh_completion(app.facts())); });
}

} // namespace cpl_lb
