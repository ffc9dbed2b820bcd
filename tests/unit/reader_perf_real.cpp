// The kernel's software events, named by libpfm4, for real; says why where they are forbidden.
#include "readers/pfm.hpp"
#include "readers/table.hpp"

#include "reader_values.hpp"

#include <cerrno>
#include <cmath>
#include <iostream>
#include <sys/mman.h>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

int forbid(const PerfEventRequest &) {
    errno = EACCES;
    return -1;
}

int forbid_kernel(const PerfEventRequest &request) {
    if (!request.exclude_kernel) return forbid(request);
    return system_perf_event_open(request);
}

} // namespace

TEST_CASE("libpfm4 knows software events and explains them") {
    Pfm pfm;
    const Availability answer = pfm.open();
    if (!answer.works) {
        std::cout << "cpl_lb skips: " << answer.reason << '\n';
        return;
    }
    std::string why;
    const auto request = pfm.encode("perf::PAGE-FAULTS", &why);
    REQUIRE(request.has_value());
    CHECK(request->type == 1);   // PERF_TYPE_SOFTWARE
    CHECK(request->config == 2); // PERF_COUNT_SW_PAGE_FAULTS
    CHECK(pfm.explain("perf::PAGE-FAULTS").find("PERF_COUNT_SW_PAGE_FAULTS") != std::string::npos);
    CHECK_FALSE(pfm.encode("NO_SUCH_EVENT", &why).has_value());
    CHECK(why.find("libpfm4: ") == 0);
    CHECK(pfm.explain("NO_SUCH_EVENT").empty());
    CHECK_FALSE(Pfm().open("/nonexistent/libpfm.so.4").works);
}

TEST_CASE("Software events of the kernel count what this process does") {
    ReaderOptions options;
    options.counters = "perf::TASK-CLOCK,perf::PAGE-FAULTS,NO_SUCH_EVENT,perf::CONTEXT-SWITCHES";
    const auto reader = make_perf_events_reader(options);
    const Availability answer = reader->open();
    if (!answer.works) {
        std::cout << "cpl_lb skips: " << answer.reason << '\n';
        return;
    }
    CHECK(answer.reason.find("NO_SUCH_EVENT: libpfm4: ") == 0);
    const auto before = read_all(*reader);
    constexpr std::size_t pages = 100;
    const auto page_B = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void *block = ::mmap(nullptr, pages * page_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    ::madvise(block, pages * page_B, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i)
        static_cast<char *>(block)[i * page_B] = 1;
    ::munmap(block, pages * page_B);
    for (int i = 0; i < 5; ++i)
        ::usleep(1000); // sleeping switches to another task
    const auto after = read_all(*reader);
    CHECK(after[0] > before[0]);        // nanoseconds on a processor
    CHECK(after[1] - before[1] >= 100); // one fault for each page
    CHECK(after[1] - before[1] < 400);
    CHECK(std::isnan(after[2]));
    if (is_known(after[3])) CHECK(after[3] - before[3] >= 5);
    CHECK(reader->remarks().empty());
}

TEST_CASE("Where the kernel's own part is forbidden, events inside the kernel are n/a, not 0") {
    ReaderOptions options;
    const RecordedTree tree("no_meters");
    tree.write("sys/kernel/perf_event_paranoid", "2");
    options.procfs_root = tree.root();
    options.counters = "perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES";
    options.perf_event_open = forbid_kernel;
    const auto reader = make_perf_events_reader(options);
    const Availability answer = reader->open();
    if (!answer.works) {
        std::cout << "cpl_lb skips: " << answer.reason << '\n';
        return;
    }
    CHECK(answer.reason.find("perf::CONTEXT-SWITCHES: the kernel forbids") == 0);
    CHECK(answer.remedy.find("perf_event_paranoid <= 1") != std::string::npos);
    const auto values = read_all(*reader);
    CHECK(is_known(values[0]));
    CHECK(std::isnan(values[1]));

    options.perf_event_open = forbid;
    const auto nothing = make_perf_events_reader(options);
    CHECK_FALSE(nothing->open().works);
    REQUIRE(nothing->quantities().size() == 2);
    for (const double value : read_all(*nothing))
        CHECK(std::isnan(value));
}
