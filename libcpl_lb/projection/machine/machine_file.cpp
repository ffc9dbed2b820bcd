// A machine as its TOML file (rates, levels, power, locality, GPU), read and written, and as json; or one that ships.
#include "projection/machine/machine_file.hpp"

#include "io/files/file_handle.hpp"
#include "io/json/json_tree.hpp"
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

// The members of the file's tables, for all ways. Rates and powers are read as grids over threads and clocks
// (GridCell), and written one by one.
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

template <class Way, Either<FlopRate> R>
void toml_members(Way &way, R &rate) {
    way.text("vector", rate.vector);
    way.setting(rate.at);
    way.required("GFLOP_per_s", rate.flop_per_s, GFLOP_per_s);
}

template <class Way, Either<LevelBandwidth> B>
void toml_members(Way &way, B &bandwidth) {
    way.one_of("level", bandwidth.level, level_names);
    way.text("access", bandwidth.access);
    way.setting(bandwidth.at);
    way.required("GB_per_s", bandwidth.B_per_s, GB_per_s);
}

template <class Way, Either<PowerDraw> P>
void toml_members(Way &way, P &draw) {
    way.setting(draw.at);
    way.required("package_W", draw.package_W, W);
    way.number("dram_W", draw.dram_W, W);
}

class Reader {
public:
    explicit Reader(TomlTable &table) : table_(table) {}
    void required_text(const std::string &key, std::string &value) { value = table_.required_text(key); }
    void text(const std::string &key, std::string &value) { value = table_.text(key); }
    void one_of(const std::string &key, std::string &value, const std::vector<std::string> &allowed) {
        value = table_.required_text(key);
        if (std::ranges::find(allowed, value) == allowed.end())
            table_.fail(key, fmt::format("'{}' is not one of {}", value, joined(allowed, ", ")));
    }
    void number(const std::string &key, double &value, const Unit &unit) {
        value = table_.number(key, unit.bounds) * unit.in_SI;
    }
    void by_sl(const std::string &key, std::array<double, 3> &values, const Unit &unit) {
        (void)table_.required(key);
        const std::vector<double> numbers = table_.numbers(key, unit.bounds);
        if (numbers.size() != 3) table_.fail(key, "three values belong here: SL 0, 1, 2");
        std::ranges::transform(numbers, values.begin(), [&](double number) { return number * unit.in_SI; });
    }
    void texts(const std::string &key, std::vector<std::string> &lines) { lines = table_.texts(key); }

protected:
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

// One cell of a table that has a value for each thread count and clock: a number, a list over the thread counts, or a
// list of lists over the clocks.
class GridCell : public Reader {
public:
    GridCell(TomlTable &table, MachineSetting at, std::array<std::size_t, 2> place, std::array<std::size_t, 2> sizes)
        : Reader(table), at_(at), place_(place), sizes_(sizes) {}
    void setting(MachineSetting &at) const { at = at_; }
    void required(const std::string &key, double &value, const Unit &unit) {
        const TomlNode &row = element(table_.required(key), key, 0, "thread counts");
        value = table_.number_of(element(row, key, 1, "clocks"), key, unit.bounds) * unit.in_SI;
    }
    void number(const std::string &key, double &value, const Unit &unit) {
        if (table_.find(key) != nullptr) required(key, value, unit);
    }

private:
    [[nodiscard]] const TomlNode &element(const TomlNode &node, const std::string &key, std::size_t axis,
                                          const char *what) const {
        const auto *const array = std::get_if<Array>(&node.value);
        if (array == nullptr && sizes_[axis] == 1) return node;
        const std::size_t given = array == nullptr ? 1 : array->size();
        if (given != sizes_[axis])
            table_.fail(node.line, key, fmt::format("{} for {} {}", counted(given, "value"), sizes_[axis], what));
        return (*array)[place_[axis]];
    }

    MachineSetting at_;
    std::array<std::size_t, 2> place_, sizes_; // over the thread counts and the clocks
};

template <typename Row>
void read_grids(TomlTable &root, const std::string &name, double least_threads, std::vector<Row> &rows) {
    for (TomlTable &table : root.tables(name)) {
        (void)table.required("threads");
        const std::vector<int> threads = table.whole_numbers("threads", {least_threads, 1e6});
        const std::vector<double> clocks = clocks_of(table);
        for (std::size_t i = 0; i < threads.size(); ++i) {
            for (std::size_t j = 0; j < clocks.size(); ++j) {
                GridCell cell(table, {threads[i], clocks[j]}, {i, j}, {threads.size(), clocks.size()});
                toml_members(cell, rows.emplace_back());
            }
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

// Figures under the names of their SI units: latency_ns is latency_s.
class JsonWay {
public:
    void text(const char *key, const std::string &value) { json_[key] = value; }
    void required_text(const char *key, const std::string &value) { text(key, value); }
    void one_of(const char *key, const std::string &value, const std::vector<std::string> & /*allowed*/) {
        text(key, value);
    }
    void number(const std::string &key, double value, const Unit & /*unit*/) {
        constexpr std::pair<std::string_view, std::string_view> units[] = {{"memory_GB_per_s", "B_per_s"},
                                                                           {"GB_per_s", "B_per_s"},
                                                                           {"GFLOP_per_s", "flop_per_s"},
                                                                           {"GOP_per_s", "op_per_s"},
                                                                           {"_GHz", "_Hz"},
                                                                           {"_KiB", "_B"},
                                                                           {"_ns", "_s"},
                                                                           {"_us", "_s"}};
        const auto *const unit = std::ranges::find_if(units, [&](const auto &u) { return key.ends_with(u.first); });
        const std::string name = unit == std::end(units)
                                     ? key
                                     : key.substr(0, key.size() - unit->first.size()) + std::string(unit->second);
        json_[name] = value == turbo_clock ? JsonTree("turbo") : JsonTree(value);
    }
    void required(const char *key, double value, const Unit &unit) { number(key, value, unit); }
    void setting(MachineSetting at) {
        json_["threads"] = at.threads;
        number("clock_GHz", at.clock_Hz, GHz);
    }
    void by_sl(const char * /*key*/, const std::array<double, 3> &values, const Unit & /*unit*/) {
        json_["B_per_s_by_tl_and_sl"].push_back(values);
    }
    void texts(const char *key, const std::vector<std::string> &lines) { json_[key] = lines; }
    template <typename Part>
    [[nodiscard]] static JsonTree of(const Part &part) {
        JsonWay way;
        toml_members(way, part);
        return std::move(way.json_);
    }
    template <typename Row>
    [[nodiscard]] static JsonTree of(const std::vector<Row> &rows) {
        JsonTree list = JsonTree::array();
        for (const Row &row : rows)
            list.push_back(of(row));
        return list;
    }

private:
    JsonTree json_ = JsonTree::object();
};

} // namespace

std::string machine_as_json(const Machine &machine) {
    JsonTree root = JsonWay::of(machine);
    root["figures_for_sockets"] = sockets_of_figures(machine);
    root["flop_rates"] = JsonWay::of(machine.flop_rates);
    root["bandwidths"] = JsonWay::of(machine.bandwidths);
    root["levels"] = JsonWay::of(machine.levels);
    root["network"] = JsonWay::of(machine.network);
    root["power"] = JsonWay::of(machine.power);
    root["locality"] = JsonWay::of(machine.locality);
    root["gpu"] = machine.has_gpu ? JsonWay::of(machine.gpu) : JsonTree();
    return root.dump(2) + "\n";
}

Machine parse_machine(std::string_view text, const std::string &path) {
    const TomlNode tree = parse_toml(text, path);
    TomlTable root(path, tree, "");
    Machine machine;
    Reader reader(root);
    toml_members(reader, machine);
    if (machine.figures_sockets > machine.sockets) root.fail("figures_for_sockets", "more than the node's sockets");
    read_grids(root, "flop_rate", 1, machine.flop_rates);
    read_grids(root, "bandwidth", 1, machine.bandwidths);
    read_tables(root, "level", machine.levels);
    read_tables(root, "network", machine.network);
    read_grids(root, "power", 0, machine.power);
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
    w.tables("[[flop_rate]]", machine.flop_rates);
    w.tables("[[bandwidth]]", machine.bandwidths);
    w.tables("[[power]]", machine.power);
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
