// Prints a machine as tables.
#include "projection/machine/machine_file.hpp"

#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
namespace {

template <typename Rows>
void add_threads(std::set<int> &threads, const Rows &rows) {
    for (const auto &row : rows)
        if (row.at.threads > 0) threads.insert(row.at.threads);
}

// At most eight columns; if there are more, the powers of two and the largest.
std::vector<int> shown_threads(const Machine &machine) {
    std::set<int> all;
    add_threads(all, machine.flop_rates);
    add_threads(all, machine.bandwidths);
    add_threads(all, machine.power);
    std::vector<int> shown(all.begin(), all.end());
    const auto is_left_out = [&](int n) { return n != *all.rbegin() && (n & (n - 1)) != 0; };
    if (shown.size() > 8) std::erase_if(shown, is_left_out);
    return shown;
}

std::vector<std::string> heading(const std::string &first, const std::vector<int> &threads) {
    std::vector<std::string> cells = {first};
    for (const int n : threads)
        cells.push_back(counted(n, "thread"));
    return cells;
}

template <typename Value>
void add_row(TextTable &table, const std::string &name, const std::vector<int> &threads, Value value) {
    std::vector<std::string> cells = {"  " + name};
    for (const int n : threads)
        cells.push_back(three_digits(value(n)));
    table.row_of_words(cells);
}

// Each name once, in the order of the file.
template <typename Row>
std::vector<std::string> names_in(const std::vector<Row> &rows, std::string Row::*name) {
    std::vector<std::string> names;
    for (const Row &row : rows)
        if (std::ranges::count(names, row.*name) == 0) names.push_back(row.*name);
    return names;
}

std::string rates_text(const Machine &machine) {
    const std::vector<int> threads = shown_threads(machine);
    if (threads.empty()) return "";
    TextTable table;
    const auto setting = [](int n) { return MachineSetting{n, unknown}; };
    if (!machine.flop_rates.empty()) {
        table.row_of_words(heading("Computing, double precision [GFLOP/s]", threads));
        for (const std::string &vector : names_in(machine.flop_rates, &FlopRate::vector))
            add_row(table, vector, threads, [&](int n) { return flop_rate_of(machine, setting(n), vector) * 1e-9; });
    }
    if (!machine.bandwidths.empty()) {
        table.row_of_words(heading("Moving data, all threads together [GB/s]", threads));
        for (const std::string &level : levels_with_bandwidth(machine)) {
            std::vector<LevelBandwidth> rows = machine.bandwidths;
            std::erase_if(rows, [&](const LevelBandwidth &row) { return row.level != level; });
            for (const std::string &access : names_in(rows, &LevelBandwidth::access))
                add_row(table, level + " " + access, threads,
                        [&](int n) { return bandwidth_of(machine, level, setting(n), access) * 1e-9; });
        }
    }
    if (!machine.power.empty()) {
        table.row_of_words(heading("Power [W]", threads));
        add_row(table, "package", threads, [&](int n) { return power_of(machine, setting(n)).package_W; });
        add_row(table, "DRAM", threads, [&](int n) { return power_of(machine, setting(n)).dram_W; });
    }
    return table.text();
}

std::string size_text(double bytes) {
    if (!is_known(bytes)) return "";
    return bytes < 1 << 20 ? fmt::format("{} KiB", decimal_text(bytes / 1024, 0))
                           : fmt::format("{} MiB", decimal_text(bytes / (1 << 20), 0));
}

std::string levels_text(const Machine &machine) {
    if (machine.levels.empty()) return "";
    TextTable table;
    table.row({"Levels", "size", "shared by", "latency [ns]"});
    for (const MachineLevel &level : machine.levels) {
        table.row({"  " + level.level, size_text(level.size_B),
                   is_known(level.shared_by)
                       ? fmt::format("{:g} {}", level.shared_by, word_for(level.shared_by, "core"))
                       : "",
                   three_digits(level.latency_s * 1e9)});
    }
    return "\n" + table.text();
}

std::string locality_text(const Machine &machine) {
    if (machine.locality.empty()) return "";
    TextTable table;
    table.row({"Loads by locality [GB/s]", "SL 0", "SL 1", "SL 2"});
    for (const LocalityBandwidth &row : machine.locality) {
        for (std::size_t tl = 0; tl < 3; ++tl) {
            table.row({fmt::format("  {} threads, {}, TL {}", row.mv[0] == '1' ? "all" : "without",
                                   row.mv[1] == '1' ? "vectorised" : "scalar", tl),
                       three_digits(row.B_per_s[tl][0] * 1e-9), three_digits(row.B_per_s[tl][1] * 1e-9),
                       three_digits(row.B_per_s[tl][2] * 1e-9)});
        }
    }
    return "\n" + table.text() +
           "  SL, how a loop walks: 2 word after word, 1 every fourth, 0 at random. TL, where it finds data again: 2 "
           "in "
           "L1,\n  1 in L2, 0 nowhere: each comes from memory.\n";
}

std::string other_text(const Machine &machine) {
    std::string text;
    for (const NetworkLink &link : machine.network) {
        text += fmt::format("\nMessages between {}: latency {} us, bandwidth {} GB/s\n",
                            link.between.empty() ? "processes" : link.between, three_digits(link.latency_s * 1e6),
                            three_digits(link.B_per_s * 1e-9));
    }
    const PowerDraw idle = power_of(machine, {0, unknown});
    if (is_known(idle.package_W) || is_known(idle.dram_W))
        text +=
            fmt::format("\nIdle: package {} W, DRAM {} W\n", three_digits(idle.package_W), three_digits(idle.dram_W));
    if (machine.has_gpu) {
        const GpuFacts &gpu = machine.gpu;
        text += fmt::format(
            "\nGPU: {} GFLOP/s double, {} single, {} GOP/s integer; memory {} GB/s; {} multiprocessors at "
            "{} GHz\n",
            three_digits(gpu.double_flop_per_s * 1e-9), three_digits(gpu.single_flop_per_s * 1e-9),
            three_digits(gpu.integer_op_per_s * 1e-9), three_digits(gpu.B_per_s * 1e-9),
            three_digits(gpu.multiprocessors), three_digits(gpu.clock_Hz * 1e-9));
    }
    return text;
}

} // namespace

std::string three_digits(double value) {
    if (!is_known(value)) return "n/a";
    return value >= 1000 ? decimal_text(value, 0) : fmt::format("{:.3g}", value);
}

std::string machine_as_text(const Machine &machine) {
    std::string text = safe_name(machine.name);
    if (is_known(machine.cores)) text += fmt::format(", {:g} {}", machine.cores, word_for(machine.cores, "core"));
    if (is_known(machine.clock_Hz)) text += fmt::format(", {:.3g} GHz", machine.clock_Hz * 1e-9);
    if (is_known(machine.sockets))
        text += fmt::format(", {:g} {}", machine.sockets, word_for(machine.sockets, "socket"));
    if (sockets_of_figures(machine) < machine.sockets)
        text += fmt::format("; the figures are of {:g} of them", machine.figures_sockets);
    text += "\n" + (machine.source.empty() ? "" : safe_name(machine.source) + "\n") + "\n";
    text += rates_text(machine) + levels_text(machine) + locality_text(machine) + other_text(machine);
    if (!machine.remarks.empty()) text += "\n";
    for (const std::string &remark : machine.remarks)
        text += "Note: " + safe_name(remark) + "\n";
    return text;
}

} // namespace cpl_lb
