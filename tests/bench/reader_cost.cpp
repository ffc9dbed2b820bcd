// What one sample of each reader costs here, against the bare read of the same file or counter in the same run.
//   reader_cost [REPEATS]
#include "meters/energy.hpp"
#include "meters/reader.hpp"
#include "meters/sampler.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace cpl_lb;

int repeats = 20000;

// Median over batches of the mean time of one call [ns].
double cost_ns(const std::function<void()> &call) {
    constexpr int batches = 11;
    std::array<double, batches> means{};
    const int calls = std::max(repeats / batches, 1);
    for (double &mean : means) {
        const Nanoseconds before = steady_now();
        for (int i = 0; i < calls; ++i)
            call();
        mean = static_cast<double>(steady_now() - before) / calls;
    }
    std::nth_element(means.begin(), means.begin() + batches / 2, means.end());
    return means[batches / 2];
}

void print(std::string_view name, double ns, std::string_view bare, double bare_ns) {
    std::cout << fmt::format("{:<28}{:>10.0f} ns   {:<34}{:>10.0f} ns   {:>5.2f}\n", name, ns, bare, bare_ns,
                             ns / bare_ns);
}

double bare_file_ns(const char *path) {
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    std::array<char, 4096> buffer{};
    const double ns = cost_ns([&] { static_cast<void>(!::pread(descriptor, buffer.data(), buffer.size(), 0)); });
    ::close(descriptor);
    return ns;
}

double bare_perf_ns() {
    const int descriptor = system_perf_event_open({.type = 1, .config = 1, .exclude_kernel = true});
    std::array<std::uint64_t, 8> counts{}; // too few and the kernel refuses
    const double ns = cost_ns([&] { static_cast<void>(!::read(descriptor, counts.data(), sizeof counts)); });
    ::close(descriptor);
    return ns;
}

void measure(Reader &reader, std::string_view bare, double bare_ns) {
    const Availability answer = reader.open();
    if (!answer.works) {
        std::cout << fmt::format("{:<28}       n/a      {}\n", reader.name(), answer.reason);
        return;
    }
    std::vector<double> values(reader.quantities().size());
    const double ns = cost_ns([&] { reader.read(values); });
    print(fmt::format("{} ({})", reader.name(), values.size()), ns, bare, bare_ns);
}

void measure_counters(const std::string &events, double bare_ns) {
    ReaderOptions options;
    options.counters = events;
    for (const auto make : {make_papi_reader, make_perf_events_reader}) {
        measure(*make(options), "read(2) of one software event", bare_ns);
    }
}

void measure_sampler() {
    ReaderOptions options;
    const auto rss = make_rss_reader(options);
    const auto node = make_node_memory_reader(options);
    if (!rss->open().works || !node->open().works) return;
    Sampler sampler({rss.get(), node.get()}, 0, 4096, steady_now);
    const double sample_ns = cost_ns([&] { sampler.offer(steady_now()); });
    std::cout << fmt::format("sampler of both memory readers: {:.0f} ns a sample (it says {:.0f})\n", sample_ns,
                             sampler.mean_cost_ns());
    Sampler idle({rss.get()}, Nanoseconds{1} << 60, 16, steady_now);
    Nanoseconds now = 1;
    idle.offer(now);
    std::cout << fmt::format("sampler, nothing due: {:.2f} ns\n", cost_ns([&] { idle.offer(++now); }));
}

} // namespace

int main(int argc, char **argv) {
    if (argc > 1) repeats = std::max(std::atoi(argv[1]), 11);
    std::cout << fmt::format("{:<28}{:>13}   {:<34}{:>13}   ratio\n", "reader (values)", "one read", "bare",
                             "one read");
    rusage usage = {};
    const double statm_ns = bare_file_ns("/proc/self/statm"), status_ns = bare_file_ns("/proc/self/status");
    std::cout << fmt::format("bare getrusage: {:.0f} ns, bare statm: {:.0f} ns\n",
                             cost_ns([&] { ::getrusage(RUSAGE_SELF, &usage); }), statm_ns);
    const ReaderOptions options;
    measure(*make_rss_reader(options), "pread of statm and status", statm_ns + status_ns);
    measure(*make_node_memory_reader(options), "pread of meminfo", bare_file_ns("/proc/meminfo"));
    measure(*make_rapl_reader(options), "pread of statm", statm_ns);
    measure(*make_perf_power_reader(options), "pread of statm", statm_ns);
    measure(*make_nvml_reader(options), "pread of statm", statm_ns);
    const double perf_ns = bare_perf_ns();
    measure_counters("perf::TASK-CLOCK", perf_ns);
    measure_counters("perf::TASK-CLOCK,perf::PAGE-FAULTS", perf_ns);
    measure_counters("perf::TASK-CLOCK,perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,perf::CPU-MIGRATIONS", perf_ns);
    measure_sampler();
    return 0;
}
