// A code of loops: its options, and its times on each machine.
#include "projection/machine/machine_file.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/tools/project/project_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/fmt.hpp"

#include <charconv>
#include <stdexcept>

namespace cpl_lb {
namespace {

// "200x180" to two numbers; false for anything else.
bool read_grid(const std::string &text, std::int64_t &x, std::int64_t &y) {
    const char *const end = text.data() + text.size();
    const auto [cross, error] = std::from_chars(text.data(), end, x);
    if (error != std::errc() || cross == end || *cross != 'x') return false;
    const auto [rest, y_error] = std::from_chars(cross + 1, end, y);
    return y_error == std::errc() && rest == end && x > 0 && y > 0 && x < 1'000'000'000 && y < 1'000'000'000;
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

MachineSetting setting_on(const Machine &machine, MachineSetting at) {
    if (at.threads == 0) at.threads = most_threads(machine);
    return at;
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
        p.at = setting_on(machine, at);
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
        RatesProjection p{machine.name, setting_on(machine, at), sockets_of_figures(machine), {}};
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

} // namespace cpl_lb
