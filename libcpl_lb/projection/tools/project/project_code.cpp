// A code of loops: its options, its times on each machine over numbers of nodes, and their output.
#include "projection/tools/project/project_output.hpp"

#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/tools/projection_commands.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <stdexcept>

namespace cpl_lb {
namespace {

// "200x180" to two numbers; false for anything else.
bool read_grid(const std::string &text, std::int64_t &x, std::int64_t &y) {
    const std::string_view both = text;
    const std::size_t cross = both.find('x');
    if (cross == std::string_view::npos || !read_number(both.substr(0, cross), x)) return false;
    return read_number(both.substr(cross + 1), y) && x > 0 && y > 0 && x < 1'000'000'000 && y < 1'000'000'000;
}

std::string not_a_grid(const std::string &text) {
    std::int64_t x = 0, y = 0;
    return read_grid(text, x, y) ? "" : "write two whole numbers, as 200x180: " + text;
}

const NetworkLink *link_between_nodes(const Machine &machine) {
    for (const NetworkLink &link : machine.network)
        if (link.between == "nodes") return &link;
    return nullptr;
}

// The times of a byte and of a message: what the user says, else what the machine's file has of its network.
PatternedExchange exchange_on(const LoopOptions &o, const Machine &machine) {
    PatternedExchange exchange = o.exchange;
    exchange.pattern = exchange_pattern_of(o.pattern);
    NodeExchange &times = exchange.plain;
    const bool asked = exchange.pattern != ExchangePattern::plain || is_known(times.seconds_per_B);
    if (!asked) return {};
    if (exchange.pattern != ExchangePattern::plain) {
        if (o.grid.empty() || !is_known(exchange.point_B) || !is_known(times.iterations))
            throw ProjectionError("--pattern " + o.pattern + " needs --grid, --point-B and --exchanges");
        (void)read_grid(o.grid, exchange.grid_x, exchange.grid_y);
    } else if (!is_known(times.in_B) || !is_known(times.out_B) || !is_known(times.iterations)) {
        throw ProjectionError("--seconds-per-B needs --in, --out and --exchanges, or a --pattern");
    }
    const NetworkLink *const link = link_between_nodes(machine);
    if (!is_known(times.seconds_per_B)) {
        if (link == nullptr || !(link->B_per_s > 0))
            throw ProjectionError(machine.name + " has no [[network]] between nodes: give --seconds-per-B");
        times.seconds_per_B = 1 / link->B_per_s;
        if (!is_known(times.latency_s)) times.latency_s = link->latency_s;
    }
    if (!is_known(times.latency_s)) times.latency_s = 0;
    return exchange;
}

using Json = JsonTree;

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

void add_loop_options(cli::App &command, LoopOptions &o, cli::Option *loops) {
    auto *parameters =
        command
            .add_option(
                "--parameters", o.parameters,
                "values of the parameters in --loops: a table with the column case and one column for each parameter")
            ->type_name("FILE")
            ->needs(loops);
    auto *work_case =
        command.add_option("--case", o.work_case, "row of --parameters")->type_name("NAME")->needs(parameters);
    parameters->needs(work_case);
    command.add_option("--set", o.set, "value of a parameter of --loops: NSMAX=639; may be given several times")
        ->type_name("NAME=NUMBER")
        ->again()
        ->check(refusal<[](const std::string &text) { WorkParameters().set(text); }>)
        ->needs(loops);
    NodeExchange &e = o.exchange.plain;
    auto *time = command.add_option("--seconds-per-B", e.seconds_per_B,
                                    "T_single: time of a byte between nodes [s]; default: the machine's network");
    time->check(cli::positive())->needs(loops);
    auto *in = command.add_option("--in", e.in_B, "bytes that a node receives in one exchange");
    auto *out = command.add_option("--out", e.out_B, "bytes that a node sends in one exchange");
    auto *times = command.add_option("--exchanges", e.iterations, "number of exchanges in the run");
    auto *pattern = command
                        .add_option("--pattern", o.pattern,
                                    "how nodes exchange the field of --grid: halo, all-to-all, gather, scatter")
                        ->check(cli::one_of({"halo", "all-to-all", "gather", "scatter"}))
                        ->needs(loops);
    in->check(cli::not_negative())->needs(time)->needs(out)->excludes(pattern);
    out->check(cli::not_negative())->needs(time)->needs(in);
    times->check(cli::not_negative())->needs(loops);
    command
        .add_option("--latency", e.latency_s, "time of a message between nodes, without the time for its bytes [s]")
        ->check(cli::not_negative())
        ->needs(pattern);
    command.add_option("--grid", o.grid, "columns of the field: 200x180")->check(not_a_grid)->needs(pattern);
    command.add_option("--point-B", o.exchange.point_B, "bytes of a column: levels x variables x 8")
        ->check(cli::positive())
        ->needs(pattern);
    command
        .add_option("--halo", o.exchange.halo_width, "depth of the halo in columns, with --pattern halo; default: 1")
        ->check(cli::positive())
        ->needs(pattern);
}

WorkParameters work_parameters(const LoopOptions &o) {
    WorkParameters parameters;
    if (!o.parameters.empty()) parameters = WorkParameters::of_case(o.parameters, o.work_case);
    for (const std::string &setting : o.set)
        parameters.set(setting);
    return parameters;
}

std::vector<CodeProjection> project_code(const LoopOptions &o, const std::vector<CodeLoop> &loops,
                                         const std::vector<std::string> &machines, MachineSetting at,
                                         const std::vector<std::int64_t> &nodes) {
    std::vector<CodeProjection> all;
    for (const std::string &name : machines) {
        const Machine machine = load_machine(name);
        CodeProjection p;
        p.machine = machine.name;
        p.called = name;
        p.at = on_all_threads(machine, at);
        p.loops = loops;
        p.nodes = nodes.empty() ? std::vector<std::int64_t>{1} : nodes;
        p.sockets = sockets_of_figures(machine);
        const PowerDraw full = power_of(machine, p.at), idle = power_of(machine, {0, p.at.clock_Hz});
        p.package = {full.package_W, idle.package_W};
        p.dram = {full.dram_W, idle.dram_W};
        const NodeRates rates = node_rates(machine, p.at);
        const PatternedExchange exchange = exchange_on(o, machine);
        for (const std::int64_t n : p.nodes)
            p.times.push_back(
                code_time(loops, std::vector<NodeRates>(static_cast<std::size_t>(n), rates), exchange.on(n)));
        all.push_back(std::move(p));
    }
    return all;
}

std::vector<RatesProjection> project_rates(const std::vector<CodeLoop> &loops,
                                           const std::vector<std::string> &machines, MachineSetting at) {
    std::vector<RatesProjection> all;
    for (const std::string &name : machines) {
        const Machine machine = load_machine(name);
        RatesProjection p{machine.name, on_all_threads(machine, at), sockets_of_figures(machine), {}};
        const NodeRates rates = node_rates(machine, p.at);
        for (const CodeLoop &loop : loops) {
            const LoopCoefficients &c = loop.coefficients;
            p.loops.push_back({loop.name, is_known(c.u) ? 1 / seconds_per_flop(loop, rates) : unknown,
                               c.v + c.x + c.y + c.z > 0 ? 1 / seconds_per_byte(loop, rates) : unknown});
        }
        all.push_back(std::move(p));
    }
    return all;
}

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
                            is_known(p.at.clock_Hz) ? clock_text(p.at.clock_Hz) : "its nominal clock") +
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
