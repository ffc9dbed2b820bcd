// cpl-lb machine roofline: what the machine allows each region to do, and how much of that it does; as text, json, a
// picture and for the page of a run.

#include "data/coupled_run.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "page/page.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/roofline/roofline.hpp"
#include "projection/tools/projection_commands.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

std::string roofline_json(const Roofline &roofline) {
    JsonTree root = {{"machine", roofline.machine},
                     {"threads", roofline.setting.at.threads},
                     {"ceilings", JsonTree::array()},
                     {"regions", JsonTree::array()},
                     {"remarks", roofline.remarks}};
    for (const RooflineCeiling &c : roofline.ceilings)
        root["ceilings"].push_back({{"name", c.name}, {c.is_bandwidth ? "B_per_s" : "flop_per_s", c.per_s}});
    for (const RooflineRow &row : roofline.rows) {
        JsonTree region = {{"region", row.work.name},
                           {"from", JsonTree::text(row.work.from)},
                           {"flops", row.work.flops},
                           {"bytes", row.work.bytes},
                           {"seconds", row.work.seconds},
                           {"intensity", row.intensity},
                           {"attained_flop_per_s", row.attained_flop_per_s},
                           {"ceiling_flop_per_s", row.ceiling_flop_per_s},
                           {"share", row.share()},
                           {"least_s", row.possible_least_s()},
                           {"limited_by", JsonTree::text(row.limit)},
                           {"why_not", JsonTree::text(row.why_not)}};
        for (const LevelTraffic &traffic : row.work.by_level)
            region["bytes_by_level"][traffic.level] = traffic.bytes;
        root["regions"].push_back(std::move(region));
    }
    return root.dump(2) + "\n";
}

// The options of cpl-lb machine roofline and cpl-lb report that choose a machine and say how it ran.
struct MachineOptions {
    std::string machine, vector, access, clock;
    CoresAtWork threads;
};

// Returns --machine, which the others need. `options` must live as long as the command.
cli::Option *add_machine_options(cli::App &command, MachineOptions &options) {
    cli::Option *machine = command.add_option("--machine", options.machine,
                                              "file of cpl-lb machine -o, or a name of cpl-lb machine --list");
    std::vector<cli::Option *> others = add_thread_options(command, options.threads);
    others.push_back(add_clock_option(command, options.clock));
    others.push_back(
        command.add_option("--vector", options.vector,
                           "use the flop rate of these instructions (scalar, avx2, ...); default: the best"));
    others.push_back(command.add_option("--access", options.access,
                                        "use the bandwidth of this access (load, copy, triad); default: the best"));
    for (cli::Option *of_machine : others)
        of_machine->needs(machine);
    return machine;
}

CoresAtWork cores_of(const MachineOptions &options, const Machine &machine) {
    CoresAtWork said = options.threads;
    said.most = most_threads(machine);
    return said;
}

Roofline roofline_of(const Machine &machine, const MachineOptions &options, const RunWork &work) {
    const RooflineSetting setting{{work.threads, clock_of(options.clock)}, options.vector, options.access};
    Roofline roofline = roofline_of(machine, setting, work.regions);
    if (!work.remark.empty()) roofline.remarks.push_back(work.remark);
    return roofline;
}

// The regions of a run on a machine; where the run has none, why_not says so. Throws std::invalid_argument as
// roofline_of() does.
PageRoofline page_roofline(const CoupledRun &run, const Machine &machine, const MachineOptions &options) {
    PageRoofline page;
    const bool has_regions =
        std::ranges::any_of(run.components, [](const Component &c) { return !c.regions.empty(); });
    RunWork work;
    work.threads = static_cast<int>(options.threads.threads);
    if (has_regions) work = work_in(run, cores_of(options, machine), WorkFor::roofline);
    const Roofline roofline = roofline_of(machine, options, work);
    page.json = roofline_json(roofline);
    const bool any_known = std::ranges::any_of(roofline.rows, is_known, &RooflineRow::least_s);
    if (!has_regions) {
        page.why_not = "the run's json names no regions; the model marks them with cpl_lb_region_begin and _end";
    } else if (!any_known) {
        page.why_not =
            "no region has both its operations and its bytes, neither counted (cn_counters) nor said by its "
            "author (cpl_lb_assert_expression)";
    } else {
        page.words = roofline_in_words(roofline);
        page.svg = roofline_svg(roofline);
    }
    return page;
}

struct CommandOptions {
    MachineOptions at;
    std::string source, svg;
    bool json = false;
};

RunWork work_from(const std::string &source, const CoresAtWork &said) {
    if (!is_run(source)) return {static_cast<int>(said.threads), work_in_table(source), ""};
    RunWork work = work_in(run_of(source), said, WorkFor::roofline);
    if (work.regions.empty())
        throw FileError(source, "has no regions: the model marks them with cpl_lb_region_begin");
    return work;
}

void run(const CommandOptions &options) {
    const Machine machine = load_machine(options.at.machine);
    const RunWork work = work_from(options.source, cores_of(options.at, machine));
    const Roofline roofline = roofline_of(machine, options.at, work);
    if (!options.svg.empty()) write_result_file(options.svg, roofline_svg(roofline));
    print(options.json ? roofline_json(roofline) : roofline_as_text(roofline));
}

} // namespace

std::function<RooflineOfRun()> roofline_of_page(cli::App &report) {
    const auto options = std::make_shared<MachineOptions>();
    add_machine_options(*report.add_option_group("Roofline",
                                                 "with --machine the page says what limits each region on "
                                                 "that machine (docs/machines.md)"),
                        *options);
    return [options]() -> RooflineOfRun {
        if (options->machine.empty()) return {};
        return [options, machine = load_machine(options->machine)](const CoupledRun &run) {
            return page_roofline(run, machine, *options);
        };
    };
}

void add_roofline_word(cli::App &machine) {
    cli::App *command =
        machine.add_subcommand("roofline", "Shows what limits each region: operations or memory\nAnd how "
                                           "near it comes to this ceiling; from a run or a table.");
    const auto o = std::make_shared<CommandOptions>();
    command
        ->add_option(
            "SOURCE", o->source,
            "folder of a run with counters or annotations of regions, or a table (region,flops,bytes,seconds)")
        ->required();
    add_machine_options(*command, o->at)->required();
    command->add_option("--svg", o->svg, "write the picture into this file");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run(*o); });
}

} // namespace cpl_lb
