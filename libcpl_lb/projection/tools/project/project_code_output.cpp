// Codes of loops: times over numbers of nodes.
#include "io/json/json_tree.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

using Json = JsonTree;

std::string clock_text(double clock_Hz) {
    if (clock_Hz == turbo_clock) return "turbo";
    return is_known(clock_Hz) ? fmt::format("{:g} GHz", clock_Hz * 1e-9) : "its nominal clock";
}

std::string rate_text(double work, double seconds) {
    return is_known(work) && seconds > 0 ? fmt::format("{:.3g}", work / seconds * 1e-9) : "n/a";
}

std::string loops_text(const CodeProjection &p) {
    TextTable table({5});
    table.row({"loop", "time [s]", "[%]", "GFLOP/s", "GB/s", "limited by"});
    const CodeTime &one = p.times.front();
    const double share = 1.0 / static_cast<double>(p.nodes.front());
    for (std::size_t l = 0; l < p.loops.size(); ++l) {
        const LoopTime &t = one.loops[l];
        table.row({short_name(p.loops[l].name, 34), Decimal{t.total_s()}, per_cent_text(t.total_s() / one.total_s()),
                   rate_text(p.loops[l].flop * share, t.total_s()),
                   rate_text(p.loops[l].moved_B * share, t.total_s()),
                   t.compute_s > t.move_s ? "operations" : "moving data"});
    }
    return fmt::format(fmt::runtime(p.nodes.front() == 1 ? "On one node:\n\n" : "On each of {} nodes:\n\n"),
                       p.nodes.front()) +
           table.text();
}

std::string nodes_text(const CodeProjection &p) {
    TextTable table;
    table.row({"nodes", "time to solution [s]", "loops [s]", "communication [s]", "speed-up", "efficiency [%]",
               "energy [J]"});
    const double first = p.times.front().total_s() * static_cast<double>(p.nodes.front());
    for (std::size_t n = 0; n < p.nodes.size(); ++n) {
        const double seconds = p.times[n].total_s();
        table.row({count_text(p.nodes[n]), Decimal{seconds}, Decimal{p.times[n].loops_s()},
                   Decimal{p.times[n].communication_s}, fmt::format("{:.2f}", p.times.front().total_s() / seconds),
                   per_cent_text(first / (seconds * static_cast<double>(p.nodes[n]))), Decimal{p.joules(n)}});
    }
    return table.text() +
           (is_known(p.joules(0))
                ? ""
                : "Energy: n/a, the machine's file has no power at these threads and this clock, or none "
                  "at idle.\n");
}

} // namespace

double CodeProjection::joules(std::size_t n) const {
    double sum = times[n].communication_s * (package.idle_W + dram.idle_W);
    for (const LoopTime &loop : times[n].loops)
        sum += overlapped_energy_J(loop.compute_s, loop.move_s, package, dram);
    return sum * static_cast<double>(nodes[n]);
}

std::string for_each_socket(double times_as_fast, double sockets, double other_sockets) {
    if (!is_known(sockets) || !is_known(other_sockets) || sockets == other_sockets) return "";
    return fmt::format("; its figures are of {:g} {} against {:g}: {:.2f} times for each", sockets,
                       sockets == 1 ? "socket" : "sockets", other_sockets, times_as_fast * other_sockets / sockets);
}

std::string code_as_text(const std::vector<CodeProjection> &projections) {
    std::string text;
    for (const CodeProjection &p : projections) {
        text += fmt::format("{}, {} at {}\n\n", safe_name(p.machine), counted(p.at.threads, "thread", "threads"),
                            clock_text(p.at.clock_Hz)) +
                loops_text(p) + "\n" + nodes_text(p) + "\n";
    }
    for (std::size_t p = 1; p < projections.size(); ++p) {
        const double times = projections[0].times.front().total_s() / projections[p].times.front().total_s();
        text += fmt::format("{} is {:.2f} times as fast as {}, on {}{}.\n", safe_name(projections[p].machine), times,
                            safe_name(projections[0].machine), counted(projections[0].nodes.front(), "node"),
                            for_each_socket(times, projections[p].sockets, projections[0].sockets));
    }
    const bool silent =
        std::ranges::all_of(projections, [](const CodeProjection &p) { return p.times.back().communication_s == 0; });
    if (silent && projections.front().nodes.size() > 1)
        text += "Messages between nodes are not in these times (--pattern adds them): a bound, not a forecast.\n";
    return text;
}

std::string code_as_json(const std::vector<CodeProjection> &projections) {
    Json root = Json::array();
    for (const CodeProjection &p : projections) {
        Json one = {{"machine", p.machine}, {"threads", p.at.threads}, {"clock_Hz", p.at.clock_Hz}};
        one["sockets"] = p.sockets;
        one["turbo"] = p.at.clock_Hz == turbo_clock;
        for (std::size_t n = 0; n < p.nodes.size(); ++n) {
            const CodeTime &t = p.times[n];
            Json at = {{"nodes", p.nodes[n]},
                       {"seconds", t.total_s()},
                       {"loops_s", t.loops_s()},
                       {"communication_s", t.communication_s},
                       {"joules", p.joules(n)}};
            for (std::size_t l = 0; l < p.loops.size(); ++l) {
                at["loops"].push_back({{"loop", p.loops[l].name},
                                       {"compute_s", t.loops[l].compute_s},
                                       {"move_s", t.loops[l].move_s},
                                       {"seconds", t.loops[l].total_s()},
                                       {"flops", p.loops[l].flop / static_cast<double>(p.nodes[n])},
                                       {"bytes", p.loops[l].moved_B / static_cast<double>(p.nodes[n])}});
            }
            one["projections"].push_back(std::move(at));
        }
        root.push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

std::string code_as_svg(const std::vector<CodeProjection> &projections) {
    SvgChart chart{"Time to solution", {"nodes", true}, {"time to solution [s]", true}, {}};
    for (const std::int64_t n : projections.front().nodes)
        chart.x.ticks.push_back(static_cast<double>(n));
    for (const CodeProjection &p : projections) {
        ChartSeries series{p.called, {}};
        for (std::size_t n = 0; n < p.nodes.size(); ++n)
            series.points.push_back({static_cast<double>(p.nodes[n]), p.times[n].total_s()});
        chart.series.push_back(std::move(series));
    }
    return svg_of(chart);
}

} // namespace cpl_lb
