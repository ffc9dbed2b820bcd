#include "tools/roofline_sources.hpp"

#include "io/csv_table.hpp"
#include "io/json_object.hpp"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>

namespace cpl_lb {
namespace {

constexpr double line_B = 64, word_B = 8;
const char *const levels[] = {"L1", "L2", "L3", "DRAM"};

using Values = std::map<std::string, double>; // mean of a process

// The sum of the first list of names that are all there; NaN: of none.
double first_known(const Values &values, const std::vector<std::vector<std::pair<std::string, double>>> &ways) {
    for (const auto &way : ways) {
        double sum = 0;
        for (const auto &[name, factor] : way) {
            const auto found = values.find(name);
            sum += found == values.end() ? unknown : factor * found->second;
        }
        if (is_known(sum)) return sum;
    }
    return unknown;
}

Values counters_of(const JsonObject &region) {
    Values values;
    const nlohmann::json &list = region.member("counters");
    if (!list.is_array()) return values;
    for (const nlohmann::json &entry : list) {
        const JsonObject counter(entry);
        std::string name;
        double mean = unknown;
        counter.get("name", name);
        counter.get("mean", mean);
        if (is_known(mean)) values[name] = mean;
    }
    return values;
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
bool take_counters(const Values &c, RegionWork &work) {
    const std::string intel = "FP_ARITH_INST_RETIRED:";
    work.flops = first_known(c, {{{"PAPI_DP_OPS", 1}},
                                 {{"PAPI_FP_OPS", 1}},
                                 {{intel + "SCALAR_DOUBLE", 1},
                                  {intel + "128B_PACKED_DOUBLE", 2},
                                  {intel + "256B_PACKED_DOUBLE", 4},
                                  {intel + "512B_PACKED_DOUBLE", 8}}});
    work.bytes = first_known(c, {{{"PAPI_LST_INS", word_B}}, {{"PAPI_LD_INS", word_B}, {"PAPI_SR_INS", word_B}}});
    const double traffic[] = {work.bytes, first_known(c, {{{"PAPI_L1_DCM", line_B}}, {{"PAPI_L1_TCM", line_B}}}),
                              first_known(c, {{{"PAPI_L2_DCM", line_B}}, {{"PAPI_L2_TCM", line_B}}}),
                              first_known(c, {{{"PAPI_L3_TCM", line_B}}, {{"PAPI_L3_DCM", line_B}}})};
    const bool misses_known = is_known(traffic[1]) || is_known(traffic[2]) || is_known(traffic[3]);
    for (std::size_t i = 0; i < 4; ++i)
        if (misses_known && is_known(traffic[i])) work.by_level.push_back({levels[i], traffic[i]});
    work.from = "counters";
    return is_known(work.flops) && (is_known(work.bytes) || misses_known);
}

void take_annotations(const Values &a, RegionWork &work) {
    work.by_level.clear();
    work.flops = first_known(a, {{{"flops", 1}}});
    work.bytes = first_known(a, {{{"loads", word_B}, {"stores", word_B}}});
    const double memory = first_known(a, {{{"bytes", 1}}});
    if (is_known(memory)) {
        work.by_level.push_back({"DRAM", memory});
        if (is_known(work.bytes)) work.by_level.push_back({"L1", work.bytes});
    }
    work.from = a.empty() ? "" : "annotations";
}

void scale(RegionWork &work, double factor) {
    work.flops *= factor;
    work.bytes *= factor;
    for (LevelTraffic &traffic : work.by_level)
        traffic.bytes *= factor;
}

nlohmann::json read_json(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(path, "cannot read");
    nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded()) throw FileError(path, "is not JSON");
    return json;
}

RegionWork work_of(const JsonObject &region) {
    RegionWork work;
    region.get("name", work.name);
    region.get("mean_s", work.seconds);
    if (!take_counters(counters_of(region), work)) take_annotations(annotations_of(region), work);
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

std::vector<RegionWork> work_in_run(const std::string &path, int threads) {
    return work_in_run(read_json(path), path, threads);
}

std::vector<RegionWork> work_in_run(const nlohmann::json &root, const std::string &path, int threads) {
    const nlohmann::json &components = JsonObject(root).member("components");
    if (!components.is_array()) throw FileError(path, "has no components: is it a load_balancing_info.json?");
    std::vector<RegionWork> regions;
    for (const nlohmann::json &entry : components) {
        const JsonObject component(entry);
        std::string name;
        double of_process = 1;
        component.get("name", name);
        component.get("threads", of_process);
        const nlohmann::json &list = component.member("regions");
        if (!list.is_array()) continue;
        for (const nlohmann::json &region : list) {
            RegionWork work = work_of(JsonObject(region));
            work.name = name + ": " + work.name;
            scale(work, threads / std::max(of_process, 1.0));
            regions.push_back(std::move(work));
        }
    }
    if (regions.empty()) throw FileError(path, "has no regions: the model marks them with cpl_lb_region_begin");
    return regions;
}

} // namespace cpl_lb
