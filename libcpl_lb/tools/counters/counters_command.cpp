// cpl-lb counters: which meters and counters work on this machine, and what the administrator could enable.
#include "io/json/json_tree.hpp"
#include "meters/meters_report.hpp"
#include "tools/commands.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct CountersOptions {
    std::string events;
    bool json = false;
};

JsonTree state_json(const std::string &name, const Availability &state) {
    return {{"name", name},
            {"works", state.works},
            {"reason", JsonTree::text(state.reason)},
            {"remedy", JsonTree::text(state.remedy)}};
}

std::string meters_json(const MetersReport &report) {
    JsonTree root = {{"virtual_machine", report.virtual_machine},
                     {"hardware_counters", report.processor_pmu},
                     {"perf_event_paranoid", report.perf_event_paranoid},
                     {"papi", report.papi},
                     {"libpfm4", report.libpfm4},
                     {"meters", JsonTree::array()},
                     {"events", JsonTree::array()},
                     {"advice", report.advice}};
    for (const MeterStatus &meter : report.meters) {
        auto row = state_json(meter.name, meter.state);
        row["measures"] = meter.measures;
        row["quantities"] = meter.quantities;
        root["meters"].push_back(std::move(row));
    }
    for (const EventStatus &event : report.events) {
        auto row = state_json(event.name, event.state);
        row["through"] = JsonTree::text(event.through);
        row["explanation"] = JsonTree::text(event.explanation);
        root["events"].push_back(std::move(row));
    }
    // Reasons hold texts of other libraries, in whatever encoding.
    return root.dump(2) + "\n";
}

} // namespace

void add_counters_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "counters",
        "Shows which meters and counters work on this machine\nFor the others, why not and what to ask for.");
    const auto options = std::make_shared<CountersOptions>();
    command->add_option("--events", options->events, "events to try, comma separated, as in cn_counters");
    command->add_flag("--json", options->json, "print JSON, for programs");
    command->callback([options] {
        ReaderOptions reader_options = reader_options_of_environment();
        reader_options.counters = options->events;
        const MetersReport report = report_meters(reader_options);
        print(options->json ? meters_json(report) : meters_text(report));
    });
}

} // namespace cpl_lb
