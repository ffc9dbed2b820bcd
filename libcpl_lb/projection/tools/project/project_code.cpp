// cpl-lb machine project: a code of loops, its times on each machine over numbers of nodes, and their output.
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/tools/project/project_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct ProjectOptions {
    std::string table, parameters, work_case; // files, and a row of `parameters`
    std::vector<std::string> machines, set;   // set: NAME=NUMBER
    std::vector<std::int64_t> nodes = {1};
    std::int64_t threads = 0;         // 0: all of a machine
    std::string clock, pattern, grid; // grid: "200x180"
    PatternedExchange exchange{ExchangePattern::plain, {unknown, 0, 0, unknown, 0, 0}};
    bool json = false;
};

// The code on one machine over numbers of nodes.
struct CodeProjection {
    std::string machine;
    MachineSetting at;
    std::vector<CodeLoop> loops;
    std::vector<std::int64_t> nodes;
    std::vector<CodeTime> times; // for each number of nodes
    double sockets = unknown;    // that the machine's figures are of
    DomainPower package, dram;   // of one node, under full load and idle; NaN: the machine's file has none

    // Energy of all nodes: each loop by section 5.2, and both domains idle while messages travel. NaN: not known.
    [[nodiscard]] double joules(std::size_t n) const {
        double sum = times[n].communication_s * (package.idle_W + dram.idle_W);
        for (const LoopTime &loop : times[n].loops)
            sum += overlapped_energy_J(loop.compute_s, loop.move_s, package, dram);
        return sum * static_cast<double>(nodes[n]);
    }
};

std::vector<std::int64_t> grid_of(const std::string &text) {
    std::vector<std::int64_t> sides = sides_of(text);
    if (sides.size() != 2 || std::ranges::max(sides) >= 1'000'000'000)
        throw std::invalid_argument("write two whole numbers, as 200x180: " + text);
    return sides;
}

// The times of a byte and of a message: what the user says, else what the machine's file has of its network.
PatternedExchange exchange_on(const ProjectOptions &o, const Machine &machine) {
    if (o.pattern.empty()) return {};
    PatternedExchange exchange = o.exchange;
    exchange.pattern = exchange_pattern_of(o.pattern);
    const std::vector<std::int64_t> grid = grid_of(o.grid);
    exchange.grid_x = grid[0];
    exchange.grid_y = grid[1];
    NodeExchange &times = exchange.plain;
    if (is_known(times.seconds_per_B)) return exchange;
    const auto link = std::ranges::find(machine.network, "nodes", &NetworkLink::between);
    if (link == machine.network.end() || !(link->B_per_s > 0))
        throw ProjectionError(machine.name + " has no [[network]] between nodes: give --seconds-per-B");
    times.seconds_per_B = 1 / link->B_per_s;
    if (is_known(link->latency_s)) times.latency_s = link->latency_s;
    return exchange;
}

std::vector<CodeProjection> project_code(const ProjectOptions &o, const std::vector<CodeLoop> &loops,
                                         MachineSetting at) {
    std::vector<CodeProjection> all;
    for (const std::string &name : o.machines) {
        const Machine machine = load_machine(name);
        CodeProjection p;
        p.machine = machine.name;
        p.at = on_all_threads(machine, at);
        p.loops = loops;
        p.nodes = o.nodes;
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

using Json = JsonTree;

std::string loops_text(const CodeProjection &p) {
    TextTable table({5});
    table.row({"loop", "time [s]", "[%]", "GFLOP/s", "GB/s", "limited by"});
    const CodeTime &one = p.times.front();
    const double share = 1.0 / static_cast<double>(p.nodes.front());
    for (std::size_t l = 0; l < p.loops.size(); ++l) {
        const LoopTime &t = one.loops[l];
        table.row({short_name(p.loops[l].name, 34), Decimal{t.total_s()}, per_cent_text(t.total_s() / one.total_s()),
                   digits_text(1e-9 * p.loops[l].flop * share / t.total_s(), 3),
                   digits_text(1e-9 * p.loops[l].moved_B * share / t.total_s(), 3),
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
                   Decimal{p.times[n].communication_s}, decimal_text(p.times.front().total_s() / seconds, 2),
                   per_cent_text(first / (seconds * static_cast<double>(p.nodes[n]))), Decimal{p.joules(n)}});
    }
    return table.text() +
           (is_known(p.joules(0))
                ? ""
                : "Energy: n/a, the machine's file has no power at these threads and this clock, or none "
                  "at idle.\n");
}

// "the same figures": ", of 2 sockets against 1: 1.61 times for each"; empty if they are of equally many.
std::string for_each_socket(double times_as_fast, double sockets, double other_sockets) {
    if (!is_known(sockets) || !is_known(other_sockets) || sockets == other_sockets) return "";
    return fmt::format("; its figures are of {:g} {} against {:g}: {} times for each", sockets,
                       sockets == 1 ? "socket" : "sockets", other_sockets,
                       decimal_text(times_as_fast * other_sockets / sockets, 2));
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
        text += fmt::format("{} is {} times as fast as {}, on {}{}.\n", safe_name(projections[p].machine),
                            decimal_text(times, 2), safe_name(projections[0].machine),
                            counted(projections[0].nodes.front(), "node"),
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

WorkParameters work_parameters(const ProjectOptions &o) {
    WorkParameters parameters;
    if (!o.parameters.empty()) parameters = WorkParameters::of_case(o.parameters, o.work_case);
    for (const std::string &setting : o.set)
        parameters.set(setting);
    return parameters;
}

void run_project(const ProjectOptions &o) {
    const std::vector<CodeLoop> loops = read_loops(o.table, work_parameters(o));
    const MachineSetting at{static_cast<int>(o.threads), clock_of(o.clock)};
    const std::vector<CodeProjection> all = project_code(o, loops, at);
    print(o.json ? code_as_json(all) : code_as_text(all));
}

void add_work_options(cli::App &command, ProjectOptions &o) {
    auto *parameters = command.add_option("--parameters", o.parameters,
                                          "values of the parameters in TABLE: a table with the column case and one "
                                          "column for each parameter");
    auto *work_case = command.add_option("--case", o.work_case, "row of --parameters");
    parameters->type_name("FILE")->needs(work_case);
    work_case->type_name("NAME")->needs(parameters);
    add_set_option(command, o.set, "value of a parameter of TABLE: NSMAX=639; may be given several times");
}

void add_message_options(cli::App &command, ProjectOptions &o) {
    auto *pattern = command.add_option("--pattern", o.pattern, "how nodes exchange the field of --grid");
    pattern->check(cli::one_of({"halo", "all-to-all", "gather", "scatter"}));
    NodeExchange &times = o.exchange.plain;
    for (cli::Option *of_field :
         {command.add_option("--grid", o.grid, "columns of the field: 200x180")->check(refusal<grid_of>),
          command.add_option("--point-B", o.exchange.point_B, "bytes of a column: levels x variables x 8")
              ->check(cli::positive()),
          command.add_option("--exchanges", times.iterations, "number of exchanges in the run")
              ->check(cli::not_negative())}) {
        pattern->needs(of_field);
        of_field->needs(pattern);
    }
    command
        .add_option("--seconds-per-B", times.seconds_per_B,
                    "T_single: time of a byte between nodes [s]; default: the machine's network")
        ->check(cli::positive())
        ->needs(pattern);
}

} // namespace

void add_project_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "project",
        "Estimates the run time of a code of loops on other machines\nOver numbers of nodes, with messages "
        "between them and energy (docs/machines.md).");
    const auto o = std::make_shared<ProjectOptions>();
    command
        ->add_option("TABLE", o->table,
                     "loops with their work (numbers, or expressions in parameters) and coefficients")
        ->required();
    command->add_option("--machine", o->machines, "machines, by name (cpl-lb machine --list) or file")
        ->delimiter(',')
        ->required();
    command->add_option("--threads", o->threads, "threads of a node; default: all")->check(cli::count());
    add_clock_option(*command, o->clock);
    command->add_option("--nodes", o->nodes, "numbers of nodes, 1,2,4,8; default: 1")
        ->delimiter(',')
        ->check(cli::count());
    add_work_options(*command, *o);
    add_message_options(*command, *o);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_project(*o); });
}

} // namespace cpl_lb
