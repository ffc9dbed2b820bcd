// Reads level, type and size of each cache from /sys/devices/system/cpu/cpu0/cache.
#include "projection/measured/measure_machine.hpp"

#include "data/time.hpp"
#include "meters/small_file.hpp"

#include <algorithm>
#include <cstdlib>

namespace cpl_lb {
namespace {

// "48K", "2048K", "105M".
double bytes_of(const std::string &text) {
    const auto number = parse_number(text);
    if (!number) return 0;
    const char unit = text.back();
    const double factor = unit == 'K' ? 1024.0 : unit == 'M' ? 1024.0 * 1024.0 : 1.0;
    return static_cast<double>(*number) * factor;
}

} // namespace

int cpus_in_list(const std::string &list) {
    int count = 0;
    for (const char *at = list.c_str(); *at != '\0';) {
        char *end = nullptr;
        const long first = std::strtol(at, &end, 10);
        long last = first;
        if (end == at) break;
        if (*end == '-') last = std::strtol(end + 1, &end, 10);
        count += static_cast<int>(last - first) + 1;
        at = *end == ',' ? end + 1 : end;
        if (*end != ',') break;
    }
    return std::max(count, 1);
}

std::vector<CacheSize> data_caches(const std::string &sysfs_root) {
    std::vector<CacheSize> caches;
    for (int index = 0; index < 16; ++index) {
        const std::string folder = sysfs_root + "/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        const auto type = read_text(folder + "type"), level = read_text(folder + "level");
        const auto size = read_text(folder + "size"), shared = read_text(folder + "shared_cpu_list");
        if (!type || !level || !size) break;
        if (*type == "Instruction" || size->empty()) continue;
        const CacheSize cache{"L" + *level, bytes_of(*size), shared ? cpus_in_list(*shared) : 1};
        if (cache.size_B > 0) caches.push_back(cache);
    }
    std::sort(caches.begin(), caches.end(), [](const CacheSize &a, const CacheSize &b) { return a.level < b.level; });
    return caches;
}

double available_memory_B(const std::string &procfs_root) {
    const auto text = read_text(procfs_root + "/meminfo");
    const auto kibibytes = text ? number_after(*text, "MemAvailable:") : std::nullopt;
    return kibibytes ? static_cast<double>(*kibibytes) * 1024 : unknown;
}

} // namespace cpl_lb
