// Time without a processor: texts as kernels write them, and this kernel itself.
#include "meters/processors.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <atomic>
#include <cmath>
#include <fstream>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

// The kernel's own words about this thread.
double schedstat_s(std::size_t figure) {
    std::ifstream in("/proc/self/task/" + std::to_string(::syscall(SYS_gettid)) + "/schedstat");
    double value = 0;
    for (std::size_t i = 0; i <= figure; ++i)
        in >> value;
    return in ? 1e-9 * value : unknown;
}

void compute_a_little() {
    volatile double sum = 0;
    for (int i = 0; i < 100'000; ++i)
        sum = sum + 1e-9 * i;
}

void compute_for(double processor_s) {
    const double until = schedstat_s(0) + processor_s;
    while (schedstat_s(0) < until) {
        compute_a_little();
    }
}

} // namespace

TEST_CASE("schedstat: nanoseconds run, ready without a processor, slices") {
    CHECK(no_processor_s("331000000 430000000 82\n") == Approx(0.43)); // four busy loops beside it, on two cores
    CHECK(no_processor_s("331000000 0 1\n") == 0);
    CHECK(std::isnan(no_processor_s("0 0 0\n"))); // the kernel does not count
    CHECK(std::isnan(no_processor_s("")));
    CHECK(std::isnan(no_processor_s("331000000")));
    CHECK(std::isnan(no_processor_s("ran waited slices")));
}

TEST_CASE("the meter counts from where it was opened") {
    const RecordedTree tree("no_meters");
    tree.write("self/schedstat", "5000000000 1500000000 9");
    ReaderOptions options;
    options.procfs_root = tree.root();
    const auto reader = opened(make_no_processor_reader(options));
    CHECK(value_of(*reader, "no_processor") == 0);
    tree.write("self/schedstat", "7000000000 2800000000 12"); // 2.8 - 1.5
    CHECK(value_of(*reader, "no_processor") == Approx(1.3));
    tree.write("self/schedstat", "garbage");
    CHECK(std::isnan(value_of(*reader, "no_processor")));
}

TEST_CASE("where the kernel does not count it, the reason") {
    const RecordedTree tree("no_meters");
    ReaderOptions options;
    options.procfs_root = tree.root();
    const Availability none = make_no_processor_reader(options)->open();
    CHECK_FALSE(none.works);
    CHECK(none.reason == tree.root() + "/self/schedstat: No such file or directory");
    tree.write("self/schedstat", "0 0 0");
    const Availability zeros = make_no_processor_reader(options)->open();
    CHECK_FALSE(zeros.works);
    CHECK(zeros.reason == tree.root() + "/self/schedstat: the kernel does not count it");
}

// Thread 8 ended, 9 is new: (2 - 0.5) + 0.25.
TEST_CASE("all threads of a process") {
    const RecordedTree tree("no_meters");
    CHECK(no_processor_of_threads(tree.root()).empty());
    tree.write("self/task/7/schedstat", "1 500000000 1");
    tree.write("self/task/8/schedstat", "1 700000000 1");
    const ThreadSeconds first = no_processor_of_threads(tree.root());
    CHECK(first.size() == 2);
    tree.write("self/task/7/schedstat", "1 2000000000 1");
    tree.write("self/task/9/schedstat", "1 250000000 1");
    tree.write("self/task/8/schedstat", "0 0 0");
    CHECK(growth_of(first, no_processor_of_threads(tree.root())) == Approx(1.75));
    CHECK(std::isnan(growth_of({}, first)));
    CHECK(std::isnan(growth_of(first, {})));
}

// Whatever else the machine does: the figure lies between what the kernel says before and after each reading. Where
// it counts, three busy loops for each processor leave this one ready without any for some time.
TEST_CASE("beside busy loops the meter says what the kernel says, of the thread that opened it") {
    std::thread([] {
        if (!(schedstat_s(0) > 0)) return; // this kernel does not count
        const auto reader = make_no_processor_reader({});
        const double before_open = schedstat_s(1);
        REQUIRE(reader->open().works);
        const double after_open = schedstat_s(1);
        std::atomic<bool> enough{false};
        std::vector<std::jthread> loops;
        for (unsigned i = 0; i < 3 * std::thread::hardware_concurrency(); ++i) {
            loops.emplace_back([&] {
                while (!enough)
                    compute_a_little();
            });
        }
        compute_for(0.2);
        enough = true;
        const double before = schedstat_s(1);
        const double read = value_of(*reader, "no_processor");
        const double after = schedstat_s(1);
        CHECK(read >= before - after_open);
        CHECK(read <= after - before_open);
        CHECK(read > 0);
    }).join();
}
