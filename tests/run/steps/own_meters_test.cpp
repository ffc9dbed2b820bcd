// Step 8 alone: what the meters of a process say, and those of all.
#include "run/live/steps/own_meters.hpp"

#include "tests/meters/recorded_tree.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb_test::RecordedTree;

namespace {

constexpr double kibi = 1024;

// Resident set and its mark from the text of a /proc that the rank wrote: 100 + rank pages, 3000 + rank kB.
std::unique_ptr<ProcessMeters> meters_on(const RecordedTree &tree, int rank) {
    tree.write("self/statm", "1000 " + std::to_string(100 + rank) + " 100 5 0 120 0");
    tree.write("self/status", "Name:\tocean\nVmHWM:\t    " + std::to_string(3000 + rank) + " kB");
    ProcessMeters::Setup setup;
    setup.readers.procfs_root = tree.root();
    setup.readers.sysfs_root = tree.root();
    setup.wanted.energy = false;
    setup.start = take_clock_point(ClockSource::gettime);
    auto meters = std::make_unique<ProcessMeters>(std::move(setup));
    meters->finish(read_ticks(ClockSource::gettime));
    return meters;
}

double page_B() {
    return static_cast<double>(::sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("meters: memory of the process, of the components that it takes part in") {
    alone([](Transport &t) {
        const RecordedTree tree("no_meters");
        ProcessRecord record = record_of(t, settings_in("."));
        record.meters = meters_on(tree, 0);
        record.settings.procfs_root = tree.root();
        record.process_map = process_map_of(2); // a second rank, which is not asked
        record.settings.sysfs_root = tree.root();
        tree.write("devices/system/cpu/online", "0-1");
        Agreed agreed = agreed_by(2, "");
        const GatheredMeters mine = own_meters(record, agreed, {"ocean"}, std::vector<Interval>(2));
        CHECK(mine.run.hwm_B.sum == 3000 * kibi);
        CHECK(mine.run.hwm_B.count == 1);
        REQUIRE(mine.components.size() == 2);
        CHECK(mine.components[0].hwm_B.sum == 3000 * kibi);
        CHECK(mine.components[0].rss_B.sum == 100 * page_B());
        CHECK(mine.components[1].hwm_B.count == 0); // the atmosphere's
        REQUIRE(mine.nodes.size() == 1);
        CHECK(mine.nodes[0].node == 0);
    });
}

// Two threads of the run on this node: 2 / the machine's processors.
TEST_CASE("meters: without any, the disturbance of the process alone") {
    with_record([](ProcessRecord &record) {
        record.process_map = process_map_of(2);
        record.first_no_processor = {{"7", 0.5}};
        record.last_no_processor = {{"7", 2}};
        const GatheredMeters mine = own_meters(record, agreed_by(2, ""), {"ocean"}, {});
        CHECK(mine.run.no_processor_s.sum == Approx(1.5));
        CHECK(mine.run.crowding.sum == Approx(2.0 / static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN))));
        CHECK(mine.run.switches_per_s.count == 0); // the first count is not known
        CHECK(mine.run.hwm_B.count == 0);
        CHECK(mine.nodes.empty());
        CHECK(mine.components.size() == 2);
        CHECK(mine.components[0].hwm_B.count == 0);
    });
}

TEST_CASE("meters: those of all on the root, by component") {
    const int ranks = GENERATE(1, 3, 8);
    INFO(ranks << " ranks");
    const auto all = step_on<GatheredMeters>(quick_world(ranks), [&](Transport &t, GatheredMeters &mine) {
        const RecordedTree tree("no_meters");
        ProcessRecord record = record_of(t, settings_in("."));
        record.meters = meters_on(tree, t.rank());
        record.settings.procfs_root = tree.root();
        const Agreed agreed = agreed_by(ranks, "");
        Group present(t, first_ranks(ranks));
        mine = gather_all_meters(present, record, agreed, {record.component}, {});
    });
    REQUIRE(all.good());
    const GatheredMeters &root = all.results[0];
    CHECK(root.run.hwm_B.count == ranks);
    CHECK(root.run.hwm_B.min == 3000 * kibi);
    CHECK(root.run.hwm_B.max == (3000 + ranks - 1) * kibi);
    // Ocean: ranks 0, 2, 4, 6. Atmosphere: 1, 3, 5, 7.
    double pages[2] = {0, 0};
    for (int r = 0; r < ranks; ++r)
        pages[r % 2] += 100 + r;
    REQUIRE(root.components.size() == (ranks > 1 ? 2U : 1U));
    for (std::size_t c = 0; c < root.components.size(); ++c)
        CHECK(root.components[c].rss_B.sum == pages[c] * page_B());
    CHECK(root.nodes.size() == 1); // from its first process
    CHECK(root.run.crowding.count == ranks);
}
