// Writes a machine as a TOML file, with units in the names.
#include "projection/machine/machine_file.hpp"
#include "projection/machine/machine_units.hpp"
#include "support/fmt.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

using namespace machine_units;

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
    void number(const char *key, double value, const Unit &unit) {
        if (is_known(value)) text_ += fmt::format("{} = {}\n", key, value_text(value, unit));
    }
    // A figure that the reader asks for: nan if it is not known.
    void required(const char *key, double value, const Unit &unit) {
        text_ += fmt::format("{} = {}\n", key, value_text(value, unit));
    }
    void setting(MachineSetting at) {
        text_ += fmt::format("threads = {}\n", at.threads);
        number("clock_GHz", at.clock_Hz, GHz);
    }
    void list(const std::string &key, const std::array<double, 3> &values, const Unit &unit) {
        text_ += fmt::format("{} = [{}, {}, {}]\n", key, value_text(values[0], unit), value_text(values[1], unit),
                             value_text(values[2], unit));
    }
    void remarks(const std::vector<std::string> &lines) {
        if (lines.empty()) return;
        text_ += "remarks = [\n";
        for (const std::string &line : lines)
            text_ += "  " + quoted(line) + ",\n";
        text_ += "]\n";
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

void write_levels(Writer &w, const Machine &machine) {
    for (const MachineLevel &level : machine.levels) {
        w.table("[[level]]");
        w.text("level", level.level);
        w.number("size_KiB", level.size_B, KiB);
        w.number("shared_by_cores", level.shared_by, count);
        w.number("latency_ns", level.latency_s, ns);
    }
    for (const NetworkLink &link : machine.network) {
        w.table("[[network]]");
        w.text("between", link.between);
        w.number("latency_us", link.latency_s, us);
        w.number("GB_per_s", link.B_per_s, GB_per_s);
    }
}

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

void write_locality(Writer &w, const Machine &machine) {
    for (const LocalityBandwidth &row : machine.locality) {
        w.table("[[locality]] # columns: SL 0, 1, 2");
        w.text("mv", row.mv);
        for (std::size_t tl = 0; tl < 3; ++tl)
            w.list(fmt::format("TL{}_GB_per_s", tl), row.B_per_s[tl], GB_per_s);
        w.number("scalar_GFLOP_per_s", row.scalar_flop_per_s, GFLOP_per_s);
        w.number("vector_GFLOP_per_s", row.vector_flop_per_s, GFLOP_per_s);
    }
}

void write_gpu(Writer &w, const GpuFacts &gpu) {
    w.table("[gpu]");
    w.text("architecture", gpu.architecture);
    w.number("clock_GHz", gpu.clock_Hz, GHz);
    w.number("memory_clock_GHz", gpu.memory_clock_Hz, GHz);
    w.number("bus_bit", gpu.bus_bit, count);
    w.number("multiprocessors", gpu.multiprocessors, count);
    w.number("double_per_cycle", gpu.double_per_cycle, count);
    w.number("single_per_cycle", gpu.single_per_cycle, count);
    w.number("integer_per_cycle", gpu.integer_per_cycle, count);
    w.number("double_GFLOP_per_s", gpu.double_flop_per_s, GFLOP_per_s);
    w.number("single_GFLOP_per_s", gpu.single_flop_per_s, GFLOP_per_s);
    w.number("integer_GOP_per_s", gpu.integer_op_per_s, GFLOP_per_s);
    w.number("memory_GB_per_s", gpu.B_per_s, GB_per_s);
    w.number("power_limit_W", gpu.power_limit_W, W);
    w.number("average_power_W", gpu.average_power_W, W);
}

} // namespace

std::string machine_as_toml(const Machine &machine) {
    Writer w;
    w.text("name", machine.name);
    w.text("source", machine.source);
    w.number("sockets", machine.sockets, count);
    w.number("figures_for_sockets", machine.figures_sockets, count);
    w.number("cores", machine.cores, count);
    w.number("threads", machine.threads, count);
    w.number("clock_GHz", machine.clock_Hz, GHz);
    w.number("vector_length", machine.vector_length, count);
    w.remarks(machine.remarks);
    write_rates(w, machine);
    write_levels(w, machine);
    write_locality(w, machine);
    if (machine.has_gpu) write_gpu(w, machine.gpu);
    return w.take();
}

} // namespace cpl_lb
