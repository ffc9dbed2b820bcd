// Options that several words of cpl-lb cpmip share.
#include "tools/cpmip/cpmip_options.hpp"

#include "analysis/model_rows.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "shipped_models.hpp"
#include "support/fmt.hpp"

#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace cpl_lb {
namespace {

void add_positive(cli::App &command, const char *name, double &value, const char *help) {
    command.add_option(name, value, help)->check(cli::positive());
}

double platform_number(const std::string &fact, const std::string &text) {
    const auto number = cli::number_in<double>(text);
    if (number && std::isfinite(*number) && *number > 0) return *number;
    throw cli::WrongUsage(fmt::format("--platform: {} must be a number, more than 0, not '{}'", fact, text));
}

} // namespace

void add_model_options(cli::App &command, CpmipOptions &o) {
    command.add_option("--name", o.name, "name of the model, instead of the run's");
    add_positive(command, "--resolution", o.resolution, "grid points, if the results do not have them");
    add_positive(command, "--complexity", o.complexity, "prognostic variables, if the results do not have them");
}

void add_mode_option(cli::App &command, CpmipOptions &o) {
    command.add_option("--mode", o.mode, "S: run for speed, T: for throughput")->check(cli::one_of({"S", "T"}));
}

void add_cores_per_node_option(cli::App &command, CpmipOptions &o) {
    command.add_option("--cores-per-node", o.cores_per_node, "cores of a node: allocations are rounded up to nodes")
        ->check(cli::count());
}

void add_platform_option(cli::App &command, CpmipOptions &o) {
    command
        .add_option("--platform", o.platform_facts,
                    "NAME=VALUE, of the whole machine: machine and chip (their names), cores, clock [GHz], "
                    "flop-per-cycle (of a core); for JPSY energy [J] and core-hours, both in the same time")
        ->again();
}

void read_platform(CpmipOptions &o) {
    double cores = unknown;
    const std::array<std::pair<std::string_view, std::string *>, 2> names = {
        {{"machine", &o.platform.machine}, {"chip", &o.platform.chip}}};
    const std::array<std::pair<std::string_view, double *>, 5> numbers = {
        {{"cores", &cores},
         {"clock", &o.platform.clock_GHz},
         {"flop-per-cycle", &o.platform.flop_per_cycle},
         {"energy", &o.platform_J},
         {"core-hours", &o.platform_core_hours}}};
    std::set<std::string> seen;
    for (const std::string &given : o.platform_facts) {
        const std::size_t equals = given.find('=');
        const std::string fact = given.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : given.substr(equals + 1);
        if (value.empty()) throw cli::WrongUsage("--platform: not NAME=VALUE: '" + given + "'");
        if (!seen.insert(fact).second) throw cli::WrongUsage("--platform: " + fact + " is given twice");
        bool is_known_fact = false;
        for (const auto &[name, place] : names) {
            if (name != fact) continue;
            *place = value;
            is_known_fact = true;
        }
        for (const auto &[name, place] : numbers) {
            if (name != fact) continue;
            *place = platform_number(fact, value);
            is_known_fact = true;
        }
        if (!is_known_fact) {
            throw cli::WrongUsage(fmt::format("--platform: there is no '{}', but machine, chip, cores, clock, "
                                              "flop-per-cycle, energy and core-hours",
                                              fact));
        }
    }
    constexpr double most_cores = 1e15; // an int64 holds it
    if (cores < 1 || cores > most_cores || (is_known(cores) && cores != std::floor(cores)))
        throw cli::WrongUsage("--platform: cores must be a whole number, from 1 to 1e15");
    if (is_known(cores)) o.platform.cores = static_cast<std::int64_t>(cores);
    if (is_known(o.platform_J) != is_known(o.platform_core_hours))
        throw cli::WrongUsage("--platform: energy and core-hours need each other");
}

cli::Option *add_log_option(cli::App &command, CpmipOptions &o, const char *what) {
    return command.add_option("--log", o.log_path,
                              std::string(what) + ": the output of Slurm's sacct --parsable2, or the table job_data "
                                                  "of Autosubmit as CSV");
}

void add_job_options(cli::App &command, CpmipOptions &o, cli::Option *log) {
    command.add_option("--simulated-per-job", o.simulated_per_job,
                       "how long each completed job of the log simulated: 1y, 3mo or 30d; if they differ: 1y,1y,6mo");
    command
        .add_option("--simulation-jobs", o.log.simulation_jobs,
                    "names of the jobs that simulate, such as '*_SIM' (default: all; Autosubmit: '*_SIM')")
        ->needs(log);
    command
        .add_option("--cpus-per-core", o.log.cpus_per_core,
                    "CPUs of the log for each core, if the log counts hardware threads")
        ->check(cli::in_range(1.0, 1024.0))
        ->needs(log);
}

std::vector<ModelRow> models_of(const CpmipOptions &o) {
    if (o.models.empty()) return read_model_rows(shipped_models);
    const std::string text = read_text_file(o.models);
    try {
        return read_model_rows(text);
    } catch (const std::invalid_argument &error) {
        throw FileError(o.models, error.what());
    }
}

void add_output_options(cli::App &command, CpmipOptions &o) {
    cli::Option *json = command.add_flag("--json", o.json, "print JSON, for programs");
    command.add_flag("--csv", o.csv, "print rows of table 1")->excludes(json);
}

} // namespace cpl_lb
