// What an event costs when it must survive a crash: nanoseconds for a begin/end pair with the marks in memory and in
// a spool file, in turn in one process, with the chunks of 2 million pairs (61 of them) made and sealed on the way.
// Prints one line; never fails on a figure, because machines are noisy. Usage: spool_cost [FOLDER]
#include "record/recorder.hpp"
#include "record/spool.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int fields = 30;
constexpr long pairs = 2'000'000;
constexpr int rounds = 7;

// The processor time of this thread, also in the kernel: other programs on the machine do not count.
double cpu_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double pair_ns(std::unique_ptr<cpl_lb::ChunkSource> chunks) {
    cpl_lb::Recorder::Setup setup;
    setup.clock = cpl_lb::choose_clock(nullptr);
    setup.chunks = std::move(chunks);
    cpl_lb::Recorder recorder(std::move(setup), "bench");
    for (int f = 0; f < fields; ++f)
        static_cast<void>(recorder.field("field " + std::to_string(f), "other"));
    const double start = cpu_ns();
    for (long i = 0; i < pairs; ++i) {
        const int field = 1 + static_cast<int>(i % fields);
        recorder.begin(1, field);
        recorder.end(1, field);
    }
    const double ns = cpu_ns() - start;
    recorder.store().first_source().remove_file();
    return ns / static_cast<double>(pairs);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : "/dev/shm";
    std::vector<double> memory;
    std::vector<double> spool;
    std::vector<double> ratio;
    for (int round = 0; round < rounds; ++round) {
        memory.push_back(pair_ns(nullptr));
        spool.push_back(pair_ns(std::make_unique<cpl_lb::SpoolChunks>(
            cpl_lb::spool_path(folder, "bench" + std::to_string(getpid()), round), cpl_lb::SpoolIdentity())));
        ratio.push_back(spool.back() / memory.back());
    }
    std::printf("begin/end pair in memory %.1f ns, in %s %.1f ns, ratio %.2f (medians of %d)\n", median(memory),
                folder.c_str(), median(spool), median(ratio), rounds);
    return 0;
}
