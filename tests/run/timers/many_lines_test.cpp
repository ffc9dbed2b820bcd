// Files of many lines are read in a time that grows with their lines, also where these are made to collide.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>
#include <ctime>

using namespace cpl_lb;

namespace {

double seconds_to_read(timer_files::ReadTimers read, const std::string &text) {
    const TimerText lines("log", text);
    const std::clock_t begin = std::clock();
    static_cast<void>(read(lines));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; // of the processor
}

// Ten times as many lines may take forty times as long; with the square of the lines it would be a hundred times.
// The fastest of three counts, on a machine that others use.
template <typename Make>
void check_linear(timer_files::ReadTimers read, Make text_of) {
    const std::string few = text_of(10'000), many = text_of(100'000);
    double few_s = 1e9, many_s = 1e9;
    const auto is_linear = [&] { return many_s < 40 * std::max(few_s, 0.002); };
    for (int i = 0; i < 3; ++i)
        few_s = std::min(few_s, seconds_to_read(read, few));
    for (int i = 0; i < 3 && !is_linear(); ++i)
        many_s = std::min(many_s, seconds_to_read(read, many));
    INFO(few_s << " s for 10,000 lines, " << many_s << " s for 100,000");
    CHECK(is_linear());
}

std::string of_each(int lines, const char *format) {
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += fmt::format(fmt::runtime(format), i);
    return text;
}

} // namespace

TEST_CASE("ESMF profile: many regions, and many components") {
    check_linear(read_esmf_profile, [](int lines) {
        return "Region PETs PEs Count Mean (s) Min (s) Min PET Max (s) Max PET\n [ESMF] 4 4 1 9 9 0 9 1\n"
               "  [esm] RunPhase1 4 4 1 9 9 0 9 1\n   [OCN] RunPhase1 4 4 1 9 9 0 9 1\n" +
               of_each(lines / 2, "    region_{} 4 4 1 9 9 0 9 1\n") +
               of_each(lines / 4, "   [C{}] RunPhase1 4 4 1 9 9 0 9 1\n") +
               of_each(lines / 4, "   [C{0}-TO-MED] RunPhase1 4 4 1 9 9 0 9 1\n") +
               "  [esm] FinalizePhase1 4 4 1 9 9 0 9 1\n";
    });
}

TEST_CASE("CESM: many components with timers of the driver") {
    check_linear(read_cesm_timing, [](int lines) {
        return "---------------- TIMING PROFILE ---------------------\nrun length : 1 days\ntotal pes active : 4\n"
               "Run Time : 100.0 seconds\n component comp_pes\n" +
               of_each(lines / 3, "c{} = m 4 0 4 x 1\n") + "\n" + of_each(lines / 3, "C{} Run Time: 1.0 seconds\n") +
               "NOTE: min:max driver timers\n" + of_each(lines / 3, " CPL:C{}_RUN 0.5: 1.0\n");
    });
}

TEST_CASE("FMS: many clocks of one component") {
    check_linear(read_fms_clocks, [](int lines) {
        return "tmin tmax tavg tstd tfrac\nTotal runtime 9.0 9.0 9.0 0.0 1.0\nOcean 9.0 9.0 9.0 0.0 1.0\n" +
               of_each(lines, "(Ocean {}) 1.0 1.0 1.0 0.0 0.1\n") + "high water mark\n";
    });
}
