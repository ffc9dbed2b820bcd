// Memory of this process and of the node, on the real /proc and on texts of one.
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {
constexpr double MiB = 1024.0 * 1024.0;
}

TEST_CASE("200 MiB allocated and touched show in the resident set and the high-water mark") {
    const auto reader = opened(make_rss_reader({}));
    const double rss_before = value_of(*reader, "rss");
    REQUIRE(rss_before > 0);

    constexpr std::size_t size = 200u << 20u;
    void *block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    CHECK(value_of(*reader, "rss") - rss_before < 20 * MiB); // not before it is touched
    std::memset(block, 1, size);
    // The kernel sums pages lazily over the processors: some hundred pages of doubt.
    CHECK(value_of(*reader, "rss") - rss_before == Approx(200 * MiB).margin(8 * MiB));
    CHECK(value_of(*reader, "hwm") >= rss_before + 192 * MiB);
    ::munmap(block, size);
    CHECK(value_of(*reader, "rss") - rss_before < 20 * MiB);
    CHECK(value_of(*reader, "hwm") >= rss_before + 192 * MiB); // the mark stays
    CHECK(value_of(*reader, "executable") > 10000);
}

TEST_CASE("Resident set and mark from texts") {
    const RecordedTree tree("no_meters");
    ReaderOptions options;
    options.procfs_root = tree.root();
    const auto page_B = static_cast<double>(::sysconf(_SC_PAGESIZE));
    tree.write("self/statm", "1000 250 100 5 0 120 0");
    tree.write("self/status",
               "Name:\tocean VmHWM: 7 kB\nVmPeak:\t    9000 kB\nVmHWM:\t    3000 kB\nVmRSS:\t    1000 kB");
    const auto reader = opened(make_rss_reader(options));
    CHECK(value_of(*reader, "rss") == 250 * page_B);
    CHECK(value_of(*reader, "hwm") == 3000 * 1024.0);
    CHECK(std::isnan(value_of(*reader, "executable"))); // no self/exe in this tree
    tree.write("self/statm", "garbage");
    CHECK(std::isnan(value_of(*reader, "rss")));
    CHECK(value_of(*reader, "hwm") == 3000 * 1024.0);
}

TEST_CASE("No /proc: not available, with the reason") {
    ReaderOptions options;
    options.procfs_root = "/nonexistent";
    for (const auto make : {make_rss_reader, make_node_memory_reader}) {
        const auto reader = make(options);
        check_refused(reader->open(), {"/nonexistent"}, {"CPL_LB_PROCFS"});
        CHECK(reader->quantities().empty());
    }
}

TEST_CASE("Memory of the node") {
    const RecordedTree tree("no_meters");
    ReaderOptions options;
    options.procfs_root = tree.root();
    tree.write("meminfo",
               "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    6000 kB\nBuffers: 1 kB");
    const auto reader = opened(make_node_memory_reader(options));
    CHECK(value_of(*reader, "node_memory_used") == 10000 * 1024.0);
    CHECK(value_of(*reader, "node_memory") == 16000 * 1024.0);
    tree.write("meminfo", "MemTotal:       16000 kB"); // a kernel without MemAvailable
    CHECK(std::isnan(value_of(*reader, "node_memory_used")));

    const auto here = opened(make_node_memory_reader({}));
    CHECK(value_of(*here, "node_memory_used") < value_of(*here, "node_memory"));
}

TEST_CASE("A mark inherited from the launcher is not ours") {
    // A child process that has used 300 MiB runs this test program anew (exec): its ru_maxrss keeps the 300 MiB.
    const std::string own_path = std::filesystem::read_symlink("/proc/self/exe").string();
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        constexpr std::size_t size = 300u << 20u;
        void *block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block != MAP_FAILED) std::memset(block, 1, size);
        ::execl(own_path.c_str(), own_path.c_str(), "[launched]", static_cast<char *>(nullptr));
        ::_exit(1);
    }
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("As launched", "[.][launched]") {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    REQUIRE(static_cast<double>(usage.ru_maxrss) * 1024.0 > 290 * MiB); // the launcher's
    const auto reader = opened(make_rss_reader({}));
    CHECK(value_of(*reader, "hwm") < 100 * MiB);
    constexpr std::size_t size = 400u << 20u;
    void *block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    std::memset(block, 1, size);
    ::munmap(block, size);
    CHECK(value_of(*reader, "hwm") == Approx(400 * MiB).margin(100 * MiB)); // now above the launcher's
}
