// Appends the figures of one process to those of the others on their way up the tree: nobody holds more than it
// passes on.
#include "run/live/figures_gather.hpp"

#include "analysis/decomposition.hpp"
#include "mpi/wire.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

struct Of {
    std::int64_t index;
    double computing_s, mpi_inside_s, memory_B;
    GridForm form; // none: no part follows
};

// A list that nobody has a value for stays empty: a master may have many processes.
void enter(std::vector<double> &list, std::size_t processes, std::size_t place, double value) {
    if (!is_known(value)) return;
    if (list.empty()) list.assign(processes, unknown);
    list[place] = value;
}

} // namespace

double own_computing_s(const OwnExchanges &exchanges, Interval running, std::span<const Interval> away) {
    if (exchanges.of_whole_run || !exchanges.own.any) return unknown;
    const Interval &loop = exchanges.within;
    const auto in_loop = [&](const Interval &time) {
        return std::max<Nanoseconds>(std::min(time.stop, loop.stop) - std::max(time.start, loop.start), 0);
    };
    Nanoseconds time = in_loop(running) - exchanges.own.time;
    for (const Interval &one : away)
        time -= in_loop(one);
    return to_seconds(std::max<Nanoseconds>(time, 0));
}

std::optional<ProcessFigures> gather_figures(Group &group, const OwnFigures &own) {
    WireWriter out;
    out.put(Of{group.index(), own.computing_s, own.mpi_inside_s, own.memory_B, own.part.form});
    if (own.part.form != GridForm::none) out.put(own.part);
    Bytes all = out.take();
    const auto append = [](Bytes &mine, const Bytes &theirs) {
        mine.insert(mine.end(), theirs.begin(), theirs.end());
    };
    if (!group.combine_up(all, append)) return {};
    ProcessFigures figures;
    if (!group.leads()) return figures;
    const auto processes = static_cast<std::size_t>(group.size());
    WireReader in(all);
    while (!in.done()) {
        const auto of = in.get<Of>();
        const GridPart part = of.form == GridForm::none ? GridPart() : in.get<GridPart>();
        if (of.index < 0 || of.index >= group.size()) continue;
        const auto place = static_cast<std::size_t>(of.index);
        enter(figures.computing_s, processes, place, of.computing_s);
        enter(figures.mpi_inside_s, processes, place, of.mpi_inside_s);
        enter(figures.memory_B, processes, place, of.memory_B);
        if (part.form == GridForm::none) continue;
        figures.parts.resize(processes);
        figures.parts[place] = part;
    }
    in.finish("figures of processes");
    check_parts(figures);
    return figures;
}

} // namespace cpl_lb
