// Decides whether the time stamp counter can be trusted, and takes calibration points.
#include "support/clock.hpp"

#include <cstring>
#include <fstream>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cpl_lb {
namespace {

bool processor_has_invariant_tsc() {
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    // Intel SDM vol. 3, "Invariant TSC": leaf 0x80000007, EDX bit 8.
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

// The kernel watches the counter; when it finds it unstable it changes to another clock source.
bool kernel_trusts_tsc() {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    if (!(file >> name)) return true; // not told: the processor's word counts
    return name == "tsc" || name == "kvm-clock" || name.rfind("hyperv", 0) == 0;
}

} // namespace

ClockSource choose_clock(const char *wish) {
    if (wish != nullptr && std::strcmp(wish, "gettime") == 0) return ClockSource::gettime;
#if defined(__x86_64__)
    if (wish != nullptr && std::strcmp(wish, "tsc") == 0) return ClockSource::tsc;
#endif
    return processor_has_invariant_tsc() && kernel_trusts_tsc() ? ClockSource::tsc : ClockSource::gettime;
}

ClockPoint take_clock_point(ClockSource source) {
    if (source == ClockSource::gettime) {
        const std::uint64_t now = monotonic_ns();
        return {now, static_cast<std::int64_t>(now), 0};
    }
    ClockPoint best;
    std::uint64_t best_gap = ~std::uint64_t{0};
    for (int i = 0; i < 16; ++i) {
        const std::uint64_t before = read_ticks(source);
        const std::uint64_t ns = monotonic_ns();
        const std::uint64_t after = read_ticks(source);
        if (after - before < best_gap) {
            best_gap = after - before;
            best = {before + best_gap / 2, static_cast<std::int64_t>(ns), best_gap};
        }
    }
    return best;
}

ClockPoint take_point_of_any_clock() {
    return take_clock_point(ClockSource::tsc);
}

ClockPoint of_clock(ClockSource source, const ClockPoint &of_any) {
    if (source == ClockSource::tsc) return of_any;
    return {static_cast<std::uint64_t>(of_any.monotonic_ns), of_any.monotonic_ns, 0};
}

TickScale::TickScale(ClockSource source, const ClockPoint &first, const ClockPoint &last) : origin_(first) {
    if (source == ClockSource::gettime) return; // ticks are nanoseconds
    if (last.ticks <= first.ticks || last.monotonic_ns <= first.monotonic_ns) return;
    const long double rate = static_cast<long double>(last.monotonic_ns - first.monotonic_ns) /
                             static_cast<long double>(last.ticks - first.ticks);
    if (rate < 64.0L) rate_ = static_cast<std::int64_t>(rate * static_cast<long double>(rate_));
}

} // namespace cpl_lb
