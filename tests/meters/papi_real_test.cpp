// The PAPI of this machine. The tags are conditions of the tests: [works], PAPI counts software events here, or does
// so with pfm_shim.c; [off], it does not.
#include "meters/papi_api.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

ReaderOptions software_events() {
    ReaderOptions options;
    options.counters = "perf::TASK-CLOCK,perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,NO_SUCH_EVENT";
    return options;
}

} // namespace

TEST_CASE("The PAPI of this machine is opened with its own version") {
    PapiApi papi;
    const Availability answer = papi.open("");
    INFO(answer.reason);
    REQUIRE(answer.works); // Debian's package libpapi7.0, in Debian 13 libpapi7.1t64
    CHECK(papi.version >> 24 >= 5);
    PapiApi again; // a model may have initialised it before
    CHECK(again.open("").works);
    CHECK(again.version_text() == papi.version_text());
}

TEST_CASE("A PAPI that has switched itself off says so, and gives no numbers", "[off]") {
    const auto reader = make_papi_reader(software_events());
    const Availability answer = reader->open();
    CHECK_FALSE(answer.works);
    CHECK_FALSE(answer.reason.empty());
    CHECK_FALSE(answer.remedy.empty());
    for (const double value : read_all(*reader))
        CHECK(std::isnan(value));
}

TEST_CASE("Software events through PAPI", "[works]") {
    const auto reader = make_papi_reader(software_events());
    const Availability answer = reader->open();
    INFO(answer.reason);
    REQUIRE(answer.works);
    const auto before = read_all(*reader);
    fault_pages(100);
    const auto after = read_all(*reader);
    CHECK(after[0] > before[0]);
    CHECK(after[1] - before[1] >= 100);
    CHECK(std::isnan(after[3]));
}
