// Takes work and traffic of regions from counters, annotations or a table.
#include "projection/tools/roofline/roofline_sources.hpp"

#include "assertions/quantities.hpp"
#include "io/files/csv_table.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/json_object.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace cpl_lb {
namespace {

constexpr double line_B = 64, word_B = 8;
const char *const levels[] = {"L1", "L2", "L3", "DRAM"};

using Values = std::map<std::string, double>; // mean of a process

double value_of(const Values &values, const std::string &name) {
    const auto found = values.find(name);
    return found == values.end() ? unknown : found->second;
}

using Counters = std::vector<NamedSpread>;

Counters counters_in(const nlohmann::json &list) {
    Counters counters;
    if (!list.is_array()) return counters;
    for (const nlohmann::json &entry : list) {
        const JsonObject counter(entry);
        double mean = unknown;
        counter.get("name", counters.emplace_back().name);
        counter.get("mean", mean);
        counters.back().over.add(mean);
    }
    return counters;
}

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

Values annotations_of(const JsonObject &region) {
    Values values;
    const nlohmann::json &all = region.member("annotations");
    if (!all.is_object()) return values;
    for (const auto &[quantity, entry] : all.items()) {
        double value = unknown;
        JsonObject(entry).get("value", value);
        if (is_known(value)) values[quantity] = value;
    }
    return values;
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

void take_annotations(const Values &a, RegionWork &work) {
    work.by_level.clear();
    work.flops = value_of(a, "flops");
    work.bytes = word_B * (value_of(a, "loads") + value_of(a, "stores"));
    const double memory = value_of(a, "bytes");
    if (is_known(memory)) {
        work.by_level.push_back({"DRAM", memory});
        if (is_known(work.bytes)) work.by_level.push_back({"L1", work.bytes});
    }
    work.from = is_known(work.flops) || is_known(work.bytes) || is_known(memory) ? "annotations" : "";
}

// The node's processes; each works with one thread at least.
int processes_of_node(const JsonObject &root, std::size_t components) {
    double processes = 0, nodes = 1;
    JsonObject(root.member("run")).get("processes", processes);
    JsonObject(root.member("clock")).get("nodes", nodes);
    if (!(processes >= 1)) processes = static_cast<double>(components);
    return static_cast<int>(std::clamp(std::ceil(processes / std::max(nodes, 1.0)), 1.0, 1e6));
}

void settle_threads(RunWork &work, const JsonObject &root, std::size_t components, const CoresAtWork &said) {
    work.threads = said.threads;
    if (work.threads > 0) return;
    const int of_process = std::max(said.of_process, 1), processes = processes_of_node(root, components);
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

// Who fits models of the whole code makes use of operations alone; a roofline needs bytes, too.
enum class For : std::uint8_t { roofline, models };

RegionWork work_of(const JsonObject &region, For whom) {
    RegionWork work;
    region.get("name", work.name);
    region.get("mean_s", work.seconds);
    JsonObject(region.member("energy_J")).get("mean", work.node_J);
    const Counters counters = counters_in(region.member("counters"));
    work.clock_Hz = bytes_of(counters, 1, {"PAPI_TOT_CYC", "perf::CYCLES"}) / work.seconds;
    if (take_counters(counters, work)) return work;
    const RegionWork counted = work;
    take_annotations(annotations_of(region), work);
    return whom == For::models && work.from.empty() && is_known(counted.flops) ? counted : work;
}

// The component's coupling loop without its waiting.
RegionWork loop_of(const JsonObject &component) {
    RegionWork work;
    work.name = "coupling loop";
    component.get("computing_s", work.seconds);
    (void)take_counters(counters_in(component.member("loop_counters")), work);
    if (!is_known(work.flops)) work.from = "";
    return work;
}

nlohmann::json parsed(const std::string &text, const std::string &path) {
    auto root = nlohmann::json::parse(text, nullptr, false);
    if (root.is_discarded()) throw FileError(path, "is not JSON");
    if (!JsonObject(root).member("components").is_array())
        throw FileError(path, "has no components: is it a load_balancing_info.json?");
    return root;
}

// OMP_NUM_THREADS where it is the same for all components; 0: it is not.
int common_threads(const nlohmann::json &components) {
    double common = unknown;
    for (const nlohmann::json &entry : components) {
        double threads = 1;
        JsonObject(entry).get("threads", threads);
        if (is_known(common) && common != threads) return 0;
        common = threads;
    }
    return static_cast<int>(std::clamp(common, 1.0, 1e6));
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

std::string json_of_run(const std::string &source) {
    return source.ends_with(".json") ? source : path_in(source, "load_balancing_info.json");
}

std::string first_of(const std::vector<std::string> &sources) {
    return sources.front() + (sources.size() > 1 ? " and others" : "");
}

RunWork work_in_run(const std::string &path, const CoresAtWork &said) {
    return work_in_json(read_text_file(path), path, said);
}

namespace {

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
    const int of_process = work.from == "annotations" ? std::max(said.of_process, 1) : 1;
    scale(work, static_cast<double>(threads) / of_process);
    return work;
}

RunWork work_in(const nlohmann::json &root, CoresAtWork said, For whom) {
    const nlohmann::json &components = JsonObject(root).member("components");
    if (said.all) said.of_process = common_threads(components);
    RunWork all;
    settle_threads(all, JsonObject(root), components.size(), said);
    for (const nlohmann::json &entry : components) {
        const JsonObject component(entry);
        std::string name;
        double threads_of_process = 1;
        component.get("name", name);
        component.get("threads", threads_of_process);
        std::vector<RegionWork> works;
        if (whom == For::models) works.push_back(loop_of(component));
        const nlohmann::json &list = component.member("regions");
        for (const nlohmann::json &region : list.is_array() ? list : nlohmann::json::array())
            works.push_back(work_of(JsonObject(region), whom));
        for (RegionWork &work : works) {
            work.name = name + ": " + work.name;
            all.regions.push_back(on_all_cores(std::move(work), all.threads,
                                               static_cast<int>(std::clamp(threads_of_process, 1.0, 1e6)), said));
        }
    }
    return all;
}

} // namespace

RunWork work_in_json(const std::string &text, const std::string &path, const CoresAtWork &said) {
    RunWork all = work_in(parsed(text, path), said, For::roofline);
    if (all.regions.empty()) throw FileError(path, "has no regions: the model marks them with cpl_lb_region_begin");
    return all;
}

RunWork work_of_code(const std::string &path, const CoresAtWork &said) {
    return work_in(parsed(read_text_file(path), path), said, For::models);
}

} // namespace cpl_lb
