// The rows of the table: name, default, limits and description of each setting.
#include "io/settings/settings_table.hpp"

#include "io/settings/namelist.hpp"
#include "io/settings/namelist_scanner.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>

namespace cpl_lb {

namespace {

// Bounds: seconds fit into nanoseconds of 64 bits, MiB into bytes, and all strings together into one broadcast.
constexpr double longest_s = 1e9;
constexpr double latest_s = 9e14;
constexpr double longest_path = 1023;
constexpr double longest_text = 255;

constexpr auto table = std::to_array<Setting>({
    {"ln_lb", "CPL_LB_ENABLED", &Settings::enabled, 0, 1, "record and report"},
    {"ln_timeline", "CPL_LB_TIMELINE", &Settings::timeline, 0, 1,
     "write timeline_<component>.nc; if it is not given, for at most 512 components"},
    {"ln_report", "CPL_LB_REPORT", &Settings::report, 0, 1, "write load_balancing_report.html"},
    {"ln_print", "CPL_LB_PRINT", &Settings::print, 0, 1, "print the summary on standard output at terminate"},
    {"cn_dir", "CPL_LB_DIR", &Settings::directory, 1, longest_path, "folder for the results (made if it is missing)"},
    {"nn_date_first", "CPL_LB_DATE_FIRST", &Settings::date_first_s, 0, latest_s,
     "record from this model date [s] ..."},
    {"nn_date_last", "CPL_LB_DATE_LAST", &Settings::date_last_s, -1, latest_s, "... to this one; -1: to the end"},
    {"nn_max_mb", "CPL_LB_MAX_MB", &Settings::max_MiB, 0, 1 << 24,
     "most memory of the library on each process [MiB]; 0: 512, or 5 % of the least of the memory of the node and "
     "the limit of a control group, each shared by its processes, and ulimit, if that is less"},
    {"rn_timeout", "CPL_LB_TIMEOUT", &Settings::timeout_s, 0, longest_s,
     "longest wait for other processes inside init and terminate [s]"},
    {"rn_analysis", "CPL_LB_ANALYSIS", &Settings::analysis_s, 0, longest_s,
     "most processor time for the analysis at terminate [s]; what is left then is n/a, and a command computes it "
     "later"},
    {"ln_compress", "CPL_LB_COMPRESS", &Settings::compress, 0, 1,
     "compressed timelines (netCDF-4), times rounded to 2^-20 s"},
    {"ln_spool", "CPL_LB_SPOOL", &Settings::spool, 0, 1, "keep the events in files that survive a crash"},
    {"cn_spool_dir", "CPL_LB_SPOOL_DIR", &Settings::spool_directory, 1, longest_path,
     "folder on the node for these files"},
    {"rn_year_days", "CPL_LB_YEAR_DAYS", &Settings::year_days, 1e-3, 1e6, "days in a simulated year"},
    {"nn_cores", "CPL_LB_CORES", &Settings::cores, 0, 1e9,
     "cores of the job; 0: from the batch system, else processes x threads"},
    {"nn_gpus", "CPL_LB_GPUS", &Settings::gpus, -1, 1024,
     "GPUs of each node that the job may use, where neither the driver nor the environment tells; -1: not given"},
    {"ln_rss", "CPL_LB_RSS", &Settings::rss, 0, 1, "memory: resident set and high-water mark"},
    {"ln_energy", "CPL_LB_ENERGY", &Settings::energy, 0, 1,
     "energy, from each meter that works here: RAPL, hwmon, NVML, ROCm SMI, Cray's pm_counters"},
    {"rn_sample", "CPL_LB_SAMPLE", &Settings::sample_s, 0, longest_s,
     "least time between two samples of the meters [s]"},
    {"cn_counters", "CPL_LB_COUNTERS", &Settings::counters, 0, longest_path,
     "PAPI events, comma separated, for regions and the coupling loop"},
    {"cn_submitted", "CPL_LB_SUBMITTED", &Settings::submitted, 0, longest_text,
     "time of submission, ISO 8601 UTC, for ASYPD; '': not known"},
    {"cn_run", "CPL_LB_RUN", &Settings::run, 0, longest_text, "name of the run, in every file; '': a made-up name"},
    {"cn_components", "CPL_LB_COMPONENTS", &Settings::components, 0, longest_path,
     "names of components by ranks of MPI_COMM_WORLD, for cpl-lb-record: 'ocean:0-95,atmosphere:96-127'"},
    {"cn_members", "CPL_LB_MEMBERS", &Settings::members, 0, longest_path,
     "members of ensembles: 'atmosphere_*,ocean_*', 'none'; '': guessed from the names"},
    {"", "CPL_LB_SIMULATED", &Settings::simulated_s, 0, latest_s,
     "simulated seconds, if neither the model nor the coupler gives them; 0: not known"},
    {"", "CPL_LB_SYSFS", &Settings::sysfs_root, 1, longest_path, "another root for /sys"},
    {"", "CPL_LB_PROCFS", &Settings::procfs_root, 1, longest_path, "another root for /proc"},
});

std::string out_of_range(const Setting &setting, std::string_view text) {
    return fmt::format("must be from {:.15g} to {:.15g}: {}", setting.least, setting.most, quoted_for_message(text));
}

std::string read(bool &to, const Setting & /*logicals have no range*/, std::string_view text) {
    const auto value = fortran_logical(text);
    if (!value) return "not a logical: " + quoted_for_message(text);
    to = *value;
    return {};
}

std::string read(std::int64_t &to, const Setting &setting, std::string_view text) {
    const auto value = fortran_integer(text);
    if (!value) return "not an integer: " + quoted_for_message(text);
    const auto in_double = static_cast<double>(*value); // exact: bounds are below 2^53
    if (in_double < setting.least || in_double > setting.most) return out_of_range(setting, text);
    to = *value;
    return {};
}

std::string read(double &to, const Setting &setting, std::string_view text) {
    const auto value = fortran_real(text);
    if (!value) return "not a real number: " + quoted_for_message(text);
    if (*value < setting.least || *value > setting.most) return out_of_range(setting, text);
    to = *value;
    return {};
}

std::string read(std::string &to, const Setting &setting, std::string_view text) {
    while (text.ends_with(' '))
        text.remove_suffix(1); // to Fortran, trailing blanks are nothing
    const auto length = static_cast<double>(text.size());
    if (length < setting.least) return "is empty";
    if (length > setting.most) return fmt::format("longer than {} characters", setting.most);
    const bool control = std::any_of(text.begin(), text.end(),
                                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (control) return "has a control character: " + quoted_for_message(text);
    to = text;
    return {};
}

std::string literal(bool value) {
    return value ? ".true." : ".false.";
}

std::string literal(std::int64_t value) {
    return fmt::format("{}", value);
}

std::string literal(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    std::string text(digits.data(), end); // shortest that reads back as the same number
    if (text.find_first_of(".e") == std::string::npos) text.push_back('.');
    return text;
}

std::string literal(const std::string &value) {
    std::string text = "'";
    for (const char c : value)
        text.append(c == '\'' ? 2 : 1, c);
    return text + "'";
}

} // namespace

std::span<const Setting> settings_table() {
    return table;
}

Settings default_settings_of_namelist() {
    Settings settings;
    settings.enabled = true;
    return settings;
}

std::string assign(Settings &to, const Setting &setting, std::string_view text) {
    return std::visit([&](auto member) { return read(to.*member, setting, text); }, setting.member);
}

std::string fortran_literal(const Settings &settings, const Setting &setting) {
    return std::visit([&](auto member) { return literal(settings.*member); }, setting.member);
}

std::string inconsistency(const Settings &settings, std::string &name) {
    if (settings.date_last_s != -1 && settings.date_last_s < settings.date_first_s) {
        name = "nn_date_last";
        return fmt::format("{} is before nn_date_first = {}", settings.date_last_s, settings.date_first_s);
    }
    if (!settings.submitted.empty() && !unix_seconds_of_iso8601(settings.submitted)) {
        name = "cn_submitted";
        return "not a time like 2026-03-09T14:05:00Z: " + quoted_for_message(settings.submitted);
    }
    return {};
}

} // namespace cpl_lb
