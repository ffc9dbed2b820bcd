// Works out ceilings and the bound of each region: by levels of cache, or cache-aware.
#include "projection/roofline/roofline.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <stdexcept>

namespace cpl_lb {
namespace {

RooflineCeiling compute_ceiling(const Machine &machine, const RooflineSetting &s) {
    if (machine.has_gpu) return {"double precision flop rate", false, machine.gpu.double_flop_per_s};
    std::string name = s.vector;
    const double best = flop_rate_of(machine, s.at, s.vector);
    for (const FlopRate &row : machine.flop_rates)
        if (s.vector.empty() && flop_rate_of(machine, s.at, row.vector) == best) name = row.vector;
    return {name.empty() ? "flop rate" : name + " flop rate", false, best};
}

std::vector<RooflineCeiling> bandwidth_ceilings(const Machine &machine, const RooflineSetting &s) {
    std::vector<RooflineCeiling> ceilings;
    if (machine.has_gpu) ceilings.push_back({"memory bandwidth", true, machine.gpu.B_per_s});
    for (const std::string &level : levels_with_bandwidth(machine)) {
        const double B_per_s = bandwidth_of(machine, level, s.at, s.access);
        if (is_known(B_per_s)) ceilings.push_back({level + " bandwidth", true, B_per_s});
    }
    return ceilings;
}

// Lower flop rates: what narrower instructions would allow. For the picture.
void add_lower_rates(const Machine &machine, const RooflineSetting &s, std::vector<RooflineCeiling> &ceilings) {
    for (const FlopRate &row : machine.flop_rates) {
        const double rate = flop_rate_of(machine, s.at, row.vector);
        const std::string name = row.vector + " flop rate";
        const bool is_there = std::ranges::count(ceilings, name, &RooflineCeiling::name) > 0;
        if (!row.vector.empty() && !is_there && rate < ceilings.front().per_s)
            ceilings.push_back({name, false, rate});
    }
    std::ranges::stable_sort(ceilings, std::greater{}, &RooflineCeiling::per_s);
}

struct Bound {
    std::string name;
    double seconds = 0, bytes = unknown;
};

// Each level with its own traffic: all hold at once.
Bound level_by_level(const RegionWork &work, const std::vector<RooflineCeiling> &bandwidths) {
    Bound longest;
    for (const LevelTraffic &traffic : work.by_level) {
        for (const RooflineCeiling &ceiling : bandwidths) {
            if (ceiling.name != traffic.level + " bandwidth" || !is_known(traffic.bytes)) continue;
            const double seconds = traffic.bytes / ceiling.per_s;
            if (seconds >= longest.seconds) longest = {ceiling.name, seconds, traffic.bytes};
        }
    }
    return longest;
}

// One traffic for all levels. The bound is the furthest level that the measured time allows, else the nearest.
Bound cache_aware(const RegionWork &work, const std::vector<RooflineCeiling> &bandwidths) {
    Bound bound;
    for (const RooflineCeiling &ceiling : bandwidths) {
        const double seconds = work.bytes / ceiling.per_s;
        const bool is_possible = !is_known(work.seconds) || seconds <= work.seconds * (1 + roofline_tolerance);
        if (bound.name.empty() || (is_possible && seconds > bound.seconds))
            bound = {ceiling.name, seconds, work.bytes};
    }
    return bound;
}

RooflineRow row_of(const RegionWork &work, const RooflineCeiling &compute,
                   const std::vector<RooflineCeiling> &bandwidths) {
    RooflineRow row;
    row.work = work;
    row.why_not = work.why_not;
    if (!row.why_not.empty()) return row;
    if (is_known(work.flops) && work.seconds > 0) row.attained_flop_per_s = work.flops / work.seconds;
    Bound memory = level_by_level(work, bandwidths);
    if (memory.name.empty() && is_known(work.bytes)) memory = cache_aware(work, bandwidths);
    if (memory.name.empty()) {
        row.why_not =
            is_known(work.flops) ? "its bytes are not known" : "neither its operations nor its bytes are known";
        return row;
    }
    if (!is_known(work.flops)) {
        row.why_not = "its operations are not known";
        return row;
    }
    if (memory.bytes > 0) row.intensity = work.flops / memory.bytes;
    const double computing_s = work.flops / compute.per_s;
    row.least_s = std::max(computing_s, memory.seconds);
    row.limit = computing_s >= memory.seconds ? compute.name : memory.name;
    if (work.flops > 0 && row.least_s > 0) row.ceiling_flop_per_s = work.flops / row.least_s;
    return row;
}

} // namespace

Roofline roofline_of(const Machine &machine, RooflineSetting setting, const std::vector<RegionWork> &regions) {
    setting.at = on_all_threads(machine, setting.at);
    Roofline roofline;
    roofline.machine = machine.name;
    roofline.setting = setting;
    const RooflineCeiling compute = compute_ceiling(machine, setting);
    const std::vector<RooflineCeiling> bandwidths = bandwidth_ceilings(machine, setting);
    if (!is_known(compute.per_s) || bandwidths.empty()) {
        throw std::invalid_argument(fmt::format("{}: no {} with {} at this clock, vector and access", machine.name,
                                                bandwidths.empty() ? "bandwidth" : "flop rate",
                                                counted(setting.at.threads, "thread")));
    }
    roofline.ceilings = {compute};
    if (!machine.has_gpu) add_lower_rates(machine, setting, roofline.ceilings);
    roofline.ceilings.insert(roofline.ceilings.end(), bandwidths.begin(), bandwidths.end());
    for (const RegionWork &work : regions) {
        const RooflineRow &row = roofline.rows.emplace_back(row_of(work, compute, bandwidths));
        if (row.share() > 1 + roofline_tolerance) {
            roofline.remarks.push_back(fmt::format("{} was faster than the machine's file allows: it ran on another "
                                                   "machine, with more threads, or its work is less than given",
                                                   work.name));
        }
    }
    return roofline;
}

} // namespace cpl_lb
