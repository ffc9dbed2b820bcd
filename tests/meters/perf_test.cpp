// Power events on a sysfs tree, with made-up descriptors in place of the kernel's.
#include "meters/energy.hpp"
#include "meters/reader.hpp"
#include "meters/small_file.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <fcntl.h>
#include <map>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

// What the kernel gives to a read of a group of one event: time enabled and running [ns].
struct PerfRead {
    std::uint64_t count, enabled_ns, running_ns;
};
struct PerfRecord {
    std::uint64_t events, enabled_ns, running_ns, count;
};
bool write_records(int descriptor, const std::vector<PerfRead> &reads) {
    std::vector<PerfRecord> records;
    records.reserve(reads.size());
    for (const PerfRead &read : reads)
        records.push_back({1, read.enabled_ns, read.running_ns, read.count});
    const std::size_t size = records.size() * sizeof(PerfRecord);
    return ::write(descriptor, records.data(), size) == static_cast<ssize_t>(size);
}
// By (config, cpu). A seekable file would go on after its first read, a pipe gives one record for each read.
std::map<std::pair<std::uint64_t, int>, std::vector<PerfRead>> made_up;
std::vector<PerfEventRequest> requests;

int open_made_up(const PerfEventRequest &request) {
    requests.push_back(request);
    const auto found = made_up.find({request.config, request.cpu});
    if (found == made_up.end()) {
        errno = ENOENT;
        return -1;
    }
    int ends[2];
    if (::pipe(ends) != 0) return -1;
    const bool written = write_records(ends[1], found->second);
    ::close(ends[1]);
    return written ? ends[0] : -1;
}

constexpr std::uint64_t counts_per_J = std::uint64_t{1} << 32;

void with_made_up(ReaderOptions &options) {
    options.perf_event_open = open_made_up;
}

} // namespace

TEST_CASE("Power events on one CPU of each socket, scaled from sysfs") {
    requests.clear();
    // The first record is read by open().
    made_up = {{{2, 0}, {{0, 1, 1}, {3 * counts_per_J, 2, 2}}},
               {{2, 18}, {{0, 1, 1}, {counts_per_J / 2, 2, 2}}},
               {{3, 0}, {{0, 1, 1}, {counts_per_J, 2, 2}}},
               {{3, 18}, {{0, 1, 1}, {counts_per_J / 4, 2, 2}}}};
    ReaderOn node("perf_power", make_perf_power_reader, with_made_up);
    const auto &reader = node.open().reader;
    REQUIRE(requests.size() == 4); // energy-pkg and energy-ram; sysfs lists no psys
    CHECK(requests[0].type == 23);
    CHECK(requests[0].process == -1);
    CHECK(names_of(*reader) ==
          std::vector<std::string>{"package-0", "package-1", "package-0/dram", "package-1/dram"});
    CHECK(read_all(*reader) == std::vector<double>{3, 0.5, 1, 0.25});
    // The pipes are empty: a failed read.
    for (const double value : read_all(*reader))
        CHECK(std::isnan(value));
    CHECK(node.remarks() == 4);
}

TEST_CASE("The energy meter falls back on power events") {
    made_up = {{{2, 0}, {{0, 1, 1}, {0, 1, 1}, {3 * counts_per_J, 2, 2}}},
               {{3, 0}, {{0, 1, 1}, {0, 1, 1}, {counts_per_J, 2, 2}}}};
    EnergyOn node("perf_power", with_made_up);
    node.open_by("perf_power").sample(0);
    CHECK(node.meter.totals().package_and_dram_J == Approx(4));
    CHECK(std::isnan(node.meter.longest_gap_s())); // 64-bit counts do not wrap
}

TEST_CASE("Power events forbidden, and no power PMU") {
    const RecordedTree tree("perf_power");
    ReaderOptions options = options_of_proc(tree);
    options.perf_event_open = forbid_events;
    tree.write("sys/kernel/perf_event_paranoid", "2");
    const auto reader = make_perf_power_reader(options);
    check_refused(reader->open(), {"forbids"}, {"perf_event_paranoid <= 0 (it is 2 here)", "CAP_PERFMON"});
    CHECK(reader->quantities().empty());
    tree.write("sys/kernel/perf_event_paranoid", "-1"); // then it is not the level
    CHECK(perf_failure_remedy(EACCES, tree.root(), 0).find("perf_event_paranoid is -1: ask for CAP_PERFMON") !=
          std::string::npos);
    check_refused(ReaderOn("no_meters", make_perf_power_reader).reader->open(), {"devices/power is not there"});
}

TEST_CASE("An event that had to share its counter gives no value") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(write_records(ends[1], {{500, 1000, 1000}, {700, 2000, 1990}, {800, 3000, 2000}}));
    ::close(ends[1]);
    const PerfEventFile file(ends[0]);
    CHECK(file.read() == 500u);
    CHECK(file.read() == 700u);           // 0.5 % away
    CHECK_FALSE(file.read().has_value()); // a third of the time away
}

TEST_CASE("A number that was closed, and is the model's now, is neither read nor closed") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const int number = ends[0];
    int theirs[2];
    {
        const PerfEventFile file(number);
        ::close(number);
        REQUIRE(::pipe(theirs) == 0);
        REQUIRE(theirs[0] == number);
        REQUIRE(write_records(theirs[1], {{500, 1000, 1000}}));
        CHECK_FALSE(file.read().has_value());
    }
    CHECK(::fcntl(number, F_GETFD) != -1);
    for (const int end : {ends[1], theirs[0], theirs[1]})
        ::close(end);

    const int next = ::open("/dev/null", O_RDONLY);
    ::close(next);
    std::array<char, 64> text{};
    {
        KeptFile kept;
        REQUIRE(kept.open("/proc/self/comm") == 0);
        const std::string name(kept.read(text));
        REQUIRE(::close(next) == 0);
        REQUIRE(::open("/dev/null", O_RDONLY) == next);
        CHECK(kept.read(text) == name); // opened once more
    }
    CHECK(::close(next) == 0); // not closed before
}
