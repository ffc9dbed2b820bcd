// Decides whether the processor's counter can be trusted, and takes calibration points.
#include "support/clock.hpp"

#include <cmath>
#include <fstream>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cpl_lb {
namespace {

constexpr double most_ns_per_tick = 64;
constexpr std::uint64_t least_ticks_per_s = 16'000'000;

#if defined(__x86_64__)

constexpr std::string_view counters_wish = "tsc"; // in CPL_LB_CLOCK

bool processor_has_constant_counter() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    // Intel SDM vol. 3, "Invariant TSC": leaf 0x80000007, EDX bit 8.
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

#elif defined(__aarch64__)

constexpr std::string_view counters_wish = "cntvct";

// The architecture wants a constant rate, and the register that tells it is filled by the firmware, which may be
// wrong. A tenth of a millisecond, once in a run, shows a wrong rate; a counter that does not count at all, too.
bool processor_has_constant_counter() {
    constexpr std::int64_t trial_ns = 100'000;
    std::uint64_t ticks_per_s = 0;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(ticks_per_s));
    const ClockPoint first = take_clock_point(processors_counter);
    while (static_cast<std::int64_t>(monotonic_ns()) - first.monotonic_ns < trial_ns) {
    }
    return keeps_pace(first, take_clock_point(processors_counter), ticks_per_s);
}

#else

constexpr std::string_view counters_wish; // there is no counter to wish for

bool processor_has_constant_counter() {
    return false;
}

#endif

// The kernel watches the counter; when it finds it unstable it changes to another clock source. ARM's has one name,
// and that of the machine below where a program for ARM runs on another processor.
bool kernel_trusts_counter() {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    if (!(file >> name)) return true; // not told: the processor's word counts
    return name == "tsc" || name == "kvm-clock" || name.rfind("hyperv", 0) == 0 || name == "arch_sys_counter";
}

} // namespace

std::string_view name_of(ClockSource source) {
    switch (source) {
    case ClockSource::time_stamp_counter:
        return "time stamp counter";
    case ClockSource::generic_timer:
        return "generic timer";
    default:
        return "clock_gettime";
    }
}

ClockSource choose_clock(const char *wish) {
    const std::string_view wished = wish == nullptr ? "" : wish;
    if (wished == "gettime") return ClockSource::gettime;
    if (!counters_wish.empty() && wished == counters_wish) return processors_counter;
    return kernel_trusts_counter() && processor_has_constant_counter() ? processors_counter : ClockSource::gettime;
}

bool keeps_pace(const ClockPoint &first, const ClockPoint &last, std::uint64_t ticks_per_s) {
    if (last.ticks <= first.ticks || last.monotonic_ns <= first.monotonic_ns) return false;
    if (ticks_per_s < least_ticks_per_s) return false;
    const auto counted = static_cast<double>(last.ticks - first.ticks);
    const double expected =
        1e-9 * static_cast<double>(ticks_per_s) * static_cast<double>(last.monotonic_ns - first.monotonic_ns);
    // Each reading is good to half its gap, and to a step of the counter.
    const double open = 0.5 * static_cast<double>(first.gap_ticks + last.gap_ticks) + 2;
    return std::abs(counted - expected) <= 1e-3 * expected + open;
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
        const std::uint64_t gap = after - before + 1; // the counter is between two of its steps
        if (gap < best_gap) {
            best_gap = gap;
            best = {before + gap / 2, static_cast<std::int64_t>(ns), gap};
        }
    }
    return best;
}

ClockPoint take_point_of_any_clock() {
    return take_clock_point(processors_counter);
}

ClockPoint of_clock(ClockSource source, const ClockPoint &of_any) {
    if (source != ClockSource::gettime) return of_any;
    return {static_cast<std::uint64_t>(of_any.monotonic_ns), of_any.monotonic_ns, 0};
}

TickScale::TickScale(ClockSource source, const ClockPoint &first, const ClockPoint &last) : origin_(first) {
    if (source == ClockSource::gettime) return; // ticks are nanoseconds
    if (last.ticks <= first.ticks || last.monotonic_ns <= first.monotonic_ns) return;
    const long double rate = static_cast<long double>(last.monotonic_ns - first.monotonic_ns) /
                             static_cast<long double>(last.ticks - first.ticks);
    if (rate < most_ns_per_tick) rate_ = static_cast<std::int64_t>(rate * static_cast<long double>(rate_));
}

} // namespace cpl_lb
