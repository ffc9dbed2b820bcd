// Manual pages from the facts of the commands.
#include "tools/manual/manual_page.hpp"

#include "support/fmt.hpp"

#include <cctype>

namespace cpl_lb {
namespace {

// Text for man(7): no line begins a request, backslashes and hyphens stay what they are.
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

std::string synopsis(const std::string &name, const cli::CommandFacts &command) {
    std::string text = ".B " + roff(name) + "\n[\\fIOPTIONS\\fR]";
    for (const cli::OptionFacts &option : command.options) {
        if (!option.is_positional) continue;
        const std::string word = roff(option.names.front()) + (option.takes_many ? "..." : "");
        text += option.is_required ? fmt::format(" \\fI{}\\fR", word) : fmt::format(" [\\fI{}\\fR]", word);
    }
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
            text += ".SS " + roff(called + " " + part.name) + "\n" + roff(part.description) + "\n.PP\n" +
                    synopsis(called + " " + part.name, part) + options_of(part);
        }
    }
    return text + exit_status + see_also(name, app);
}

} // namespace

std::vector<std::pair<std::string, std::string>> manual_pages(const cli::CommandFacts &app,
                                                              const std::string &version) {
    std::vector<std::pair<std::string, std::string>> pages = {{app.name + ".1", page_of(app, app, version)}};
    for (const cli::CommandFacts &command : app.commands)
        pages.emplace_back(app.name + "-" + command.name + ".1", page_of(app, command, version));
    return pages;
}

} // namespace cpl_lb
