// Reads a machine from its TOML file (rates, levels, power, locality, GPU), or takes one that ships.
#include "io/files/file_handle.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/machine/machine_units.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>

namespace cpl_lb {
namespace {

using namespace machine_units;
using Array = std::vector<TomlNode>;

double scaled(TomlTable &table, const std::string &key, const Unit &unit) {
    return table.number(key, unit.bounds) * unit.in_SI;
}

std::string one_of(TomlTable &table, const std::string &key, const std::vector<std::string> &allowed) {
    std::string value = table.required_text(key);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        table.fail(table.find(key)->line, key, fmt::format("'{}' is not one of {}", value, joined(allowed, ", ")));
    return value;
}

// Columns: GHz, or the word "turbo". None: the clock is not known.
std::vector<double> clocks_of(TomlTable &table) {
    std::vector<double> clocks;
    const TomlNode *const node = table.find("clock_GHz");
    if (node == nullptr) return {unknown};
    const auto one = [&](const TomlNode &value) {
        const auto *const word = std::get_if<std::string>(&value.value);
        if (word != nullptr && *word == "turbo") return turbo_clock;
        return table.number_of(value, "clock_GHz", GHz.bounds) * GHz.in_SI;
    };
    const auto *const array = std::get_if<Array>(&node->value);
    if (array == nullptr) return {one(*node)};
    for (const TomlNode &element : *array)
        clocks.push_back(one(element));
    return clocks;
}

std::vector<int> threads_of(TomlTable &table, double least) {
    std::vector<int> threads;
    if (table.find("threads") == nullptr) table.fail(table.line(), "threads", "is missing");
    for (const double n : table.numbers("threads", {least, 1e6})) {
        if (n != std::floor(n)) table.fail(table.find("threads")->line, "threads", "is not a whole number");
        threads.push_back(static_cast<int>(n));
    }
    return threads;
}

// One value for each thread count and clock: a number, a list over the thread counts, or a list of lists over the
// clocks.
class Grid {
public:
    Grid(TomlTable &table, double least_threads)
        : table_(table), threads_(threads_of(table, least_threads)), clocks_(clocks_of(table)) {}

    template <typename Add>
    void read(const std::string &key, const Unit &unit, Add add) {
        const TomlNode *const node = table_.find(key);
        if (node == nullptr) table_.fail(table_.line(), key, "is missing");
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            const TomlNode &row = element(*node, key, i, threads_.size(), "thread counts");
            for (std::size_t j = 0; j < clocks_.size(); ++j) {
                const TomlNode &value = element(row, key, j, clocks_.size(), "clocks");
                add(MachineSetting{threads_[i], clocks_[j]}, table_.number_of(value, key, unit.bounds) * unit.in_SI);
            }
        }
    }

private:
    [[nodiscard]] const TomlNode &element(const TomlNode &node, const std::string &key, std::size_t i,
                                          std::size_t size, const char *what) const {
        const auto *const array = std::get_if<Array>(&node.value);
        if (array == nullptr && size == 1) return node;
        const std::size_t given = array == nullptr ? 1 : array->size();
        if (given != size)
            table_.fail(node.line, key, fmt::format("{} for {} {}", counted(given, "value"), size, what));
        return (*array)[i];
    }

    TomlTable &table_;
    std::vector<int> threads_;
    std::vector<double> clocks_;
};

void read_rates(TomlTable &root, Machine &machine) {
    for (TomlTable &table : root.tables("flop_rate")) {
        const std::string vector = table.text("vector");
        Grid(table, 1).read("GFLOP_per_s", GFLOP_per_s, [&](MachineSetting at, double value) {
            machine.flop_rates.push_back({vector, at, value});
        });
        table.nothing_else();
    }
    for (TomlTable &table : root.tables("bandwidth")) {
        const std::string level = one_of(table, "level", {"L1", "L2", "L3", "DRAM"});
        const std::string access = table.text("access");
        Grid(table, 1).read("GB_per_s", GB_per_s, [&](MachineSetting at, double value) {
            machine.bandwidths.push_back({level, access, at, value});
        });
        table.nothing_else();
    }
}

void read_levels(TomlTable &root, Machine &machine) {
    for (TomlTable &table : root.tables("level")) {
        MachineLevel level;
        level.level = one_of(table, "level", {"L1", "L2", "L3", "DRAM"});
        level.size_B = scaled(table, "size_KiB", KiB);
        level.shared_by = scaled(table, "shared_by_cores", count);
        level.latency_s = scaled(table, "latency_ns", ns);
        machine.levels.push_back(level);
        table.nothing_else();
    }
    for (TomlTable &table : root.tables("network")) {
        NetworkLink link;
        link.between = table.text("between");
        link.latency_s = scaled(table, "latency_us", us);
        link.B_per_s = scaled(table, "GB_per_s", GB_per_s);
        machine.network.push_back(link);
        table.nothing_else();
    }
}

void read_power(TomlTable &root, Machine &machine) {
    for (TomlTable &table : root.tables("power")) {
        const std::size_t first = machine.power.size();
        Grid grid(table, 0);
        grid.read("package_W", W, [&](MachineSetting at, double value) {
            machine.power.push_back({at, value, unknown});
        });
        if (table.find("dram_W") != nullptr) {
            std::size_t i = first;
            grid.read("dram_W", W, [&](MachineSetting, double value) { machine.power[i++].dram_W = value; });
        }
        table.nothing_else();
    }
}

void read_locality(TomlTable &root, Machine &machine) {
    for (TomlTable &table : root.tables("locality")) {
        LocalityBandwidth row;
        row.mv = one_of(table, "mv", {"00", "10", "01", "11"});
        for (std::size_t tl = 0; tl < 3; ++tl) {
            const std::string key = fmt::format("TL{}_GB_per_s", tl);
            if (table.find(key) == nullptr) table.fail(table.line(), key, "is missing");
            const std::vector<double> values = table.numbers(key, GB_per_s.bounds);
            if (values.size() != 3) table.fail(table.find(key)->line, key, "three values belong here: SL 0, 1, 2");
            for (std::size_t sl = 0; sl < 3; ++sl)
                row.B_per_s[tl][sl] = values[sl] * GB_per_s.in_SI;
        }
        row.scalar_flop_per_s = scaled(table, "scalar_GFLOP_per_s", GFLOP_per_s);
        row.vector_flop_per_s = scaled(table, "vector_GFLOP_per_s", GFLOP_per_s);
        machine.locality.push_back(row);
        table.nothing_else();
    }
}

void read_gpu(TomlTable &root, Machine &machine) {
    std::optional<TomlTable> table = root.table("gpu");
    if (!table) return;
    GpuFacts &gpu = machine.gpu;
    machine.has_gpu = true;
    gpu.architecture = table->text("architecture");
    gpu.clock_Hz = scaled(*table, "clock_GHz", GHz);
    gpu.memory_clock_Hz = scaled(*table, "memory_clock_GHz", GHz);
    gpu.bus_bit = scaled(*table, "bus_bit", count);
    gpu.multiprocessors = scaled(*table, "multiprocessors", count);
    gpu.double_per_cycle = scaled(*table, "double_per_cycle", count);
    gpu.single_per_cycle = scaled(*table, "single_per_cycle", count);
    gpu.integer_per_cycle = scaled(*table, "integer_per_cycle", count);
    gpu.double_flop_per_s = scaled(*table, "double_GFLOP_per_s", GFLOP_per_s);
    gpu.single_flop_per_s = scaled(*table, "single_GFLOP_per_s", GFLOP_per_s);
    gpu.integer_op_per_s = scaled(*table, "integer_GOP_per_s", GFLOP_per_s);
    gpu.B_per_s = scaled(*table, "memory_GB_per_s", GB_per_s);
    gpu.power_limit_W = scaled(*table, "power_limit_W", W);
    gpu.average_power_W = scaled(*table, "average_power_W", W);
    table->nothing_else();
}

void read_remarks(TomlTable &root, Machine &machine) {
    const TomlNode *const node = root.find("remarks");
    if (node == nullptr) return;
    const auto *const array = std::get_if<Array>(&node->value);
    if (array == nullptr) root.fail(node->line, "remarks", "a list of texts belongs here");
    for (const TomlNode &element : *array) {
        const auto *const text = std::get_if<std::string>(&element.value);
        if (text == nullptr) root.fail(element.line, "remarks", "text in quotes belongs here");
        machine.remarks.push_back(*text);
    }
}

} // namespace

Machine parse_machine(std::string_view text, const std::string &path) {
    const TomlNode tree = parse_toml(text, path);
    TomlTable root(path, tree, "");
    Machine machine;
    machine.name = root.required_text("name");
    machine.source = root.text("source");
    machine.sockets = scaled(root, "sockets", count);
    machine.figures_sockets = scaled(root, "figures_for_sockets", count);
    if (machine.figures_sockets > machine.sockets)
        root.fail(root.line(), "figures_for_sockets", "more than the node's sockets");
    machine.cores = scaled(root, "cores", count);
    machine.threads = scaled(root, "threads", count);
    machine.clock_Hz = scaled(root, "clock_GHz", GHz);
    machine.vector_length = scaled(root, "vector_length", count);
    read_remarks(root, machine);
    read_rates(root, machine);
    read_levels(root, machine);
    read_power(root, machine);
    read_locality(root, machine);
    read_gpu(root, machine);
    root.nothing_else();
    return machine;
}

namespace {

// A word without a dot or slash is a name, but for that of a file; anything else is a file.
bool is_name(const std::string &text) {
    std::error_code error;
    const bool is_word = !text.empty() && text.find_first_of("./") == std::string::npos;
    return is_word && (!std::filesystem::exists(text, error) || std::filesystem::is_directory(text, error));
}

} // namespace

std::vector<std::string> shipped_machine_names() {
    std::vector<std::string> names;
    for (const ShippedMachine &machine : shipped_machines())
        names.emplace_back(machine.name);
    return names;
}

Machine load_machine(const std::string &name_or_path) {
    for (const ShippedMachine &machine : shipped_machines())
        if (name_or_path == machine.name) return parse_machine(machine.text, name_or_path + ".toml");
    if (is_name(name_or_path)) {
        throw std::runtime_error(
            fmt::format("{}: no such machine; there are {}, or give a file that cpl-lb machine -o wrote",
                        name_or_path, joined(shipped_machine_names(), ", ")));
    }
    return parse_machine(read_text_file(name_or_path), name_or_path);
}

} // namespace cpl_lb
