// The PAPI of this machine with its software events; says why where PAPI or the kernel does not let us.
#include "readers/papi_api.hpp"
#include "readers/table.hpp"

#include "reader_values.hpp"

#include <cmath>
#include <iostream>
#include <sys/mman.h>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

TEST_CASE("The PAPI of this machine is opened with its own version") {
    PapiApi papi;
    const Availability answer = papi.open("");
    if (!answer.works) {
        std::cout << "cpl_lb skips: " << answer.reason << '\n';
        return;
    }
    CHECK(papi.version >> 24 >= 5);
    PapiApi again; // a model may have initialised it before
    CHECK(again.open("").works);
    CHECK(again.version_text() == papi.version_text());
}

TEST_CASE("Software events through PAPI") {
    ReaderOptions options;
    options.counters = "perf::TASK-CLOCK,perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,NO_SUCH_EVENT";
    const auto reader = make_papi_reader(options);
    const Availability answer = reader->open();
    if (!answer.works) {
        CHECK_FALSE(answer.reason.empty());
        CHECK_FALSE(answer.remedy.empty());
        for (const double value : read_all(*reader))
            CHECK(std::isnan(value));
        std::cout << "cpl_lb skips: " << answer.reason << '\n';
        return;
    }
    const auto before = read_all(*reader);
    constexpr std::size_t pages = 100;
    const auto page_B = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void *block = ::mmap(nullptr, pages * page_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    ::madvise(block, pages * page_B, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i)
        static_cast<char *>(block)[i * page_B] = 1;
    ::munmap(block, pages * page_B);
    const auto after = read_all(*reader);
    CHECK(after[0] > before[0]);
    CHECK(after[1] - before[1] >= 100);
    CHECK(std::isnan(after[3]));
}
