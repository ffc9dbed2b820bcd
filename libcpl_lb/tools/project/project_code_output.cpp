// Codes of loops: times over numbers of nodes, and coefficients from measured runs.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/project/project_output.hpp"

#include <algorithm>
#include <cmath>

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
    TextTable table;
    table.left(5);
    table.row({"loop", "time [s]", "[%]", "GFLOP/s", "GB/s", "limited by"});
    const CodeTime &one = p.times.front();
    const double share = 1.0 / static_cast<double>(p.nodes.front());
    for (std::size_t l = 0; l < p.loops.size(); ++l) {
        const LoopTime &t = one.loops[l];
        table.row({short_name(p.loops[l].name, 34), number_text(t.total_s()),
                   per_cent_text(t.total_s() / one.total_s()), rate_text(p.loops[l].flop * share, t.total_s()),
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
        table.row({count_text(p.nodes[n]), number_text(seconds), number_text(p.times[n].loops_s()),
                   number_text(p.times[n].communication_s),
                   fmt::format("{:.2f}", p.times.front().total_s() / seconds),
                   per_cent_text(first / (seconds * static_cast<double>(p.nodes[n]))), number_text(p.joules(n))});
    }
    return table.text() +
           (is_known(p.joules(0))
                ? ""
                : "Energy: n/a, the machine's file has no power at these threads and this clock, or none "
                  "at idle.\n");
}

std::string column(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "";
}

std::string coefficient_text(double value) {
    return is_known(value) ? fmt::format("{:.4g}", value) : "n/a";
}

// The largest of what is known, in absolute value.
double worst(const std::vector<double> &errors) {
    double most = unknown;
    for (const double e : errors)
        if (is_known(e) && !(std::abs(e) <= most)) most = std::abs(e);
    return most;
}

} // namespace

double CodeProjection::joules(std::size_t n) const {
    double sum = times[n].communication_s * (package.idle_W + dram.idle_W);
    for (const LoopTime &loop : times[n].loops)
        sum += overlapped_energy_J(loop.compute_s, loop.move_s, package, dram);
    return sum * static_cast<double>(nodes[n]);
}

std::string code_as_text(const std::vector<CodeProjection> &projections) {
    std::string text;
    for (const CodeProjection &p : projections) {
        text += fmt::format("{}, {} at {}\n\n", safe_name(p.machine), counted(p.at.threads, "thread", "threads"),
                            clock_text(p.at.clock_Hz)) +
                loops_text(p) + "\n" + nodes_text(p) + "\n";
    }
    for (std::size_t p = 1; p < projections.size(); ++p) {
        text += fmt::format("{} is {:.2f} times as fast as {}, on {}.\n", safe_name(projections[p].machine),
                            projections[0].times.front().total_s() / projections[p].times.front().total_s(),
                            safe_name(projections[0].machine), counted(projections[0].nodes.front(), "node"));
    }
    const bool silent = std::all_of(projections.begin(), projections.end(),
                                    [](const CodeProjection &p) { return p.times.back().communication_s == 0; });
    if (silent && projections.front().nodes.size() > 1)
        text +=
            "Messages between nodes are not in these times (--seconds-per-B adds them): a bound, not a forecast.\n";
    return text;
}

std::string code_as_json(const std::vector<CodeProjection> &projections) {
    Json root = Json::array();
    for (const CodeProjection &p : projections) {
        Json one = {{"machine", p.machine}, {"threads", p.at.threads}, {"clock_Hz", JsonTree::number(p.at.clock_Hz)}};
        one["turbo"] = p.at.clock_Hz == turbo_clock;
        for (std::size_t n = 0; n < p.nodes.size(); ++n) {
            const CodeTime &t = p.times[n];
            Json at = {{"nodes", p.nodes[n]},
                       {"seconds", t.total_s()},
                       {"loops_s", t.loops_s()},
                       {"communication_s", t.communication_s},
                       {"joules", JsonTree::number(p.joules(n))}};
            for (std::size_t l = 0; l < p.loops.size(); ++l) {
                at["loops"].push_back(
                    {{"loop", p.loops[l].name},
                     {"compute_s", t.loops[l].compute_s},
                     {"move_s", t.loops[l].move_s},
                     {"seconds", t.loops[l].total_s()},
                     {"flops", JsonTree::number(p.loops[l].flop / static_cast<double>(p.nodes[n]))},
                     {"bytes", JsonTree::number(p.loops[l].moved_B / static_cast<double>(p.nodes[n]))}});
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

namespace {

bool has_check(const FittedLoop &loop) {
    return std::any_of(loop.fit.left_out_error.begin(), loop.fit.left_out_error.end(), is_known);
}

} // namespace

std::string fit_as_text(const std::string &machine, const std::vector<FittedLoop> &loops) {
    TextTable table;
    table.row({"loop", "runs", "U", "V (L1)", "X (L2)", "Y (L3)", "Z (DRAM)", "worst error [%]", "left out [%]"});
    std::string unchecked;
    for (const FittedLoop &l : loops) {
        if (!has_check(l)) unchecked += (unchecked.empty() ? "" : ", ") + safe_name(l.name);
        const LoopCoefficients &c = l.fit.coefficients;
        table.row({short_name(l.name, 34), count_text(static_cast<std::int64_t>(l.runs.size())),
                   coefficient_text(c.u), coefficient_text(c.v), coefficient_text(c.x), coefficient_text(c.y),
                   coefficient_text(c.z), per_cent_text(worst(l.fit.error)),
                   per_cent_text(worst(l.fit.left_out_error))});
    }
    return fmt::format("Coefficients on {}\n\n", safe_name(machine)) + table.text() +
           "\nWorst error: of a run's time with these coefficients. Left out: of a run that the coefficients were "
           "not\n"
           "fitted to, each left out in turn; this is what to expect of a projection.\n" +
           (unchecked.empty()
                ? ""
                : wrapped("No check of " + unchecked + ": as many runs as coefficients. One run more gives one.",
                          100));
}

std::string fit_as_json(const std::string &machine, const std::vector<FittedLoop> &loops) {
    Json root = {{"machine", machine}};
    for (const FittedLoop &l : loops) {
        const LoopCoefficients &c = l.fit.coefficients;
        Json one = {{"loop", l.name}, {"U", JsonTree::number(c.u)}, {"V", c.v}, {"X", c.x}, {"Y", c.y}, {"Z", c.z}};
        one["checked"] = has_check(l);
        for (std::size_t r = 0; r < l.runs.size(); ++r) {
            one["runs"].push_back({{"threads", l.runs[r].at.threads},
                                   {"clock_Hz", JsonTree::number(l.runs[r].at.clock_Hz)},
                                   {"seconds", l.runs[r].seconds},
                                   {"error", JsonTree::number(l.fit.error[r])},
                                   {"left_out_error", JsonTree::number(l.fit.left_out_error[r])}});
        }
        root["loops"].push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

std::string fit_as_csv(const std::vector<FittedLoop> &loops) {
    std::string text = "loop,flops,bytes,U,V,X,Y,Z\n";
    for (const FittedLoop &l : loops) {
        const LoopCoefficients &c = l.fit.coefficients;
        std::string name = l.name;
        for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2)
            name.insert(at, 1, '"');
        text += fmt::format("\"{}\",{},{},{},{},{},{},{}\n", name, column(l.runs.front().flop),
                            column(l.runs.front().moved_B), column(c.u), column(c.v), column(c.x), column(c.y),
                            column(c.z));
    }
    return text;
}

} // namespace cpl_lb
