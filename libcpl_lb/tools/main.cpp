// cpl-lb: exit status 0 good, 1 the input is bad (one line on standard error says what and where), 2 wrong usage,
// 3 a threshold that the user gave is crossed.
#include "io/files/output_target.hpp"
#include "parts.hpp"
#include "support/utf8.hpp"
#include "tools/commands.hpp"

#include <cpl_lb/version.h>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr int good = 0, bad_input = 1, wrong_usage = 2, threshold_crossed = 3;

// A file that is opened must not become the standard output that was closed: what is printed would go into it.
void keep_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
}

int run(int argc, char **argv) {
    const std::string version = std::string("cpl-lb " CPL_LB_VERSION "\n") + cpl_lb::parts_of_this_build;
    cpl_lb::cli::App app("Load balance and CPMIP metrics of coupled models", "cpl-lb", version);
    cpl_lb::Commands commands = {
        {"balance", cpl_lb::add_balance_command}, {"check", cpl_lb::add_check_command},
        {"compare", cpl_lb::add_compare_command}, {"counters", cpl_lb::add_counters_command},
        {"cpmip", cpl_lb::add_cpmip_command},     {"export", cpl_lb::add_export_command},
        {"history", cpl_lb::add_history_command}, {"import", cpl_lb::add_import_command},
        {"manager", cpl_lb::add_manager_command}, {"predict", cpl_lb::add_predict_command},
        {"recover", cpl_lb::add_recover_command}, {"summary", cpl_lb::add_summary_command},
        {"tune", cpl_lb::add_tune_command},       {"watch", cpl_lb::add_watch_command},
    };
    cpl_lb::RooflineOptions roofline = nullptr;
    if constexpr (cpl_lb::has_projection) cpl_lb::add_projection_commands(commands, roofline);
    commands["report"] = nullptr;
    for (const auto &[name, add] : commands) {
        if (add != nullptr)
            add(app);
        else
            cpl_lb::add_report_command(app, roofline);
    }
    cpl_lb::add_manual_commands(app);
    try {
        if (const std::string help = app.parse(argc, argv); !help.empty()) cpl_lb::print(help);
    } catch (const cpl_lb::cli::WrongUsage &error) {
        cpl_lb::print_error(std::string(error.what()) + " (see " + app.help_call(argc, argv) + ")");
        return wrong_usage;
    }
    return good;
}

} // namespace

int main(int argc, char **argv) {
    keep_standard_descriptors();
    cpl_lb::wait_for_readers_of_pipes();
    try {
        return run(argc, argv);
    } catch (const cpl_lb::ThresholdCrossed &) {
        return threshold_crossed;
    } catch (const std::bad_alloc &) {
        cpl_lb::print_error("out of memory");
    } catch (const std::exception &error) {
        cpl_lb::print_error(error.what());
    }
    return bad_input;
}
