// Reads chip, clock and instruction sets from /proc/cpuinfo and sysfs, and the cluster's name.
#include "meters/platform.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <unistd.h>

namespace cpl_lb {
namespace {

std::string value_of(const std::string &line) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) return {};
    const auto first = line.find_first_not_of(" \t", colon + 1);
    return first == std::string::npos ? std::string() : line.substr(first);
}

double number_in(std::string_view text) {
    double value = unknown;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && value > 0 ? value : unknown;
}

// "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz" -> 2.1; NaN if the name does not say.
double clock_in_name(const std::string &chip) {
    const auto at = chip.find("@ ");
    if (at == std::string::npos || chip.find("GHz", at) == std::string::npos) return unknown;
    return number_in(std::string_view(chip).substr(at + 2));
}

bool has_flag(std::string_view flags, std::string_view flag) {
    for (std::size_t at = flags.find(flag); at != std::string_view::npos; at = flags.find(flag, at + 1)) {
        const std::size_t end = at + flag.size();
        const bool starts = at == 0 || flags[at - 1] == ' ';
        if (starts && (end == flags.size() || flags[end] == ' ')) return true;
    }
    return false;
}

// The base clock from the chip's name, else the highest clock that the kernel allows, else the present clock.
double clock_GHz(const ReaderOptions &options, const std::string &chip, double now_MHz) {
    if (const double named = clock_in_name(chip); is_known(named)) return named;
    for (const char *file : {"base_frequency", "cpuinfo_max_freq"}) {
        const auto kHz =
            read_text(options.sysfs_root + "/devices/system/cpu/cpu0/cpufreq/" + file, options.open_file);
        if (kHz && is_known(number_in(*kHz))) return number_in(*kHz) * 1e-6;
    }
    return std::round(now_MHz) * 1e-3;
}

} // namespace

double flop_per_cycle_of(std::string_view flags, bool in_halves) {
    if (has_flag(flags, "avx512f")) return in_halves ? 16 : 32;
    if (has_flag(flags, "avx2") && has_flag(flags, "fma")) return 16;
    if (has_flag(flags, "avx")) return 8;
    if (has_flag(flags, "sse2")) return 4;
    return unknown;
}

Platform read_platform(const ReaderOptions &options, const std::function<const char *(const char *)> &get_variable) {
    Platform platform;
    std::ifstream cpuinfo(options.procfs_root + "/cpuinfo");
    double now_MHz = unknown;
    std::string flags, vendor, family;
    for (std::string line; std::getline(cpuinfo, line) && !line.empty();) { // the first processor
        if (line.starts_with("model name")) platform.chip = value_of(line);
        if (line.starts_with("cpu MHz")) now_MHz = number_in(value_of(line));
        if (line.starts_with("flags")) flags = value_of(line);
        if (line.starts_with("vendor_id")) vendor = value_of(line);
        if (line.starts_with("cpu family")) family = value_of(line);
    }
    platform.flop_per_cycle = flop_per_cycle_of(flags, vendor == "AuthenticAMD" && family == "25");
    platform.clock_GHz = clock_GHz(options, platform.chip, now_MHz);
    for (const char *name : {"SLURM_CLUSTER_NAME", "LSB_CLUSTER_NAME"})
        if (const char *value = get_variable(name); value != nullptr && platform.machine.empty())
            platform.machine = value;
    if (platform.machine.empty()) {
        std::array<char, 256> host{};
        gethostname(host.data(), host.size() - 1);
        platform.machine = host.data();
    }
    return platform;
}

std::string platform_text(const Platform &p) {
    std::string text = p.machine;
    const auto add = [&](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
    if (!p.chip.empty()) add(p.chip);
    if (p.cores > 0) add(counted(p.cores, "core"));
    if (is_known(p.clock_GHz)) add(fmt::format("{:g} GHz", p.clock_GHz));
    if (is_known(p.flop_per_cycle))
        add(fmt::format("{:g} {} per cycle", p.flop_per_cycle, word_for(p.flop_per_cycle, "operation")));
    return text;
}

} // namespace cpl_lb
