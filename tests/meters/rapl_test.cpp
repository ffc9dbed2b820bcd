// Zones and joules of the powercap tree. Expected values: the arithmetic is in the comments of tests/data/sysfs.
#include "meters/counter_file.hpp"
#include "meters/energy_readers.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cerrno>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

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
    RecordedTree tree("one_socket");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) ==
          std::vector<std::string>{"package-0", "package-0/core", "package-0/dram", "package-0/uncore"});
    CHECK(value_of(*reader, "package-0") == 0.0);
    tree.step();
    CHECK(value_of(*reader, "package-0") == Approx(3.5));
    CHECK(value_of(*reader, "package-0/dram") == Approx(0.75));
    CHECK(value_of(*reader, "package-0/core") == Approx(1.2));
    CHECK(value_of(*reader, "package-0/uncore") == Approx(0.1));
    CHECK(reader->quantities()[0].wraps_after == Approx(262143.328850));
    CHECK(reader->remarks().empty());
}

TEST_CASE("Two sockets whose numbers cross") {
    RecordedTree tree("two_sockets");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    tree.step();
    CHECK(value_of(*reader, "package-0") == Approx(10));
    CHECK(value_of(*reader, "package-0/dram") == Approx(2));
    CHECK(value_of(*reader, "package-1") == Approx(7));
    CHECK(value_of(*reader, "package-1/dram") == Approx(0.5));
}

TEST_CASE("Dies, AMD and mmio alone") {
    RecordedTree dies("dies");
    auto reader = make_rapl_reader(options_for(dies));
    REQUIRE(reader->open().works);
    dies.step();
    CHECK(value_of(*reader, "package-0-die-0") == Approx(3));
    CHECK(value_of(*reader, "package-0-die-1") == Approx(4));
    CHECK(value_of(*reader, "package-0-die-1/dram") == Approx(0.25));

    RecordedTree amd("amd");
    reader = make_rapl_reader(options_for(amd));
    REQUIRE(reader->open().works);
    amd.step();
    CHECK(value_of(*reader, "package-1") == Approx(60));
    CHECK(names_of(*reader) ==
          std::vector<std::string>{"package-0", "package-0/core", "package-1", "package-1/core"});

    RecordedTree mmio("mmio_only");
    reader = make_rapl_reader(options_for(mmio));
    REQUIRE(reader->open().works);
    mmio.step();
    CHECK(value_of(*reader, "package-0") == Approx(1.5));
}

TEST_CASE("A wrap between two reads") {
    RecordedTree tree("wrap");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    tree.step();
    CHECK(value_of(*reader, "package-0") == Approx(1.5));
    tree.step();
    CHECK(value_of(*reader, "package-0") == Approx(4.5));
    CHECK(value_of(*reader, "package-0/dram") == Approx(1.5));
    CHECK(reader->remarks().empty());
}

TEST_CASE("A wrap of unknown range is skipped and said") {
    RecordedTree tree("no_range");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    CHECK(std::isnan(reader->quantities()[0].wraps_after));
    for (const double expected_J : {5.0, 5.0, 7.0}) {
        tree.step();
        CHECK(value_of(*reader, "package-0") == Approx(expected_J));
    }
    REQUIRE(reader->remarks().size() == 1);
    CHECK(mentions(reader->remarks(), "package-0 started again 1 time and"));
    CHECK(mentions(reader->remarks(), "lower bound"));
}

TEST_CASE("A zone that disappears is NaN from then on, and said once") {
    RecordedTree tree("gone");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    tree.step();
    CHECK(value_of(*reader, "package-1") == Approx(1));
    tree.step();
    CHECK(std::isnan(value_of(*reader, "package-1")));
    CHECK(value_of(*reader, "package-0") == Approx(3));
    tree.write("class/powercap/intel-rapl:1/energy_uj", "9000000"); // back again: what it missed is lost
    tree.step();
    CHECK(std::isnan(value_of(*reader, "package-1")));
    REQUIRE(reader->remarks().size() == 1);
    CHECK(mentions(reader->remarks(), "package-1 disappeared during the run; 1.000 J until then"));
}

TEST_CASE("An empty reading is missing once, not for ever") {
    RecordedTree tree("one_socket");
    const auto reader = make_rapl_reader(options_for(tree));
    REQUIRE(reader->open().works);
    tree.write("class/powercap/intel-rapl:0/energy_uj", "");
    CHECK(std::isnan(value_of(*reader, "package-0")));
    tree.step();
    CHECK(value_of(*reader, "package-0") == Approx(3.5));
    CHECK(reader->remarks().empty());
}

namespace {
int forbid_energy(const char *path) {
    if (std::string_view(path).ends_with("energy_uj")) {
        errno = EACCES;
        return -1;
    }
    return open_for_reading(path);
}
int forbid_dram_energy(const char *path) {
    return std::string_view(path).find("intel-rapl:0:2/") != std::string_view::npos ? forbid_energy(path)
                                                                                    : open_for_reading(path);
}
} // namespace

TEST_CASE("Permission denied: not available, why, and what to ask for") {
    const RecordedTree tree("one_socket");
    ReaderOptions options = options_for(tree);
    options.open_file = forbid_energy;
    const auto reader = make_rapl_reader(options);
    const Availability answer = reader->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("package-0") != std::string::npos);
    CHECK(answer.reason.find("Permission denied") != std::string::npos);
    CHECK(answer.remedy.find("udev rule") != std::string::npos);
    CHECK(answer.remedy.find("0444") != std::string::npos);
    CHECK(reader->quantities().empty());
}

TEST_CASE("One zone denied: the others work and it is said") {
    const RecordedTree tree("one_socket");
    ReaderOptions options = options_for(tree);
    options.open_file = forbid_dram_energy;
    const auto reader = make_rapl_reader(options);
    const Availability answer = reader->open();
    CHECK(answer.works);
    CHECK(answer.reason.find("package-0/dram") != std::string::npos);
    CHECK(names_of(*reader) == std::vector<std::string>{"package-0", "package-0/core", "package-0/uncore"});
    CHECK(mentions(reader->remarks(), "no energy of package-0/dram"));
}

TEST_CASE("No powercap tree") {
    const RecordedTree tree("no_meters");
    const auto reader = make_rapl_reader(options_for(tree));
    const Availability answer = reader->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("virtual machines") != std::string::npos);
    CHECK(find_rapl_zones("/nonexistent").empty());
}
