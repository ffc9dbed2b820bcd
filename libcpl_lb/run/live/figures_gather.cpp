// Appends the figures of one process to those of others on their way up the tree: no process holds more than it
// passes on.
#include "run/live/figures_gather.hpp"

#include "analysis/decomposition.hpp"
#include "run/live/unite.hpp"
#include "run/live/wire_members.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace cpl_lb {
namespace {

struct Of {
    std::int64_t index, left_out;
    double computing_s, mpi_inside_s, memory_B;
    std::int64_t given; // 0: no part follows
};

// A list without any value stays empty, because a master may have many processes.
void enter(std::vector<double> &list, std::size_t processes, std::size_t place, double value) {
    if (!is_known(value)) return;
    if (list.empty()) list.assign(processes, unknown);
    list[place] = value;
}

} // namespace

double own_computing_s(const OwnExchanges &exchanges, Interval running, std::span<const Interval> away) {
    return exchanges.of_whole_run ? unknown : computing_in_loop_s(exchanges.own, exchanges.within, running, away);
}

std::vector<std::string> regions_with_most_time(const std::vector<RegionSummary> &regions) {
    std::vector<std::pair<double, std::string>> by_time;
    by_time.reserve(regions.size());
    for (const RegionSummary &r : regions)
        by_time.emplace_back(r.mean_s * static_cast<double>(r.processes), r.name);
    std::ranges::stable_sort(by_time, std::ranges::greater{}, [](const auto &region) { return region.first; });
    by_time.resize(std::min(by_time.size(), most_region_times));
    std::vector<std::string> names;
    names.reserve(by_time.size());
    for (const auto &[seconds, name] : by_time)
        names.push_back(name);
    return names;
}

std::vector<float> own_times(const std::vector<std::string> &regions, const std::vector<RegionSummary> &own) {
    std::vector<float> times(regions.size(), 0.0F);
    for (std::size_t i = 0; i < regions.size(); ++i)
        if (const auto found = std::ranges::find(own, regions[i], &RegionSummary::name); found != own.end())
            times[i] = static_cast<float>(found->mean_s);
    return times;
}

ProcessFigures gather_figures(Group &group, const OwnFigures &own, const std::vector<std::string> &regions) {
    WireWriter out;
    out.put(
        Of{group.index(), own.left_out, own.computing_s, own.mpi_inside_s, own.memory_B, own.part.given() ? 1 : 0});
    if (own.part.given()) out.pass(own.part);
    for (std::size_t i = 0; i < regions.size(); ++i)
        out.put(i < own.regions_s.size() ? own.regions_s[i] : 0.0F);
    Bytes all = out.take();
    gather_bytes(group, all);
    ProcessFigures figures;
    if (!group.leads()) return figures;
    const auto processes = static_cast<std::size_t>(group.size());
    for (const std::string &region : regions)
        figures.regions.push_back({region, std::vector<double>(processes, unknown)});
    bool other_left_out = false;
    WireReader in(all);
    while (!in.done()) {
        const auto of = in.get<Of>();
        GridPart part;
        if (of.given != 0) in.pass(part);
        std::vector<float> regions_s(regions.size());
        for (float &seconds : regions_s)
            seconds = in.get<float>();
        if (of.index < 0 || of.index >= group.size()) continue;
        const auto place = static_cast<std::size_t>(of.index);
        for (std::size_t i = 0; i < regions.size(); ++i)
            figures.regions[i].seconds[place] = as_figure(static_cast<double>(regions_s[i]));
        other_left_out =
            other_left_out || (of.left_out != 0 && figures.left_out != 0 && of.left_out != figures.left_out);
        figures.left_out = std::max({figures.left_out, of.left_out, std::int64_t{0}});
        enter(figures.computing_s, processes, place, of.computing_s);
        enter(figures.mpi_inside_s, processes, place, of.mpi_inside_s);
        enter(figures.memory_B, processes, place, of.memory_B);
        if (!part.given()) continue;
        figures.parts.resize(processes);
        figures.parts[place] = std::move(part);
    }
    in.finish("figures of processes");
    if (other_left_out && !figures.parts.empty())
        leave_out_parts(figures, "its processes say different numbers of points that are left out");
    else
        check_parts(figures);
    return figures;
}

} // namespace cpl_lb
