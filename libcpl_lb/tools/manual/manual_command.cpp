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

// Branches of bash's case: the places of commands ("cpl-lb cpmip plan"); after "place:option" the words of the
// option,
// "-" for a file name; of each place its options, and the words that can come in the place of a positional argument.
struct Branches {
    std::string places, values, words;
};

void add_branches(Branches &branches, const std::string &place, const cli::CommandFacts &command) {
    std::vector<std::string> options, below;
    for (const cli::CommandFacts &part : command.commands)
        below.push_back(part.name);
    for (const cli::OptionFacts &option : command.options) {
        if (option.is_positional) {
            below.insert(below.end(), option.words.begin(), option.words.end());
            continue;
        }
        options.insert(options.end(), option.names.begin(), option.names.end());
        const std::string values = option.words.empty() ? "-" : joined(option.words, " ");
        for (const std::string &name : option.names)
            if (!option.value.empty())
                branches.values += fmt::format("        '{}:{}') values='{}' ;;\n", place, name, values);
    }
    branches.places += (branches.places.empty() ? "'" : "|'") + place + "'";
    branches.words +=
        fmt::format("        '{}') flags='{}' below='{}'{} ;;\n", place, joined(options, " "), joined(below, " "),
                    has_positional(command) && !command.commands.empty() ? " files=yes" : "");
    for (const cli::CommandFacts &part : command.commands)
        add_branches(branches, place + " " + part.name, part);
}

// Completes commands, options, words that options take, and file names. Names that zsh gives a meaning are avoided.
std::string bash_completion(const cli::CommandFacts &app) {
    Branches branches;
    add_branches(branches, app.name, app);
    return fmt::format("# Completion of {0} in bash: source <({0} manual completion bash)\n"
                       "_cpl_lb() {{\n"
                       "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} place={0}\n"
                       "    local flags='' below='' values='' files='' i\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        case \"$place ${{COMP_WORDS[i]}}\" in\n"
                       "        {1}) place=\"$place ${{COMP_WORDS[i]}}\" ;;\n"
                       "        *) break ;;\n        esac\n"
                       "    done\n"
                       "    case \"$place:$before\" in\n{2}    esac\n"
                       "    case $place in\n{3}    esac\n"
                       "    if [[ -n $values ]]; then\n"
                       "        [[ $values == - ]] || COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
                       "        return\n"
                       "    fi\n"
                       "    if [[ $word == -* ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
                       "    elif [[ -n $below ]] && ((i == COMP_CWORD)); then\n"
                       "        COMPREPLY=($(compgen -W \"$below\" -- \"$word\"))\n"
                       "        [[ -n $files ]] || return\n"
                       "        compopt -o filenames 2> /dev/null\n"
                       "        local IFS=$'\\n'\n"
                       "        COMPREPLY+=($(compgen -f -- \"$word\"))\n"
                       "    fi\n"
                       "}}\n"
                       "complete -o default -F _cpl_lb {0}\n",
                       app.name, branches.places, branches.values, branches.words);
}

// Zsh has what bash's completion calls, and loads this file when the command is completed for the first time.
std::string zsh_completion(const cli::CommandFacts &app) {
    return fmt::format("#compdef {0}\n# Completion of {0} in zsh: a file _{0} in a folder of $fpath\n"
                       "autoload -U +X bashcompinit && bashcompinit\n{1}_bash_complete -o default -F _cpl_lb\n",
                       app.name, bash_completion(app));
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
