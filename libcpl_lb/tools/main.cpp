// cpl-lb: exit status 0 good, 1 the input is bad (one line on standard error says what and where), 2 wrong usage,
// 3 a threshold that the user gave is crossed.
#include "io/files/output_target.hpp"
#include "parts.hpp"
#include "run/loaded/run_folder.hpp"
#include "support/gone_names.hpp"
#include "support/utf8.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <cpl_lb/version.h>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

constexpr int good = 0, bad_input = 1, wrong_usage = 2, threshold_crossed = 3;

// If standard output was closed, an opened file must not take its number: printed text would go into that file.
void keep_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
}

// In the order of the help: the most common commands first.
struct Heading {
    const char *text;
    std::vector<const char *> commands;
};
const std::vector<Heading> &headings() {
    static const std::vector<Heading> all = {
        {"First", {"summary", "report", "balance", "compare"}},
        {"A run", {"watch", "recover", "import", "export"}},
        {"A faster model", {"predict", "tune", "check", "manager"}},
        {"A table of metrics", {"cpmip"}},
        {"Other machines", {"machine"}},
        {"Here", {"counters", "manual"}},
    };
    return all;
}

void add_commands(cpl_lb::cli::App &app) {
    cpl_lb::Commands commands = {
        {"balance", cpl_lb::add_balance_command}, {"check", cpl_lb::add_check_command},
        {"compare", cpl_lb::add_compare_command}, {"counters", cpl_lb::add_counters_command},
        {"cpmip", cpl_lb::add_cpmip_command},     {"export", cpl_lb::add_export_command},
        {"import", cpl_lb::add_import_command},   {"manager", cpl_lb::add_manager_command},
        {"manual", cpl_lb::add_manual_command},   {"predict", cpl_lb::add_predict_command},
        {"recover", cpl_lb::add_recover_command}, {"summary", cpl_lb::add_summary_command},
        {"tune", cpl_lb::add_tune_command},       {"watch", cpl_lb::add_watch_command},
    };
    cpl_lb::RooflineOptions roofline = nullptr;
    if constexpr (cpl_lb::has_projection) cpl_lb::add_projection_commands(commands, roofline);
    for (const Heading &heading : headings()) {
        for (const std::string name : heading.commands) {
            const auto command = commands.find(name);
            if (name == "report")
                cpl_lb::add_report_command(app, roofline);
            else if (command != commands.end())
                command->second(app);
            else
                continue; // not in this build
            app.set_heading(name, heading.text);
        }
    }
    app.set_footer("cpl-lb help COMMAND tells its options; cpl-lb alone, in a folder with results,\n"
                   "is their summary. Exit status: 0 good, 1 bad input, 2 wrong usage, 3 a threshold\n"
                   "that you gave is crossed.");
}

int run(std::vector<std::string> words) {
    if (!words.empty() && words.front() == "help") { // "help report" is "report --help"
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    const std::vector<std::string> as_given = words;
    words = cpl_lb::new_spelling(std::move(words));
    for (const std::vector<std::string> &spelling : {as_given, words}) {
        if (const std::string gone = cpl_lb::gone_in_command(spelling); !gone.empty()) {
            cpl_lb::print_error(gone);
            return wrong_usage;
        }
    }
    const std::string version = std::string("cpl-lb " CPL_LB_VERSION "\n") + cpl_lb::parts_of_this_build;
    cpl_lb::cli::App app("Load balance and CPMIP metrics of coupled models", "cpl-lb", version);
    add_commands(app);
    if (words.empty() && cpl_lb::holds_results(".")) words = {"summary", "."};
    try {
        app.check_words(as_given);
        if (const std::string help = app.parse(words); !help.empty()) cpl_lb::print(help);
    } catch (const cpl_lb::cli::WrongUsage &error) {
        cpl_lb::print_error(std::string(error.what()) + " (see " + app.help_call(words) + ")");
        return wrong_usage;
    }
    return good;
}

} // namespace

int main(int argc, char **argv) {
    keep_standard_descriptors();
    cpl_lb::wait_for_readers_of_pipes();
    try {
        return run({argv + std::min(argc, 1), argv + argc});
    } catch (const cpl_lb::ThresholdCrossed &) {
        return threshold_crossed;
    } catch (const cpl_lb::EndAs &end) {
        return end.status();
    } catch (const std::bad_alloc &) {
        cpl_lb::print_error("out of memory");
    } catch (const std::exception &error) {
        cpl_lb::print_error(error.what());
    }
    return bad_input;
}
