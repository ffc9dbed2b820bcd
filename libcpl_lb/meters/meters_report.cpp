// Tries every meter and counter once and tells the outcome of each.
#include "meters/meters_report.hpp"

#include "meters/event_names.hpp"
#include "meters/papi_api.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cpl_lb {
namespace {

constexpr std::string_view usual_events =
    "PAPI_TOT_CYC,PAPI_TOT_INS,PAPI_FP_OPS,PAPI_DP_OPS,PAPI_VEC_DP,PAPI_LD_INS,PAPI_SR_INS,PAPI_L2_TCM,PAPI_L3_TCM,"
    "PAPI_RES_STL,PAPI_BR_MSP,PAPI_TLB_DM,perf::TASK-CLOCK,perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,"
    "perf::CPU-MIGRATIONS";

bool is_virtual_machine(const std::string &procfs_root) {
    std::ifstream cpuinfo(procfs_root + "/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.starts_with("flags") && (line + " ").find(" hypervisor ") != std::string::npos) return true;
    }
    return false;
}

bool has_processor_pmu(const std::string &sysfs_root) {
    std::error_code failed;
    const std::filesystem::directory_iterator devices(sysfs_root + "/bus/event_source/devices", failed);
    if (failed) return false;
    return std::any_of(begin(devices), end(devices), [](const auto &device) {
        const std::string name = device.path().filename().string();
        return name == "cpu" || name.starts_with("cpu_") || name.starts_with("armv");
    });
}

// Opens and reads a reader; the quantities that gave a value.
std::vector<std::string> working_quantities(Reader &reader) {
    std::vector<double> values(reader.quantities().size(), unknown);
    reader.read(values);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_known(values[i])) names.push_back(reader.quantities()[i].name);
    }
    return names;
}

// Events are tried one by one, and what is made of others is not tried again.
bool is_tried(const MeterRow &row) {
    return row.figures != Figures::counters && (row.figures != Figures::energy || !row.part_of.empty());
}

std::vector<MeterStatus> try_meters(const ReaderOptions &options) {
    std::vector<MeterStatus> all;
    for (const MeterRow &row : meter_table()) {
        if (!is_tried(row)) continue;
        const auto reader = row.make(options);
        MeterStatus meter{std::string(row.name), std::string(row.measures), reader->open(), {}};
        if (meter.state.works) meter.quantities = working_quantities(*reader);
        all.push_back(std::move(meter));
    }
    return all;
}

EventStatus try_event(const std::string &name, ReaderOptions options) {
    options.counters = name;
    EventStatus event{.name = name, .explanation = {}, .state = {}, .through = {}};
    std::vector<std::string_view> ways = {"papi", "perf_events"};
    if (happens_in_kernel(name)) std::swap(ways[0], ways[1]);
    for (const std::string_view way : ways) {
        const auto reader = make_reader(way, options);
        const Availability tried = reader->open();
        if (tried.works && !working_quantities(*reader).empty()) {
            event.state = Availability::good();
            event.through = way;
            return event;
        }
        const std::string &why = reader->quantities().empty() ? tried.reason : reader->quantities()[0].why_missing;
        event.state.reason += (event.state.reason.empty() ? "" : "; ") + why;
        if (event.state.remedy.empty()) event.state.remedy = tried.remedy;
    }
    return event;
}

void advise(MetersReport &report) {
    if (report.virtual_machine && !report.processor_pmu) {
        report.advice.emplace_back("This is a virtual machine without hardware counters: ask for a virtual PMU, or "
                                   "count on a physical node. Software events may still work.");
    } else if (!report.processor_pmu) {
        report.advice.emplace_back("The kernel offers no hardware counters of this processor.");
    }
    const auto level = parse_number(report.perf_event_paranoid);
    if (level && *level > 2) {
        report.advice.push_back(
            fmt::format("kernel.perf_event_paranoid is {}: users may not count anything. Ask for 2 (own "
                        "processes in user mode), 1 (also in the kernel) or 0 (also energy).",
                        *level));
    }
    report.advice.emplace_back("A processor has few counters (4 to 10): do not name more events in one run. cpl_lb "
                               "does not count them in turn (multiplexing), because that gives only estimates.");
}

} // namespace

ReaderOptions reader_options_of_environment() {
    const auto root = [](const char *variable, const std::string &otherwise) {
        const char *const value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): before any thread
        return value != nullptr && *value != '\0' ? std::string(value) : otherwise;
    };
    ReaderOptions options;
    options.sysfs_root = root("CPL_LB_SYSFS", options.sysfs_root);
    options.procfs_root = root("CPL_LB_PROCFS", options.procfs_root);
    return options;
}

MetersReport report_meters(const ReaderOptions &options) {
    MetersReport report;
    report.perf_event_paranoid = read_text(options.procfs_root + "/sys/kernel/perf_event_paranoid", options.open_file)
                                     .value_or("not readable");
    report.virtual_machine = is_virtual_machine(options.procfs_root);
    report.processor_pmu = has_processor_pmu(options.sysfs_root);
    PapiApi papi;
    const Availability papi_state = papi.open(options.papi_library);
    report.papi = papi_state.works ? fmt::format("PAPI {} ({}){}", papi.version_text(), papi.library.name(),
                                                 papi.processor_disabled() ? ", off for this processor" : "")
                                   : papi_state.reason;
    Pfm pfm;
    const Availability pfm_state = pfm.open(options.pfm_library);
    report.libpfm4 = pfm_state.works ? "found" : pfm_state.reason;
    report.meters = try_meters(options);
    for (const std::string &name : split_event_names(options.counters.empty() ? usual_events : options.counters)) {
        report.events.push_back(try_event(name, options));
        if (pfm_state.works) report.events.back().explanation = pfm.explain(name);
    }
    advise(report);
    return report;
}

namespace {

// Remedies repeat: each is printed once, and lines refer to it by its number.
class Remedies {
public:
    // " [2]", or nothing if there is no remedy.
    std::string reference(const std::string &remedy) {
        if (remedy.empty()) return {};
        auto found = std::find(all_.begin(), all_.end(), remedy);
        if (found == all_.end()) found = all_.insert(all_.end(), remedy);
        return fmt::format(" [{}]", found - all_.begin() + 1);
    }
    [[nodiscard]] const std::vector<std::string> &all() const { return all_; }

private:
    std::vector<std::string> all_;
};

std::string line(const std::string &name, const Availability &state, const std::string &good, Remedies &remedies) {
    std::string text = state.works ? good : state.reason;
    if (state.works && !state.reason.empty()) text += "; not: " + state.reason;
    return fmt::format("  {:<24} {:<5}  {}{}\n", name, state.works ? "works" : "n/a", text,
                       remedies.reference(state.remedy));
}

} // namespace

std::string meters_text(const MetersReport &report) {
    std::string text = "Machine\n";
    const auto fact = [&](std::string_view name, std::string_view value) {
        text += fmt::format("  {:<24} {}\n", name, value);
    };
    fact("virtual machine", report.virtual_machine ? "yes" : "no sign of one");
    fact("hardware counters", report.processor_pmu ? "offered by the kernel" : "none offered by the kernel");
    fact("perf_event_paranoid", report.perf_event_paranoid);
    fact("PAPI", report.papi);
    fact("libpfm4", report.libpfm4);
    Remedies remedies;
    text += "\nMeters\n";
    for (const MeterStatus &meter : report.meters) {
        text += line(meter.name, meter.state, joined(meter.quantities, ", "), remedies);
    }
    text += "\nEvents for cn_counters\n";
    for (const EventStatus &event : report.events) {
        const std::string good =
            fmt::format("through {}{}{}", event.through, event.explanation.empty() ? "" : ": ", event.explanation);
        text += line(event.name, event.state, good, remedies);
    }
    if (!remedies.all().empty()) text += "\nWhat would help\n";
    for (std::size_t i = 0; i < remedies.all().size(); ++i) {
        text += fmt::format("  [{}] {}\n", i + 1, remedies.all()[i]);
    }
    if (!report.advice.empty()) text += "\nAdvice\n";
    for (const std::string &advice : report.advice)
        text += "  " + advice + "\n";
    return text;
}

} // namespace cpl_lb
