// cpl-lb roofline: what the machine allows each region to do, and how much of that it does.
#include "io/json_value.hpp"
#include "io/result_file.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/roofline/roofline_text.hpp"
#include "tools/commands.hpp"
#include "tools/roofline_sources.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct RooflineOptions {
    std::string source, machine, vector, access, clock, svg;
    std::int64_t threads = 0;
    bool json = false;
};

double clock_of(const std::string &text) {
    if (text.empty()) return unknown;
    return text == "turbo" ? turbo_clock : std::stod(text) * 1e9;
}

std::string not_a_clock(const std::string &text) {
    if (text == "turbo") return "";
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' && value > 0.01 && value < 20 ? "" : "not a clock in GHz, and not turbo: " + text;
}

std::vector<RegionWork> work_from(const std::string &source, int threads) {
    if (std::filesystem::is_directory(source))
        return work_in_run(path_in(source, "load_balancing_info.json"), threads);
    return source.ends_with(".json") ? work_in_run(source, threads) : work_in_table(source);
}

std::string as_json(const Roofline &roofline) {
    nlohmann::ordered_json root = {{"machine", roofline.machine},
                                   {"threads", roofline.setting.at.threads},
                                   {"ceilings", nlohmann::ordered_json::array()},
                                   {"regions", nlohmann::ordered_json::array()},
                                   {"remarks", roofline.remarks}};
    for (const RooflineCeiling &c : roofline.ceilings)
        root["ceilings"].push_back(
            {{"name", c.name}, {c.is_bandwidth ? "B_per_s" : "flop_per_s", json_number(c.per_s)}});
    for (const RooflineRow &row : roofline.rows) {
        nlohmann::ordered_json region = {{"region", row.work.name},
                                         {"from", json_text(row.work.from)},
                                         {"flops", json_number(row.work.flops)},
                                         {"bytes", json_number(row.work.bytes)},
                                         {"seconds", json_number(row.work.seconds)},
                                         {"intensity", json_number(row.intensity)},
                                         {"attained_flop_per_s", json_number(row.attained_flop_per_s)},
                                         {"ceiling_flop_per_s", json_number(row.ceiling_flop_per_s)},
                                         {"share", json_number(row.share())},
                                         {"least_s", json_number(row.least_s)},
                                         {"limited_by", json_text(row.limit)},
                                         {"why_not", json_text(row.why_not)}};
        for (const LevelTraffic &traffic : row.work.by_level)
            region["bytes_by_level"][traffic.level] = json_number(traffic.bytes);
        root["regions"].push_back(std::move(region));
    }
    return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void run(const RooflineOptions &options) {
    const Machine machine = load_machine(options.machine);
    RooflineSetting setting;
    setting.at = {static_cast<int>(options.threads), clock_of(options.clock)};
    if (setting.at.threads == 0) setting.at.threads = most_threads(machine);
    setting.vector = options.vector;
    setting.access = options.access;
    const Roofline roofline = roofline_of(machine, setting, work_from(options.source, setting.at.threads));
    if (!options.svg.empty()) write_result_file(options.svg, roofline_svg(roofline));
    print(options.json ? as_json(roofline) : roofline_as_text(roofline));
}

} // namespace

void add_roofline_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "roofline",
        "What limits each region, computing or one of the levels of memory, and how much of that ceiling it "
        "reaches. Its operations and bytes come from a run or a table");
    const auto o = std::make_shared<RooflineOptions>();
    command
        ->add_option(
            "SOURCE", o->source,
            "folder of a run with counters or annotations of regions, or a table (region,flops,bytes,seconds)")
        ->required();
    command->add_option("--machine", o->machine, "file of cpl-lb machine -o, or a name of cpl-lb machine --list")
        ->required();
    command
        ->add_option("--threads", o->threads,
                     "cores of a node at work at once; else the most that the machine's file has")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    command->add_option("--clock", o->clock, "clock in GHz, or turbo, of a machine with several")->check(not_a_clock);
    command->add_option("--vector", o->vector, "flop rate of these instructions (scalar, avx2, ...); else the best");
    command->add_option("--access", o->access, "bandwidth of this access (load, copy, triad); else the best");
    command->add_option("--svg", o->svg, "the picture as a file");
    command->add_flag("--json", o->json, "for programs");
    command->callback([o] { run(*o); });
}

} // namespace cpl_lb
