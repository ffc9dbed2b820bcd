// Takes energy, time and work of runs and of their regions.
#include "io/files/file_handle.hpp"
#include "io/json/info_json.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/tools/energy/energy_output.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

CoupledRun run_at(const std::string &path) {
    return run_from_json(path, read_text_file(path));
}

// Mean of the nodes; unknown if one of them does not know it.
double mean_of_nodes(const std::vector<NodeMeters> &nodes, double NodeEnergy::*joules) {
    double sum = 0;
    for (const NodeMeters &node : nodes)
        sum += node.energy.*joules;
    return sum / static_cast<double>(nodes.size());
}

std::string why_no_energy(const CoupledRun &run) {
    for (const NodeMeters &node : run.meters.nodes)
        if (!node.why_no_energy.empty()) return node.why_no_energy;
    return "ln_energy was not set, or the node has no meter of packages and DRAM";
}

void add_domain_row(EnergyDomain &domain, double joules, double seconds) {
    EnergyDomainRow &row = domain.rows.emplace_back();
    row.measured_J = joules;
    row.power.measured_W = joules / seconds;
}

enum class BytesOf : std::uint8_t { program, dram };

double bytes_counted(const RegionWork &region, BytesOf kind) {
    if (kind == BytesOf::program) return region.bytes;
    for (const LevelTraffic &traffic : region.by_level)
        if (traffic.level == "DRAM") return traffic.bytes;
    return unknown;
}

bool is_complete(const RegionWork &region, BytesOf kind) {
    return region.seconds > 0 && region.node_J > 0 && is_known(region.flops) && is_known(bytes_counted(region, kind));
}

struct NamedRegion {
    std::string source;
    RegionWork work;
};

std::string what_is_missing(const std::vector<NamedRegion> &regions) {
    if (regions.empty()) return "has no regions: the model marks them with cpl_lb_region_begin";
    const auto none = [&](auto &&is_there) {
        return std::ranges::none_of(regions, [&](const NamedRegion &r) { return is_there(r.work); });
    };
    if (none([](const RegionWork &r) { return is_known(r.flops); }))
        return "no region has operations: set cn_counters, or call cpl_lb_assert_expression";
    if (none([](const RegionWork &r) { return r.node_J > 0; }))
        return "no region has energy: set ln_energy, and use regions that are longer than a reading of the meter";
    return "no region has operations, bytes and energy at once";
}

void add_regions(EnergyByWork &rows, const std::vector<NamedRegion> &regions) {
    const auto complete = [&](BytesOf kind) {
        return std::ranges::count_if(regions, [kind](const NamedRegion &r) { return is_complete(r.work, kind); });
    };
    const BytesOf kind = complete(BytesOf::dram) > complete(BytesOf::program) ? BytesOf::dram : BytesOf::program;
    for (const NamedRegion &r : regions) {
        if (!is_complete(r.work, kind)) continue;
        rows.names.push_back(r.source + " " + r.work.name);
        rows.runs.push_back({r.work.flops, bytes_counted(r.work, kind), r.work.seconds, r.work.node_J});
    }
    rows.remarks.emplace_back(kind == BytesOf::program ? "Bytes of regions: as the program asks for them."
                                                       : "Bytes of regions: from DRAM.");
    const std::size_t left_out = regions.size() - static_cast<std::size_t>(complete(kind));
    if (left_out > 0)
        rows.remarks.push_back(fmt::format("{} without operations, bytes or energy left out.",
                                           counted(left_out, "region of a run", "regions of runs")));
}

} // namespace

EnergyTable energy_table_of_runs(const std::vector<std::string> &sources, const CoresAtWork &said) {
    EnergyTable table;
    for (const std::string &source : sources) {
        const std::string path = json_of_run(source);
        const CoupledRun run = run_at(path);
        const double seconds = run.run.wall_s;
        const double package_J = mean_of_nodes(run.meters.nodes, &NodeEnergy::package_J),
                     dram_J = mean_of_nodes(run.meters.nodes, &NodeEnergy::dram_J);
        if (!(seconds > 0)) throw FileError(path, "run.wall_s: is missing");
        if (!is_known(package_J) && !is_known(dram_J))
            throw FileError(path, "no energy of packages or DRAM: " + why_no_energy(run));
        table.threads.push_back(work_of_code(path, said).threads);
        table.seconds.push_back(seconds);
        add_domain_row(table.package, package_J, seconds);
        add_domain_row(table.dram, dram_J, seconds);
    }
    return table;
}

EnergyByWork energy_by_work(const std::vector<std::string> &sources, const CoresAtWork &said) {
    EnergyByWork rows;
    std::vector<NamedRegion> regions;
    for (const std::string &source : sources) {
        if (!is_run(source)) {
            read_energy_runs(source, rows);
            continue;
        }
        for (RegionWork &work : work_of_code(json_of_run(source), said).regions)
            if (!work.name.ends_with(": coupling loop")) regions.push_back({source, std::move(work)});
    }
    const bool any_run = std::ranges::any_of(sources, is_run);
    if (any_run) add_regions(rows, regions);
    const std::string where = first_of(sources);
    if (rows.runs.empty()) throw FileError(where, what_is_missing(regions));
    try {
        rows.fit = fit_work_energy(rows.runs);
    } catch (const ProjectionError &error) {
        throw FileError(where, error.what());
    }
    return rows;
}

} // namespace cpl_lb
