// Takes work and traffic of regions from counters, annotations or a table.
#include "projection/tools/roofline/roofline_sources.hpp"

#include "assertions/quantities.hpp"
#include "io/files/csv_table.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double line_B = 64, word_B = 8;
const char *const levels[] = {"L1", "L2", "L3", "DRAM"};

using Counters = std::vector<NamedSpread>;

// The first of the counters that is there, in bytes.
double bytes_of(const Counters &counters, double each_B, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        for (const NamedSpread &c : counters)
            if (c.name == name && is_known(c.over.mean())) return each_B * c.over.mean();
    return unknown;
}

double or_else(double value, double other) {
    return is_known(value) ? value : other;
}

// Misses of a level are lines that the next one gave.
bool take_counters(const Counters &counters, RegionWork &work) {
    const auto measured = [&](const char *quantity) { return measured_by_counters(quantity, counters).value; };
    work.flops = measured("flops");
    work.bytes =
        or_else(bytes_of(counters, word_B, {"PAPI_LST_INS"}), word_B * (measured("loads") + measured("stores")));
    const double traffic[] = {work.bytes, bytes_of(counters, line_B, {"PAPI_L1_DCM", "PAPI_L1_TCM"}),
                              bytes_of(counters, line_B, {"PAPI_L2_DCM", "PAPI_L2_TCM"}),
                              or_else(measured("bytes"), bytes_of(counters, line_B, {"PAPI_L3_DCM"}))};
    const bool misses_known = is_known(traffic[1]) || is_known(traffic[2]) || is_known(traffic[3]);
    for (std::size_t i = 0; i < 4; ++i)
        if (misses_known && is_known(traffic[i])) work.by_level.push_back({levels[i], traffic[i]});
    work.from = "counters";
    return is_known(work.flops) && (is_known(work.bytes) || misses_known);
}

void take_annotations(const RegionSummary &region, RegionWork &work) {
    const auto said = [&](const char *quantity) {
        const Annotation *const a = annotation_of(region, quantity);
        return a == nullptr ? unknown : a->value.mean();
    };
    work.by_level.clear();
    work.flops = said("flops");
    work.bytes = word_B * (said("loads") + said("stores"));
    const double memory = said("bytes");
    if (is_known(memory)) {
        work.by_level.push_back({"DRAM", memory});
        if (is_known(work.bytes)) work.by_level.push_back({"L1", work.bytes});
    }
    work.from = is_known(work.flops) || is_known(work.bytes) || is_known(memory) ? "annotations" : "";
}

// Of a node, where each of its processes works with one thread at least.
void settle_threads(RunWork &work, const CoupledRun &run, const CoresAtWork &said) {
    work.threads = static_cast<int>(said.threads);
    if (work.threads > 0) return;
    const auto all = std::max<std::int64_t>(run.run.processes, 0), nodes = std::max<std::int64_t>(run.clock.nodes, 1);
    const double of_node =
        std::ceil(static_cast<double>(all > 0 ? all : std::ssize(run.components)) / static_cast<double>(nodes));
    const int of_process = static_cast<int>(std::max<std::int64_t>(said.of_process, 1)),
              processes = static_cast<int>(std::clamp(of_node, 1.0, 1e6));
    work.threads = processes * of_process;
    work.remark = fmt::format("{} at work: a node's {} with {} each (--threads, --process-threads)",
                              counted(work.threads, "core", "cores"), counted(processes, "process", "processes"),
                              counted(of_process, "thread", "threads"));
    if (said.most == 0 || work.threads <= said.most) return;
    work.remark += fmt::format("; {} are used, the most in the machine's file", said.most);
    work.threads = said.most;
}

void scale(RegionWork &work, double factor) {
    work.flops *= factor;
    work.bytes *= factor;
    for (LevelTraffic &traffic : work.by_level)
        traffic.bytes *= factor;
}

RegionWork work_of(const RegionSummary &region, WorkFor whom) {
    RegionWork work;
    work.name = region.name;
    work.seconds = region.mean_s;
    work.node_J = region.meters.energy_J.mean();
    if (take_counters(region.meters.counters, work)) return work;
    const RegionWork counted = work;
    take_annotations(region, work);
    return whom == WorkFor::models && work.from.empty() && is_known(counted.flops) ? counted : work;
}

// The component's coupling loop without its waiting.
RegionWork loop_of(const Component &component) {
    RegionWork work;
    work.name = "coupling loop";
    work.seconds = component.balance.computing_s;
    (void)take_counters(component.meters.loop_counters, work);
    if (!is_known(work.flops)) work.from = "";
    return work;
}

// On all cores at work: counters are of one thread, annotations of one process with all its threads.
RegionWork on_all_cores(RegionWork work, int threads, int threads_of_process, const CoresAtWork &said) {
    if (threads_of_process > 1 && said.of_process == 0 && !work.from.empty()) {
        RegionWork unknown_work;
        unknown_work.name = work.name;
        unknown_work.seconds = work.seconds;
        unknown_work.from = work.from;
        unknown_work.why_not = fmt::format("it is not known how many of its process's {} threads (OMP_NUM_THREADS) "
                                           "worked in it: give --process-threads",
                                           threads_of_process);
        return unknown_work;
    }
    const bool of_whole_process = work.from == "annotations" && said.of_process > 0;
    scale(work, static_cast<double>(threads) / (of_whole_process ? static_cast<double>(said.of_process) : 1));
    return work;
}

} // namespace

std::vector<RegionWork> work_in_table(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"region", "flops"});
    const bool by_level =
        table.has("DRAM_bytes") || table.has("L3_bytes") || table.has("L2_bytes") || table.has("L1_bytes");
    if (!by_level) table.require({"bytes"});
    std::vector<RegionWork> regions;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        RegionWork work;
        work.name = table.text(i, "region");
        work.flops = table.known_or_nan(i, "flops");
        work.bytes = table.known_or_nan(i, "bytes");
        work.seconds = table.known_or_nan(i, "seconds");
        if (work.seconds == 0) throw table.wrong(i, "seconds", "0 s: a region that takes no time has no rate");
        for (const char *const level : levels)
            if (const double bytes = table.known_or_nan(i, std::string(level) + "_bytes"); is_known(bytes))
                work.by_level.push_back({level, bytes});
        work.from = "table";
        regions.push_back(std::move(work));
    }
    return regions;
}

bool is_run(const std::string &source) {
    return std::filesystem::is_directory(source) || source.ends_with(".json");
}

std::string first_of(const std::vector<std::string> &sources) {
    return sources.front() + (sources.size() > 1 ? " and others" : "");
}

CoupledRun run_of(const std::string &source) {
    const std::string path = source.ends_with(".json") ? source : path_in(source, "load_balancing_info.json");
    return run_from_json(path, read_text_file(path));
}

RunWork work_in(const CoupledRun &run, const CoresAtWork &said, WorkFor whom) {
    RunWork all;
    settle_threads(all, run, said);
    for (const Component &component : run.components) {
        std::vector<RegionWork> works;
        if (whom == WorkFor::models) works.push_back(loop_of(component));
        for (const RegionSummary &region : component.regions)
            works.push_back(work_of(region, whom));
        for (RegionWork &work : works) {
            work.name = component.name + ": " + work.name;
            all.regions.push_back(on_all_cores(std::move(work), all.threads, component.threads, said));
        }
    }
    return all;
}

} // namespace cpl_lb
