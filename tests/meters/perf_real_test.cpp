// Opens the kernel's real software events by libpfm4's names. The tags are conditions of the tests: [perf], this
// process may count by perf events; [kernel], also what the kernel does for it.
#include "meters/event_names.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cmath>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

int forbid_kernel(const PerfEventRequest &request) {
    if (!request.exclude_kernel) return forbid_events(request);
    return system_perf_event_open(request);
}

} // namespace

TEST_CASE("libpfm4 knows software events and explains them") {
    Pfm pfm;
    const Availability answer = pfm.open();
    INFO(answer.reason);
    REQUIRE(answer.works); // Debian's package libpfm4
    std::string why;
    const auto request = pfm.encode("perf::PAGE-FAULTS", &why);
    REQUIRE(request.has_value());
    CHECK(request->type == 1);   // PERF_TYPE_SOFTWARE
    CHECK(request->config == 2); // PERF_COUNT_SW_PAGE_FAULTS
    CHECK(pfm.explain("perf::PAGE-FAULTS").find("PERF_COUNT_SW_PAGE_FAULTS") != std::string::npos);
    CHECK_FALSE(request->exclude_kernel);
    CHECK_FALSE(request->exclude_user);
    const auto user = pfm.encode("perf::INSTRUCTIONS:u", &why), kernel = pfm.encode("perf::INSTRUCTIONS:k", &why);
    REQUIRE((user.has_value() && kernel.has_value()));
    CHECK((user->exclude_kernel && !user->exclude_user));
    CHECK((kernel->exclude_user && !kernel->exclude_kernel));
    CHECK_FALSE(pfm.encode("NO_SUCH_EVENT", &why).has_value());
    CHECK(why.find("libpfm4: ") == 0);
    CHECK(pfm.explain("NO_SUCH_EVENT").empty());
    CHECK_FALSE(Pfm().open("/nonexistent/libpfm.so.4").works);
}

TEST_CASE("Software events of the kernel count what this process does", "[perf]") {
    ReaderOptions options;
    options.counters = "perf::TASK-CLOCK,perf::PAGE-FAULTS,NO_SUCH_EVENT";
    const auto reader = make_perf_events_reader(options);
    const Availability answer = reader->open();
    INFO(answer.reason);
    REQUIRE(answer.works);
    CHECK(answer.reason.find("NO_SUCH_EVENT: libpfm4: ") == 0);
    const auto before = read_all(*reader);
    fault_pages(100);
    const auto after = read_all(*reader);
    CHECK(after[0] > before[0]);        // nanoseconds on a processor
    CHECK(after[1] - before[1] >= 100); // one fault for each page
    CHECK(after[1] - before[1] < 400);
    CHECK(std::isnan(after[2]));
    CHECK(reader->remarks().empty());
}

TEST_CASE("Events inside the kernel count, too", "[kernel]") {
    ReaderOptions options;
    options.counters = "perf::CONTEXT-SWITCHES";
    const auto reader = make_perf_events_reader(options);
    const Availability answer = reader->open();
    INFO(answer.reason);
    REQUIRE(answer.works);
    CHECK(answer.reason.empty());
    const auto before = read_all(*reader);
    for (int i = 0; i < 5; ++i)
        ::usleep(1000); // sleeping switches to another task
    const auto after = read_all(*reader);
    CHECK(after[0] - before[0] >= 5);
    CHECK(reader->remarks().empty());
}

TEST_CASE("Where the kernel's own part is forbidden, events inside the kernel are n/a, not 0", "[perf]") {
    ReaderOptions options;
    const RecordedTree tree("no_meters");
    tree.write("sys/kernel/perf_event_paranoid", "2");
    options.procfs_root = tree.root();
    options.counters = "perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,perf::PAGE-FAULTS:k";
    options.perf_event_open = forbid_kernel;
    const auto reader = make_perf_events_reader(options);
    const Availability answer = reader->open();
    INFO(answer.reason);
    REQUIRE(answer.works);
    CHECK(answer.reason.find("perf::CONTEXT-SWITCHES: the kernel forbids") == 0);
    CHECK(answer.remedy.find("perf_event_paranoid <= 1") != std::string::npos);
    const auto values = read_all(*reader);
    CHECK(is_known(values[0]));
    CHECK(std::isnan(values[1]));
    CHECK(std::isnan(values[2])); // asked for what the kernel does only: not what the program does in its place

    options.perf_event_open = forbid_events;
    const auto nothing = make_perf_events_reader(options);
    CHECK_FALSE(nothing->open().works);
    REQUIRE(nothing->quantities().size() == 3);
    for (const double value : read_all(*nothing))
        CHECK(std::isnan(value));
}
