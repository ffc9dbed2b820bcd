// The PAPI reader on a stub PAPI (tests/stubs/papi_stub.c) that fails at each call in turn.
#include "meters/event_names.hpp"
#include "meters/table.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

ReaderOptions stub_options(const char *events) {
    ReaderOptions options;
    options.counters = events;
    options.papi_library = PAPI_STUB;
    return options;
}

int stub_sets_in_use() {
    return ask_stub(PAPI_STUB, "papi_stub_sets_in_use");
}

} // namespace

TEST_CASE("The list of events") {
    CHECK(split_event_names(" PAPI_TOT_INS,,perf::PAGE-FAULTS:u , PAPI_TOT_INS,") ==
          std::vector<std::string>{"PAPI_TOT_INS", "perf::PAGE-FAULTS:u"});
    CHECK(split_event_names("").empty());
    CHECK(split_event_names(" , ").empty());
    CHECK(happens_in_kernel("perf::context-switches"));
    CHECK(happens_in_kernel("perf::PERF_COUNT_SW_CPU_MIGRATIONS"));
    CHECK_FALSE(happens_in_kernel("perf::PAGE-FAULTS"));
}

TEST_CASE("Events are counted, in the order asked for, whatever their PAPI component") {
    const auto reader = make_papi_reader(stub_options("EVENT_3,EVENT_12,EVENT_1"));
    const Availability answer = reader->open();
    REQUIRE(answer.works);
    CHECK(answer.reason.empty());
    CHECK(names_of(*reader) == std::vector<std::string>{"EVENT_3", "EVENT_12", "EVENT_1"});
    // The stub counts 100 x code + reads of the set: the first read of each set.
    CHECK(read_all(*reader) == std::vector<double>{301, 1201, 101});
    CHECK(read_all(*reader) == std::vector<double>{302, 1202, 102});
    CHECK(reader->quantities()[0].measure == Measure::counter);
    CHECK(reader->remarks().empty());
}

TEST_CASE("Older and newer PAPI are asked for by their own version") {
    for (const char *version : {"5", "6", "8"}) {
        const ScopedVariable newer("PAPI_STUB_VERSION", version);
        CHECK(make_papi_reader(stub_options("EVENT_1"))->open().works);
    }
    const ScopedVariable unknown_version("PAPI_STUB_VERSION", "99");
    const Availability answer = make_papi_reader(stub_options("EVENT_1"))->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason == "PAPI_library_init: stub error -1");
}

TEST_CASE("Each call that fails gives its name, PAPI's words and n/a") {
    for (const std::string call : {"event_name_to_code", "create_eventset", "add_event", "start", "read"}) {
        const ScopedVariable failing("PAPI_STUB_FAIL", call + "=-15");
        const auto reader = make_papi_reader(stub_options("EVENT_1,EVENT_2"));
        const Availability answer = reader->open();
        CHECK_FALSE(answer.works);
        CHECK(answer.reason ==
              "EVENT_1: PAPI_" + call + ": stub error -15; EVENT_2: PAPI_" + call + ": stub error -15");
        CHECK(answer.remedy.find("CAP_PERFMON") != std::string::npos);
        REQUIRE(reader->quantities().size() == 2); // the columns stay
        CHECK(reader->quantities()[1].why_missing == "PAPI_" + call + ": stub error -15");
        for (const double value : read_all(*reader))
            CHECK(std::isnan(value));
    }
    const ScopedVariable failing("PAPI_STUB_FAIL", "library_init=-3");
    CHECK(make_papi_reader(stub_options("EVENT_1"))->open().reason == "PAPI_library_init: stub error -3");
    CHECK(stub_sets_in_use() == 0); // nothing left behind
}

TEST_CASE("One event that fails leaves the others") {
    for (const std::string call : {"event_name_to_code", "add_event", "start", "read"}) {
        const ScopedVariable failing("PAPI_STUB_FAIL", call);
        const ScopedVariable only("PAPI_STUB_FAIL_EVENT", "2");
        const auto reader = make_papi_reader(stub_options("EVENT_1,EVENT_2,EVENT_3"));
        const Availability answer = reader->open();
        CHECK(answer.works);
        CHECK(answer.reason == "EVENT_2: PAPI_" + call + ": stub error -3");
        const auto values = read_all(*reader);
        CHECK(values[0] == 101);
        CHECK(std::isnan(values[1]));
        CHECK(values[2] == 301);
    }
}

TEST_CASE("More events than counters: the first are counted, the rest not estimated") {
    const ScopedVariable two("PAPI_STUB_COUNTERS", "2");
    const auto reader = make_papi_reader(stub_options("EVENT_1,EVENT_2,EVENT_3,EVENT_4,EVENT_11"));
    const Availability answer = reader->open();
    CHECK(answer.works);
    CHECK(answer.remedy.find("multiplexing") != std::string::npos);
    const auto values = read_all(*reader);
    CHECK(values[0] == 101);
    CHECK(values[1] == 201);
    CHECK(std::isnan(values[2]));
    CHECK(std::isnan(values[3]));
    CHECK(values[4] == 1101); // another PAPI component has its own counters
    CHECK(reader->quantities()[3].why_missing == "with the events before it, PAPI_add_event: stub error -8");
}

TEST_CASE("Counters that stop during the run are NaN from then on, and said once") {
    const ScopedVariable three("PAPI_STUB_READS", "3"); // one for the probe, two for us
    // The stub's number of reads is of the process: count from what earlier tests did.
    CHECK(ask_stub(PAPI_STUB, "papi_stub_reset") == 0);
    const auto reader = opened(make_papi_reader(stub_options("EVENT_1")));
    CHECK(value_of(*reader, "EVENT_1") == 101);
    CHECK(value_of(*reader, "EVENT_1") == 102);
    check_values(*reader, {{"EVENT_1", unknown}, {"EVENT_1", unknown}});
    CHECK(reader->remarks() ==
          std::vector<std::string>{"EVENT_1 and the counters with it stopped: PAPI_read: stub error -3"});
}

TEST_CASE("Event sets are given back") {
    {
        const auto reader = opened(make_papi_reader(stub_options("EVENT_1,EVENT_11")));
        CHECK(stub_sets_in_use() == 2);
    }
    CHECK(stub_sets_in_use() == 0);
}

TEST_CASE("No PAPI, or something else under its name") {
    ReaderOptions options = stub_options("EVENT_1");
    options.papi_library = "/nonexistent/libpapi.so.7";
    Availability answer = make_papi_reader(options)->open();
    check_refused(answer, {"PAPI is not found"}, {"LD_LIBRARY_PATH"});

    options.papi_library = NOT_PAPI;
    answer = make_papi_reader(options)->open();
    check_refused(answer, {"has no PAPI_event_name_to_code"});

    options.counters = "";
    CHECK_FALSE(make_papi_reader(options)->open().works);
}
