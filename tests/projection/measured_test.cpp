// What the measured loops compute, over how much memory, and what is made of their times.
#include "meters/reader.hpp"
#include "projection/measured/measure_machine.hpp"
#include "projection/measured/thread_team.hpp"
#include "tests/temporary_folder.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <thread>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text << '\n';
}

void write_cache(const std::string &root, int index, const std::string &level, const std::string &type,
                 const std::string &size, const std::string &cpus) {
    const std::string folder = root + "/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    write(folder + "level", level);
    write(folder + "type", type);
    write(folder + "size", size);
    write(folder + "shared_cpu_list", cpus);
}

} // namespace

TEST_CASE("each width does the whole work of its loop") {
    constexpr std::size_t n = 4 * kernel_block;
    const ThreadArrays memory(3, n);
    double *const a = memory.array(0), *const b = memory.array(1), *const c = memory.array(2);
    REQUIRE(scalar_kernels() != nullptr);
    for (const KernelSet *const set : kernels_here()) {
        INFO(set->vector);
        for (std::size_t i = 0; i < n; ++i) {
            b[i] = static_cast<double>(i);
            c[i] = 2;
            a[i] = -1;
        }
        const auto sum = 0.5 * static_cast<double>(n * (n - 1)); // 0 + 1 + ... + n - 1
        CHECK(set->load(b, n, 1) == sum);
        CHECK(set->load(b, n, 3) == 3 * sum);
        // 0 + 4 + ... + n - 4: four times the sum up to n / 4 - 1.
        CHECK(set->strided(b, n, 1) == 2 * static_cast<double>(kernel_block * (kernel_block - 1)));
        std::vector<std::int32_t> backwards;
        for (std::size_t i = n; i-- > 0;)
            backwards.push_back(static_cast<std::int32_t>(i));
        CHECK(set->gathered(b, backwards.data(), n, 1) == sum);
        (void)set->copy(a, b, n, 1);
        CHECK(std::equal(a, a + n, b));
        (void)set->triad(a, b, c, n, 1);
        for (std::size_t i = 0; i < n; ++i)
            REQUIRE(a[i] == b[i] + 1); // 0.5 * 2
    }
}

TEST_CASE("the multiply-adds are as many as they say") {
    for (const KernelSet *const set : kernels_here()) {
        INFO(set->vector);
        const double steps = set->flops_per_pass / 2 / set->length / 12; // of each of 12 chains
        // x -> 0.999 x + 0.001 keeps 0.999^steps of x - 1; the chains start at 1, 2, ..., 12: 66 above 1.
        const double expected = set->length * (12 + 66 * std::pow(0.999, steps));
        CHECK(set->flops(1) == Approx(expected).epsilon(1e-9));
    }
}

TEST_CASE("a pointer chase comes to every line") {
    const std::vector<std::uint32_t> next = one_cycle(1000);
    std::set<std::uint32_t> seen;
    for (std::uint32_t at = 0; seen.insert(at).second;)
        at = next[at];
    CHECK(seen.size() == 1000);
}

TEST_CASE("sets lie in their level and not in the nearer one") {
    const TemporaryFolder folder;
    const std::string sys = folder / "sys", proc = folder / "proc";
    write_cache(sys, 0, "1", "Data", "32K", "0");
    write_cache(sys, 1, "1", "Instruction", "32K", "0");
    write_cache(sys, 2, "2", "Unified", "1024K", "0");
    write_cache(sys, 3, "3", "Unified", "32M", "0-3,8-11");
    write(proc + "/meminfo", "MemTotal: 99999999 kB\nMemAvailable: 4000000 kB");
    const auto caches = data_caches(sys);
    REQUIRE(caches.size() == 3);
    CHECK(caches[2].level == "L3");
    CHECK(caches[2].size_B == 32.0 * 1024 * 1024);
    CHECK(caches[2].shared_by == 8);

    MeasuringOptions options;
    options.readers.procfs_root = proc;
    const MeasuringPlan plan{options, {0, 1, 2, 3}, {1, 2, 4}, caches, {scalar_kernels()}, {}};
    Machine machine;
    const auto one = level_sets(plan, 1, machine), four = level_sets(plan, 4, machine);
    REQUIRE(one.size() == 4);
    CHECK(one[0].doubles * 8 == std::size_t{16} * 1024);        // half of L1
    CHECK(one[1].doubles * 8 == std::size_t{6} * 32 * 1024);    // six times L1: less than half of L2
    CHECK(one[2].doubles * 8 == std::size_t{6} * 1024 * 1024);  // six times L2: less than half of L3
    CHECK(four[2].doubles * 8 == std::size_t{4} * 1024 * 1024); // half of a quarter of L3
    CHECK(one[3].doubles * 8 == std::size_t{4} * 32 * 1024 * 1024);
    CHECK(four[3].doubles * 8 == std::size_t{32} * 1024 * 1024); // as much in all
    CHECK(machine.remarks.empty());

    write(proc + "/meminfo", "MemAvailable: 100000 kB"); // 102.4e6 B; a quarter of it is less than 128 MiB
    CHECK(level_sets(plan, 1, machine)[3].doubles * 8 <= 25'600'000);
    REQUIRE(machine.remarks.size() == 1);
    CHECK(machine.remarks[0].find("sets of 26 MB, a quarter of the free memory") != std::string::npos);
}

TEST_CASE("messages: latency of the shortest, bandwidth of the longest") {
    // 1 us; 4 MiB take 1001 us: 4194304 B in the 1 ms beyond the latency.
    const NetworkLink link =
        network_from("hosts n1 n2\nmessage 8 1e-6\nmessage 65536 2e-5\nmessage 4194304 1.001e-3\n");
    CHECK(link.between == "nodes");
    CHECK(link.latency_s == Approx(1e-6));
    CHECK(link.B_per_s == Approx(4.194304e9));
    CHECK(network_from("hosts n1 n1\nmessage 8 1e-6\n").between == "processes of one node");
    CHECK_FALSE(is_known(network_from("mpirun: not found\n").latency_s));
}

TEST_CASE("a rate that cannot be is measured again, with more time each, and refused where it stays") {
    const RateInQuestion two_threads{"the avx512 flop rate with 2 threads",
                                     "GFLOP/s",
                                     machine_units::GFLOP_per_s,
                                     {{121e9, "with 1 thread", 0.5}}};
    std::vector<double> seconds;
    const auto gives = [&](const std::vector<double> &rates) {
        seconds.clear();
        return [&seconds, rates](const TeamBudget &budget) {
            seconds.push_back(budget.seconds);
            return rates[std::min(seconds.size(), rates.size()) - 1];
        };
    };
    CHECK(plausible_rate(two_threads, {1, 1e-3}, gives({200e9})) == 200e9);
    CHECK(seconds == std::vector<double>{1});
    // 60.5 is half of 121. The second is too low, too; the best of all holds.
    CHECK(plausible_rate(two_threads, {1, 1e-3}, gives({0.006e9, 60e9, 60.5e9})) == 60.5e9);
    CHECK(seconds == std::vector<double>{1, 4, 16});
    CHECK_THROWS_WITH(plausible_rate(two_threads, {1, 1e-3}, gives({0.006e9})),
                      "this node is too busy to be measured: the avx512 flop rate with 2 threads came out at 0.006 "
                      "GFLOP/s, with 1 thread at 121 GFLOP/s (the best of 5 measurements); run cpl-lb machine while "
                      "nothing else runs here");
    CHECK(seconds.size() == 5); // and no more
    // Nothing to compare with: what the file's reader would refuse. 0.001 GFLOP/s is its least.
    const RateInQuestion alone{"x", "GFLOP/s", machine_units::GFLOP_per_s, {{unknown, "nothing", 0.5}}};
    CHECK(plausible_rate(alone, {1, 1e-3}, gives({0.001e9})) == 0.001e9);
    CHECK_THROWS_AS(plausible_rate(alone, {1, 1e-3}, gives({0.0009e9})), ImplausibleError);
    CHECK_THROWS_AS(plausible_rate(alone, {1, 1e-3}, gives({std::numeric_limits<double>::infinity()})),
                    ImplausibleError);
    CHECK_THROWS_AS(plausible_rate(alone, {1, 1e-3}, gives({unknown})), ImplausibleError);
}

TEST_CASE("a repetition that something held up does not pass for a long one") {
    // The first two calls of a pass sleep long, as if another process had the core; then a pass takes 1 ms. 8 ms are
    // wanted of a repetition: it takes 8 passes or more, and with one pass it would never be tried.
    std::atomic<int> calls{0};
    std::atomic<std::size_t> most{0};
    const auto work = [&](std::size_t, std::size_t passes) {
        most = std::max(most.load(), passes);
        std::this_thread::sleep_for(std::chrono::milliseconds(calls++ < 2 ? 50 : static_cast<int>(passes)));
        return 0.0;
    };
    (void)best_pass_s({0}, {nullptr, work}, {0.01, 8e-3});
    CHECK(most.load() > 1);
}

TEST_CASE("one pass of a team is timed, whatever the number of passes") {
    const auto nap = [](std::size_t, std::size_t passes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2) * passes);
        return 0.0;
    };
    // Sleeps are never shorter than asked for; the best of several is not much longer.
    const double seconds = best_pass_s({0, 0}, {nullptr, nap}, {0.02, 5e-3});
    CHECK(seconds >= 2e-3);
    CHECK(seconds < 20e-3);
}

TEST_CASE("power is energy over time") {
    const TemporaryFolder folder;
    const std::string zone = folder / "sys/class/powercap/intel-rapl:0";
    write(zone + "/name", "package-0");
    write(zone + "/max_energy_range_uj", "262143328850");
    write(zone + "/energy_uj", "1000000");
    std::atomic<bool> stop{false};
    // A package that draws 40 W.
    std::thread draws([&] {
        const Nanoseconds start = steady_now();
        while (!stop) {
            const double joules = 1 + 40 * to_seconds(steady_now() - start);
            std::ofstream(zone + "/energy_uj", std::ios::in | std::ios::out)
                << static_cast<long>(1e6 * joules) << '\n';
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    MeasuringOptions options;
    options.readers.sysfs_root = folder / "sys";
    options.readers.procfs_root = folder / "proc";
    options.quick = true;
    options.progress = [](const std::string &) {};
    write(folder / "proc/meminfo", "MemAvailable: 100000 kB");
    const MeasuringPlan plan{options, {0}, {1}, {}, {scalar_kernels()}, {}};
    Machine machine;
    measure_power(plan, machine);
    stop = true;
    draws.join();
    REQUIRE(machine.power.size() == 2);
    CHECK(machine.power[0].at.threads == 0);
    CHECK(machine.power[1].at.threads == 1);
    for (const PowerDraw &draw : machine.power)
        CHECK(draw.package_W == Approx(40).epsilon(0.5)); // the writer may be late
    CHECK_FALSE(is_known(machine.power[0].dram_W));
}
