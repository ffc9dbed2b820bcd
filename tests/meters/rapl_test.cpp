// Zones and joules of the powercap tree. Expected values: the arithmetic is in the comments of tests/data/sysfs.
#include "meters/counter_file.hpp"
#include "meters/energy_readers.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

struct RaplOn : ReaderOn {
    explicit RaplOn(const std::string &name) : ReaderOn(name, make_rapl_reader) { open(); }
};

} // namespace

TEST_CASE("A counter that wraps goes on counting") {
    WrapCounter counter(90, 100);
    CHECK(counter.advance(95) == WrapCounter::Step::counted); // 5
    CHECK(counter.advance(10) == WrapCounter::Step::wrapped); // 10 + (100 - 95) = 15
    CHECK(counter.total() == 20);
    CHECK(counter.advance(10) == WrapCounter::Step::counted); // nothing used
    CHECK(counter.total() == 20);
}

TEST_CASE("A counter of unknown range skips the interval in which it went back") {
    WrapCounter counter(90, 0);
    CHECK(counter.advance(95) == WrapCounter::Step::counted);
    CHECK(counter.advance(10) == WrapCounter::Step::skipped);
    CHECK(counter.advance(12) == WrapCounter::Step::counted);
    CHECK(counter.total() == 5 + 2);
    WrapCounter beyond(150, 100); // was above its own range: that says nothing about the wrap either
    CHECK(beyond.advance(10) == WrapCounter::Step::skipped);
    CHECK(beyond.total() == 0);
}

TEST_CASE("Zones are known by name, not by number") {
    CHECK(rapl_domain("package-0") == Domain::package);
    CHECK(rapl_domain("package-1-die-3") == Domain::package);
    CHECK(rapl_domain("dram") == Domain::dram);
    CHECK(rapl_domain("psys") == Domain::psys);
    CHECK(rapl_domain("package") == Domain::none);
    CHECK(rapl_domain("") == Domain::none);

    const RecordedTree tree("psys_first");
    const auto zones = find_rapl_zones(tree.root());
    REQUIRE(zones.size() == 2); // and not the mmio copy of package-0
    CHECK(zones[0].label == "package-0");
    CHECK(zones[0].directory == tree.root() + "/class/powercap/intel-rapl:1");
    CHECK(zones[1].label == "psys");
    CHECK(zones[1].domain == Domain::psys);
}

TEST_CASE("One socket") {
    RaplOn node("one_socket");
    CHECK(names_of(*node.reader) ==
          std::vector<std::string>{"package-0", "package-0/core", "package-0/dram", "package-0/uncore"});
    CHECK(value_of(*node.reader, "package-0") == 0.0);
    node.tree.step();
    node.check({{"package-0", 3.5}, {"package-0/dram", 0.75}, {"package-0/core", 1.2}, {"package-0/uncore", 0.1}});
    CHECK(node.reader->quantities()[0].wraps_after == Approx(262143.328850));
    CHECK(node.remarks() == 0);
}

TEST_CASE("A wrap of unknown range is skipped and said") {
    RaplOn node("no_range");
    CHECK(std::isnan(node.reader->quantities()[0].wraps_after));
    for (const double expected_J : {5.0, 5.0, 7.0}) {
        node.tree.step();
        node.check({{"package-0", expected_J}});
    }
    REQUIRE(node.remarks() == 1);
    CHECK(node.says("package-0 started again 1 time and"));
    CHECK(node.says("lower bound"));
}

TEST_CASE("Permission denied: not available, why, and what to ask for") {
    const ReaderOn node("one_socket", make_rapl_reader, [](ReaderOptions &options) {
        options.open_file = [](const char *path) {
            return open_unless(std::string_view(path).ends_with("energy_uj"), path);
        };
    });
    check_refused(node.reader->open(), {"package-0", "Permission denied"}, {"udev rule", "0444"});
    CHECK(node.reader->quantities().empty());
}

TEST_CASE("One zone denied: the others work and it is said") {
    const ReaderOn node("one_socket", make_rapl_reader, [](ReaderOptions &options) {
        options.open_file = [](const char *path) {
            return open_unless(std::string_view(path).find("intel-rapl:0:2/energy_uj") != std::string::npos, path);
        };
    });
    const Availability answer = node.reader->open();
    CHECK(answer.works);
    CHECK(answer.reason.find("package-0/dram") != std::string::npos);
    CHECK(names_of(*node.reader) == std::vector<std::string>{"package-0", "package-0/core", "package-0/uncore"});
    CHECK(node.says("no energy of package-0/dram"));
}

TEST_CASE("No powercap tree") {
    check_refused(ReaderOn("no_meters", make_rapl_reader).reader->open(), {"virtual machines"});
    CHECK(find_rapl_zones("/nonexistent").empty());
}
