// The events of cn_counters, each by what can count it: a stub PAPI, and perf events for real.
#include "meters/table.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

TEST_CASE("PAPI's events and others keep the order asked for") {
    ReaderOptions options;
    options.counters = "perf::TASK-CLOCK,EVENT_1,NO_SUCH_EVENT,EVENT_2";
    options.papi_library = PAPI_STUB;
    const auto reader = make_counters_reader(options);
    const Availability answer = reader->open();
    REQUIRE(answer.works);
    CHECK(names_of(*reader) == std::vector<std::string>{"perf::TASK-CLOCK", "EVENT_1", "NO_SUCH_EVENT", "EVENT_2"});
    const auto values = read_all(*reader);
    CHECK(values[1] == 101);
    CHECK(std::isnan(values[2]));
    CHECK(values[3] == 201);
    CHECK(answer.reason.find("NO_SUCH_EVENT: PAPI_event_name_to_code: stub error -7; libpfm4") != std::string::npos);
    CHECK(reader->quantities()[1].why_missing.empty());
    CHECK_FALSE(reader->quantities()[2].why_missing.empty());
    // Where perf events are forbidden it is n/a and says why.
    CHECK(reader->quantities()[0].why_missing.empty() == (values[0] > 0));
}

TEST_CASE("Nothing can count: columns of n/a with both reasons") {
    ReaderOptions options;
    options.counters = "PAPI_TOT_INS,perf::PAGE-FAULTS";
    options.papi_library = "/nonexistent/libpapi.so.7";
    options.perf_event_open = forbid_events;
    const auto reader = make_counters_reader(options);
    const Availability answer = reader->open();
    check_refused(answer, {"PAPI is not found"});
    CHECK_FALSE(answer.remedy.empty());
    REQUIRE(reader->quantities().size() == 2);
    for (const double value : read_all(*reader))
        CHECK(std::isnan(value));

    options.counters = "";
    const auto none = make_counters_reader(options);
    CHECK_FALSE(none->open().works);
    CHECK(none->quantities().empty());
}
