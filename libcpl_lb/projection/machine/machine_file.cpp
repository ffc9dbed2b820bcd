// A machine as its TOML file (rates, levels, power, locality, GPU), read and written; or one that ships.
#include "projection/machine/machine_file.hpp"

#include "io/files/file_handle.hpp"
#include "support/counted.hpp"
#include "support/either.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace cpl_lb {
namespace {

using namespace machine_units;
using Array = std::vector<TomlNode>;

const std::vector<std::string> level_names = {"L1", "L2", "L3", "DRAM"}, mv_scores = {"00", "10", "01", "11"};

// The members of the file's tables, for both ways. Rates and powers are read as grids over threads and clocks, and
// written one by one.
template <class Way, Either<Machine> M>
void toml_members(Way &way, M &machine) {
    way.required_text("name", machine.name);
    way.text("source", machine.source);
    way.number("sockets", machine.sockets, count);
    way.number("figures_for_sockets", machine.figures_sockets, count);
    way.number("cores", machine.cores, count);
    way.number("threads", machine.threads, count);
    way.number("clock_GHz", machine.clock_Hz, GHz);
    way.number("vector_length", machine.vector_length, count);
    way.texts("remarks", machine.remarks);
}

template <class Way, Either<MachineLevel> L>
void toml_members(Way &way, L &level) {
    way.one_of("level", level.level, level_names);
    way.number("size_KiB", level.size_B, KiB);
    way.number("shared_by_cores", level.shared_by, count);
    way.number("latency_ns", level.latency_s, ns);
}

template <class Way, Either<NetworkLink> L>
void toml_members(Way &way, L &link) {
    way.text("between", link.between);
    way.number("latency_us", link.latency_s, us);
    way.number("GB_per_s", link.B_per_s, GB_per_s);
}

template <class Way, Either<LocalityBandwidth> R>
void toml_members(Way &way, R &row) {
    way.one_of("mv", row.mv, mv_scores);
    way.by_sl("TL0_GB_per_s", row.B_per_s[0], GB_per_s);
    way.by_sl("TL1_GB_per_s", row.B_per_s[1], GB_per_s);
    way.by_sl("TL2_GB_per_s", row.B_per_s[2], GB_per_s);
    way.number("scalar_GFLOP_per_s", row.scalar_flop_per_s, GFLOP_per_s);
    way.number("vector_GFLOP_per_s", row.vector_flop_per_s, GFLOP_per_s);
}

template <class Way, Either<GpuFacts> G>
void toml_members(Way &way, G &gpu) {
    way.text("architecture", gpu.architecture);
    way.number("clock_GHz", gpu.clock_Hz, GHz);
    way.number("memory_clock_GHz", gpu.memory_clock_Hz, GHz);
    way.number("bus_bit", gpu.bus_bit, count);
    way.number("multiprocessors", gpu.multiprocessors, count);
    way.number("double_per_cycle", gpu.double_per_cycle, count);
    way.number("single_per_cycle", gpu.single_per_cycle, count);
    way.number("integer_per_cycle", gpu.integer_per_cycle, count);
    way.number("double_GFLOP_per_s", gpu.double_flop_per_s, GFLOP_per_s);
    way.number("single_GFLOP_per_s", gpu.single_flop_per_s, GFLOP_per_s);
    way.number("integer_GOP_per_s", gpu.integer_op_per_s, GFLOP_per_s);
    way.number("memory_GB_per_s", gpu.B_per_s, GB_per_s);
    way.number("power_limit_W", gpu.power_limit_W, W);
    way.number("average_power_W", gpu.average_power_W, W);
}

class Reader {
public:
    explicit Reader(TomlTable &table) : table_(table) {}
    void required_text(const std::string &key, std::string &value) { value = table_.required_text(key); }
    void text(const std::string &key, std::string &value) { value = table_.text(key); }
    void one_of(const std::string &key, std::string &value, const std::vector<std::string> &allowed) {
        value = table_.required_text(key);
        if (std::ranges::find(allowed, value) == allowed.end())
            table_.fail(table_.find(key)->line, key,
                        fmt::format("'{}' is not one of {}", value, joined(allowed, ", ")));
    }
    void number(const std::string &key, double &value, const Unit &unit) {
        value = table_.number(key, unit.bounds) * unit.in_SI;
    }
    void by_sl(const std::string &key, std::array<double, 3> &values, const Unit &unit) {
        if (table_.find(key) == nullptr) table_.fail(table_.line(), key, "is missing");
        const std::vector<double> numbers = table_.numbers(key, unit.bounds);
        if (numbers.size() != 3) table_.fail(table_.find(key)->line, key, "three values belong here: SL 0, 1, 2");
        std::ranges::transform(numbers, values.begin(), [&](double number) { return number * unit.in_SI; });
    }
    void texts(const std::string &key, std::vector<std::string> &lines) {
        const TomlNode *const node = table_.find(key);
        if (node == nullptr) return;
        const auto *const array = std::get_if<Array>(&node->value);
        if (array == nullptr) table_.fail(node->line, key, "a list of texts belongs here");
        for (const TomlNode &element : *array) {
            const auto *const text = std::get_if<std::string>(&element.value);
            if (text == nullptr) table_.fail(element.line, key, "text in quotes belongs here");
            lines.push_back(*text);
        }
    }

private:
    TomlTable &table_;
};

template <typename Row>
void read_table(TomlTable &table, Row &row) {
    Reader reader(table);
    toml_members(reader, row);
    table.nothing_else();
}

template <typename Row>
void read_tables(TomlTable &root, const std::string &name, std::vector<Row> &rows) {
    for (TomlTable &table : root.tables(name))
        read_table(table, rows.emplace_back());
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
        std::string level;
        Reader(table).one_of("level", level, level_names);
        const std::string access = table.text("access");
        Grid(table, 1).read("GB_per_s", GB_per_s, [&](MachineSetting at, double value) {
            machine.bandwidths.push_back({level, access, at, value});
        });
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

std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

// Six digits: more than any of these measurements has.
std::string value_text(double value, const Unit &unit) {
    if (!is_known(value)) return "nan";
    return std::isinf(value) ? "\"turbo\"" : fmt::format("{:.6g}", value / unit.in_SI);
}

class Writer {
public:
    void table(const std::string &header) { text_ += "\n" + header + "\n"; }
    void text(const char *key, const std::string &value) {
        if (!value.empty()) text_ += fmt::format("{} = {}\n", key, quoted(value));
    }
    void required_text(const char *key, const std::string &value) { text(key, value); }
    void one_of(const char *key, const std::string &value, const std::vector<std::string> & /*allowed*/) {
        text(key, value);
    }
    void number(const char *key, double value, const Unit &unit) {
        if (is_known(value)) required(key, value, unit);
    }
    // A figure that the reader asks for: nan if it is not known.
    void required(const char *key, double value, const Unit &unit) {
        text_ += fmt::format("{} = {}\n", key, value_text(value, unit));
    }
    void setting(MachineSetting at) {
        text_ += fmt::format("threads = {}\n", at.threads);
        number("clock_GHz", at.clock_Hz, GHz);
    }
    void by_sl(const char *key, const std::array<double, 3> &values, const Unit &unit) {
        text_ += fmt::format("{} = [{}, {}, {}]\n", key, value_text(values[0], unit), value_text(values[1], unit),
                             value_text(values[2], unit));
    }
    void texts(const char *key, const std::vector<std::string> &lines) {
        if (lines.empty()) return;
        text_ += fmt::format("{} = [\n", key);
        for (const std::string &line : lines)
            text_ += "  " + quoted(line) + ",\n";
        text_ += "]\n";
    }
    template <typename Row>
    void tables(const std::string &header, const std::vector<Row> &rows) {
        for (const Row &row : rows) {
            table(header);
            toml_members(*this, row);
        }
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

void write_rates(Writer &w, const Machine &machine) {
    for (const FlopRate &rate : machine.flop_rates) {
        w.table("[[flop_rate]]");
        w.text("vector", rate.vector);
        w.setting(rate.at);
        w.required("GFLOP_per_s", rate.flop_per_s, GFLOP_per_s);
    }
    for (const LevelBandwidth &bandwidth : machine.bandwidths) {
        w.table("[[bandwidth]]");
        w.text("level", bandwidth.level);
        w.text("access", bandwidth.access);
        w.setting(bandwidth.at);
        w.required("GB_per_s", bandwidth.B_per_s, GB_per_s);
    }
    for (const PowerDraw &draw : machine.power) {
        w.table("[[power]]");
        w.setting(draw.at);
        w.required("package_W", draw.package_W, W);
        w.number("dram_W", draw.dram_W, W);
    }
}

} // namespace

Machine parse_machine(std::string_view text, const std::string &path) {
    const TomlNode tree = parse_toml(text, path);
    TomlTable root(path, tree, "");
    Machine machine;
    Reader reader(root);
    toml_members(reader, machine);
    if (machine.figures_sockets > machine.sockets)
        root.fail(root.line(), "figures_for_sockets", "more than the node's sockets");
    read_rates(root, machine);
    read_tables(root, "level", machine.levels);
    read_tables(root, "network", machine.network);
    read_power(root, machine);
    read_tables(root, "locality", machine.locality);
    if (std::optional<TomlTable> gpu = root.table("gpu")) {
        machine.has_gpu = true;
        read_table(*gpu, machine.gpu);
    }
    root.nothing_else();
    return machine;
}

std::string machine_as_toml(const Machine &machine) {
    Writer w;
    toml_members(w, machine);
    write_rates(w, machine);
    w.tables("[[level]]", machine.levels);
    w.tables("[[network]]", machine.network);
    w.tables("[[locality]] # columns: SL 0, 1, 2", machine.locality);
    if (machine.has_gpu) {
        w.table("[gpu]");
        toml_members(w, machine.gpu);
    }
    return w.take();
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
