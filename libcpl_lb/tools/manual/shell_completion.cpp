// Completion for bash and zsh from the facts of the commands.
#include "support/fmt.hpp"
#include "tools/manual/manual_page.hpp"

namespace cpl_lb {
namespace {

std::string joined_words(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

// All words that can come in the place of a command or an option.
std::vector<std::string> offered(const cli::CommandFacts &command) {
    std::vector<std::string> words;
    for (const cli::CommandFacts &part : command.commands)
        words.push_back(part.name);
    for (const cli::OptionFacts &option : command.options)
        if (!option.is_positional) words.insert(words.end(), option.names.begin(), option.names.end());
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
                            option.words.empty() ? "-" : joined_words(option.words));
    }
    for (const cli::CommandFacts &part : command.commands)
        text += branches_of_values(path + " " + part.name, part);
    return text;
}

std::string branches_of_words(const std::string &path, const cli::CommandFacts &command) {
    std::string text = fmt::format("        '{}') words='{}'{} ;;\n", path, joined_words(offered(command)),
                                   command.commands.empty() ? "" : " parent=yes");
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

std::string zsh_options(const cli::CommandFacts &command) {
    std::string text;
    for (const cli::OptionFacts &option : command.options) {
        const std::string values = option.value.empty()   ? ""
                                   : option.words.empty() ? ":value:_files"
                                                          : ":value:(" + joined_words(option.words) + ")";
        if (option.is_positional) {
            text += fmt::format(" \\\n        '{}:{}:_files'", option.takes_many ? "*" : "",
                                zsh_text(option.names.front()));
            continue;
        }
        for (const std::string &name : option.names)
            text += fmt::format(" \\\n        '{}{}[{}]{}'", option.takes_many ? "*" : "", name,
                                zsh_text(option.description), values);
    }
    return text;
}

std::string zsh_function(const std::string &name, const cli::CommandFacts &command) {
    if (command.commands.empty()) return fmt::format("{}() {{\n    _arguments{}\n}}\n", name, zsh_options(command));
    std::string list, branches, functions;
    for (const cli::CommandFacts &part : command.commands) {
        list += fmt::format("        '{}:{}'\n", part.name, zsh_text(part.description));
        branches += fmt::format("        {0}) {1}_{0} ;;\n", part.name, name);
        functions += zsh_function(name + "_" + part.name, part);
    }
    return functions + fmt::format("{0}() {{\n    local -a commands=(\n{1}    )\n    _arguments -C{2} \\\n"
                                   "        '1:command:->command' '*::argument:->arguments'\n"
                                   "    case $state in\n    command) _describe command commands ;;\n"
                                   "    arguments)\n        case $words[1] in\n{3}        esac ;;\n    esac\n}}\n",
                                   name, list, zsh_options(command), branches);
}

} // namespace

std::string bash_completion(const cli::CommandFacts &app) {
    return fmt::format("# Completion of {0} in bash: source <({0} completion bash)\n"
                       "_cpl_lb() {{\n"
                       "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path={0} "
                       "words='' values=''\n"
                       "    local parent='' i\n"
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
                       "    # Commands where one must come; else options, or with none begun the names of files.\n"
                       "    if [[ $word == -* || -n $parent ]]; then\n"
                       "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
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

} // namespace cpl_lb
