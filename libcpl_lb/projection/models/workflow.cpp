// Reads a workflow from its TOML file, works out the time of each code, and goes through all combinations of machines
// and nodes: time and energy of codes in sequence and side by side, with the idle power of the one that ends first.
#include "projection/models/workflow.hpp"

#include "io/files/file_handle.hpp"
#include "io/toml/toml_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/energy_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>

namespace cpl_lb {
namespace {

// As a share of the length. Anything smaller is the rounding of sums.
constexpr double rounding_of_sums = 1e-9;

struct Allocation {
    double busy_s = 0, idle_W = unknown;
};

const std::string &allocation_of(const CodeCost &code) {
    return code.allocation.empty() ? code.name : code.allocation;
}

// Two codes of 1 s among others of none take 2 s when they follow each other, 1 s side by side.
bool side_by_side(const Concurrency &order, std::size_t codes, std::size_t a, std::size_t b) {
    std::vector<double> seconds(codes, 0.0);
    seconds[a] = seconds[b] = 1;
    return order.length_s(seconds) < 1.5;
}

void check_allocations(const Concurrency &order, const std::vector<CodeCost> &codes) {
    for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = a + 1; b < codes.size(); ++b) {
            if (allocation_of(codes[a]) == allocation_of(codes[b]) && side_by_side(order, codes.size(), a, b))
                throw ProjectionError(codes[a].name + " and " + codes[b].name +
                                      " share an allocation and cannot run side by side");
        }
    }
}

constexpr TomlBounds seconds_bounds = {1e-12, 1e10}, watt_bounds = {1e-3, 1e7}, share_bounds = {0, 1},
                     coefficient_bounds = {0, 1e3}, byte_bounds = {0, 1e18};

// The part of [[code]] that holds for all its machines and nodes.
struct CodeEntry {
    std::string loops, kernels, domain;
    std::vector<double> seconds; // of one node: one, or one for each machine
    MachineSetting at;
    PatternedExchange exchange;
    WorkParameters parameters;                         // of loops
    double power_W = unknown, idle_W = unknown;        // of one node
    PowerCoefficients package, dram;                   // or by the machine's powers
    double gpu_share = unknown, host_idle_W = unknown; // or a GPU's
};

// A path beside the workflow's file.
std::string beside(const std::string &workflow, const std::string &path) {
    return path.empty() ? path : (std::filesystem::path(workflow).parent_path() / path).string();
}

void read_power(TomlTable &table, CodeEntry &entry) {
    entry.power_W = table.number("power_W", watt_bounds);
    entry.idle_W = table.number("idle_W", watt_bounds);
    entry.package = {table.number("package_U", coefficient_bounds), table.number("package_S", coefficient_bounds)};
    entry.dram = {table.number("dram_X", coefficient_bounds), table.number("dram_Y", coefficient_bounds)};
    entry.gpu_share = table.number("gpu_power_share", share_bounds);
    entry.host_idle_W = table.number("host_idle_W", watt_bounds);
}

void read_parameters(TomlTable &table, CodeEntry &entry, const std::string &path) {
    const std::string file = beside(path, table.text("parameters")), row = table.text("case");
    if (file.empty() != row.empty() || (!file.empty() && entry.loops.empty()))
        table.fail("parameters", "loops, parameters and case belong together");
    if (!file.empty()) entry.parameters = WorkParameters::of_case(file, row);
}

void read_pattern(TomlTable &table, const std::string &pattern, PatternedExchange &x) {
    try {
        x.pattern = exchange_pattern_of(pattern);
    } catch (const ProjectionError &error) {
        table.fail("pattern", error.what());
    }
    const std::vector<double> grid = table.numbers("grid", {1, 1e9});
    x.point_B = table.number("point_B", byte_bounds);
    const double halo = table.number("halo", {1e-3, 1e6});
    if (is_known(halo)) x.halo_width = halo;
    if (grid.size() != 2 || !is_known(x.point_B) || !is_known(x.plain.seconds_per_B) || !is_known(x.plain.iterations))
        table.fail("pattern", "needs grid (two numbers), point_B, seconds_per_B, exchanges");
    x.grid_x = static_cast<std::int64_t>(grid[0]);
    x.grid_y = static_cast<std::int64_t>(grid[1]);
    const double latency = table.number("latency_s", {0, 1});
    x.plain.latency_s = is_known(latency) ? latency : 0;
}

void read_exchange(TomlTable &table, PatternedExchange &x) {
    NodeExchange &e = x.plain;
    e = {table.number("seconds_per_B", {0, 1}), table.number("in_B", byte_bounds), table.number("out_B", byte_bounds),
         table.number("exchanges", {0, 1e12})};
    const std::string pattern = table.text("pattern");
    if (!pattern.empty()) return read_pattern(table, pattern, x);
    const bool all = is_known(e.seconds());
    const bool none =
        !table.find("seconds_per_B") && !table.find("in_B") && !table.find("out_B") && !table.find("exchanges");
    if (!all && !none) table.fail("", "seconds_per_B, in_B, out_B and exchanges belong together");
    if (none) e = {};
}

CodeEntry read_entry(TomlTable &table, const std::string &path) {
    CodeEntry entry;
    entry.loops = beside(path, table.text("loops"));
    entry.kernels = beside(path, table.text("kernels"));
    entry.domain = table.text("domain");
    entry.seconds = table.numbers("seconds", seconds_bounds);
    const int kinds =
        (entry.loops.empty() ? 0 : 1) + (entry.kernels.empty() ? 0 : 1) + (entry.seconds.empty() ? 0 : 1);
    if (kinds != 1) table.fail("", "one of loops, kernels, seconds must say how long it takes");
    if (entry.kernels.empty() != entry.domain.empty()) table.fail("domain", "kernels and domain belong together");
    const double threads = table.number("threads", {1, 1e6});
    if (is_known(threads)) entry.at.threads = static_cast<int>(threads);
    const double clock_GHz = table.number("clock_GHz", {0.01, 100});
    if (is_known(clock_GHz)) entry.at.clock_Hz = clock_GHz * 1e9;
    read_parameters(table, entry, path);
    read_exchange(table, entry.exchange);
    read_power(table, entry);
    return entry;
}

double seconds_on(const CodeEntry &entry, std::size_t which, const Machine &machine, int nodes) {
    if (!entry.seconds.empty()) {
        const double alone = entry.seconds[entry.seconds.size() == 1 ? 0 : which];
        return alone / nodes + (nodes > 1 ? entry.exchange.on(nodes).seconds() : 0);
    }
    if (!entry.kernels.empty()) {
        double sum = nodes > 1 ? entry.exchange.on(nodes).seconds() : 0;
        for (const GpuKernel &kernel : read_gpu_kernels(entry.kernels))
            sum += gpu_time(kernel, machine, cells_of(entry.domain) / nodes).total_s();
        return sum;
    }
    const NodeRates one = node_rates(machine, on_all_threads(machine, entry.at));
    const std::vector<NodeRates> rates(static_cast<std::size_t>(nodes), one);
    return code_time(read_loops(entry.loops, entry.parameters), rates, entry.exchange.on(nodes)).total_s();
}

// Power of one node while the code runs and while it does not; unknown if nobody says.
DomainPower power_on(const CodeEntry &entry, const Machine &machine) {
    DomainPower power{entry.power_W, entry.idle_W};
    const MachineSetting at = on_all_threads(machine, entry.at);
    const PowerDraw idle = power_of(machine, {0, entry.at.clock_Hz});
    const PowerDraw full = at.threads > 0 ? power_of(machine, at) : PowerDraw{};
    if (!is_known(power.full_W) && machine.has_gpu) {
        const double limit = machine.gpu.power_limit_W;
        const double share = is_known(entry.gpu_share) ? entry.gpu_share : machine.gpu.average_power_W / limit;
        power.full_W = gpu_node_power_W(entry.host_idle_W, limit, share);
    } else if (!is_known(power.full_W)) {
        power.full_W = modelled_power_W(entry.package, full.package_W, idle.package_W) +
                       modelled_power_W(entry.dram, full.dram_W, idle.dram_W);
    }
    if (!is_known(power.idle_W)) power.idle_W = machine.has_gpu ? unknown : idle.package_W + idle.dram_W;
    return power;
}

PlannedCode read_code(TomlTable &table, const std::string &path) {
    PlannedCode code;
    code.name = table.required_text("name");
    code.allocation = table.text("allocation");
    if (code.allocation.empty()) code.allocation = code.name;
    const CodeEntry entry = read_entry(table, path);
    const std::vector<std::string> machines = table.texts("machine");
    if (machines.empty()) table.fail("machine", "is missing");
    if (entry.seconds.size() > 1 && entry.seconds.size() != machines.size())
        table.fail("seconds", "one, or one for each machine");
    std::vector<int> node_counts = table.whole_numbers("nodes", {1, 1e6});
    if (node_counts.empty()) node_counts = {1};
    for (std::size_t which = 0; which < machines.size(); ++which) {
        const std::string &name = machines[which];
        const bool is_file = name.find('/') != std::string::npos || name.find(".toml") != std::string::npos;
        const Machine machine = load_machine(is_file ? beside(path, name) : name);
        const DomainPower power = power_on(entry, machine);
        for (const int nodes : node_counts) {
            try {
                const double seconds = seconds_on(entry, which, machine, nodes);
                code.choices.push_back(
                    {name,
                     nodes,
                     {code.name, code.allocation, seconds, seconds * power.full_W * nodes, power.idle_W * nodes}});
            } catch (const ProjectionError &error) {
                table.fail("machine", error.what());
            } catch (const std::invalid_argument &error) {
                table.fail("domain", error.what());
            }
        }
    }
    table.nothing_else();
    return code;
}

constexpr double most_answers = 1e5;

bool allocations_agree(const WorkflowPlan &plan, const std::vector<std::size_t> &choice) {
    for (std::size_t a = 0; a < choice.size(); ++a) {
        for (std::size_t b = a + 1; b < choice.size(); ++b) {
            const CodeChoice &x = plan.codes[a].choices[choice[a]], &y = plan.codes[b].choices[choice[b]];
            const bool shared = plan.codes[a].allocation == plan.codes[b].allocation;
            if (shared && (x.machine != y.machine || x.nodes != y.nodes)) return false;
        }
    }
    return true;
}

WorkflowCost cost_of(const WorkflowPlan &plan, const Concurrency &order, const std::vector<std::size_t> &choice) {
    std::vector<CodeCost> codes;
    codes.reserve(choice.size());
    for (std::size_t c = 0; c < choice.size(); ++c)
        codes.push_back(plan.codes[c].choices[choice[c]].cost);
    WorkflowCost cost = workflow_cost(order, codes);
    cost.seconds *= plan.runs;
    cost.joules *= plan.runs;
    cost.idle_J *= plan.runs;
    return cost;
}

// The next combination, the last code fastest; false after the last.
bool advance(const WorkflowPlan &plan, std::vector<std::size_t> &choice) {
    for (std::size_t c = choice.size(); c-- > 0;) {
        if (++choice[c] < plan.codes[c].choices.size()) return true;
        choice[c] = 0;
    }
    return false;
}

} // namespace

WorkflowCost workflow_cost(const Concurrency &order, const std::vector<CodeCost> &codes) {
    check_allocations(order, codes);
    std::vector<double> seconds;
    seconds.reserve(codes.size());
    for (const CodeCost &code : codes)
        seconds.push_back(code.seconds);
    WorkflowCost cost;
    cost.seconds = order.length_s(seconds);
    cost.joules = cost.idle_J = 0;
    std::map<std::string, Allocation> allocations;
    for (const CodeCost &code : codes) {
        Allocation &a = allocations.try_emplace(allocation_of(code), Allocation{0, code.idle_W}).first->second;
        a.busy_s += code.seconds;
        cost.joules += code.joules;
    }
    for (const auto &[name, a] : allocations)
        if (a.busy_s < cost.seconds * (1 - rounding_of_sums)) cost.idle_J += a.idle_W * (cost.seconds - a.busy_s);
    cost.joules += cost.idle_J;
    return cost;
}

std::vector<std::size_t> best_of(const std::vector<WorkflowCost> &answers) {
    std::vector<std::size_t> order(answers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto energy = [&](std::size_t i) { return answers[i].joules; };
    const bool known = std::ranges::all_of(order, [&](std::size_t i) { return is_known(energy(i)); });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (answers[a].seconds != answers[b].seconds) return answers[a].seconds < answers[b].seconds;
        return known && energy(a) < energy(b);
    });
    std::vector<std::size_t> best;
    for (const std::size_t i : order)
        if (best.empty() || (known && energy(i) < energy(best.back()))) best.push_back(i);
    return best;
}

WorkflowPlan read_workflow(const std::string &path) {
    const TomlNode root = parse_toml(read_text_file(path), path);
    TomlTable table(path, root, "");
    WorkflowPlan plan;
    plan.name = table.text("name");
    plan.order = table.required_text("order");
    const double runs = table.number("runs", {1, 1e12});
    if (is_known(runs)) plan.runs = runs;
    std::vector<std::string> names;
    for (TomlTable &code : table.tables("code")) {
        plan.codes.push_back(read_code(code, path));
        names.push_back(plan.codes.back().name);
    }
    table.nothing_else();
    if (plan.codes.empty()) table.fail(1, "code", "there is no [[code]]");
    try {
        (void)Concurrency(plan.order, names);
    } catch (const PredictionError &error) {
        table.fail("order", error.what());
    }
    return plan;
}

std::vector<WorkflowAnswer> all_answers(const WorkflowPlan &plan) {
    double number = 1;
    std::vector<std::string> names;
    for (const PlannedCode &code : plan.codes) {
        number *= static_cast<double>(code.choices.size());
        names.push_back(code.name);
    }
    if (number > most_answers)
        throw ProjectionError("the workflow has more than 100000 combinations of machines and nodes");
    const Concurrency order(plan.order, names);
    std::vector<WorkflowAnswer> answers;
    std::vector<std::size_t> choice(plan.codes.size(), 0);
    do
        if (allocations_agree(plan, choice)) answers.push_back({choice, cost_of(plan, order, choice)});
    while (advance(plan, choice));
    if (answers.empty())
        throw ProjectionError("codes that share an allocation have no machine and number of nodes in common");
    return answers;
}

} // namespace cpl_lb
