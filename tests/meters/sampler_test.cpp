// The bounded series of samples, the table and the template reader.
#include "meters/sampler.hpp"
#include "meters/table.hpp"

#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

// Counts its reads: 1, 2, 3, ...
class CountingReader final : public Reader {
public:
    CountingReader() { quantities_ = {{.name = "reads", .unit = "1"}}; }
    [[nodiscard]] std::string_view name() const noexcept override { return "counting"; }
    [[nodiscard]] Availability open() override { return Availability::good(); }
    void read_known(std::span<double> values) noexcept override { values[0] = ++reads_; }

private:
    double reads_ = 0;
};

Nanoseconds ticks = 0;
Nanoseconds ticking_clock() noexcept {
    return ticks += 50;
} // 50 ns between two looks

std::vector<double> first_values(const Sampler &sampler) {
    std::vector<double> values;
    for (std::size_t i = 0; i < sampler.times().size(); ++i)
        values.push_back(sampler.values(i)[0]);
    return values;
}

} // namespace

TEST_CASE("A sample at most every interval, on the events that come anyway") {
    CountingReader reader;
    Sampler sampler({&reader}, 100, 8, ticking_clock);
    CHECK(std::isnan(sampler.latest()[0]));
    CHECK(std::isnan(sampler.mean_cost_ns()));
    for (const Nanoseconds now : {7, 50, 106, 107, 150, 500, 599, 600})
        sampler.offer(now);
    // 7; 107 is 100 later; 500 after a silence; 600
    CHECK(std::vector<Nanoseconds>(sampler.times().begin(), sampler.times().end()) ==
          std::vector<Nanoseconds>{7, 107, 500, 600});
    CHECK(sampler.latest()[0] == 4);
    CHECK(sampler.samples() == 4);
    CHECK(sampler.mean_cost_ns() == Approx(50));
}

TEST_CASE("A full series keeps every second sample and stays evenly spaced") {
    CountingReader reader;
    Sampler sampler({&reader}, 10, 4, ticking_clock);
    for (Nanoseconds now = 0; now < 40; now += 10)
        sampler.offer(now);
    CHECK(first_values(sampler) == std::vector<double>{1, 2, 3, 4});
    sampler.offer(40); // full: 1 3 stay, the fifth goes on from there
    CHECK(first_values(sampler) == std::vector<double>{1, 3, 5});
    for (Nanoseconds now = 50; now <= 80; now += 10)
        sampler.offer(now);
    // 6 and 8 are read, not kept; 7 fills it up; 9 halves it again: 1 5, then 9
    CHECK(first_values(sampler) == std::vector<double>{1, 5, 9});
    CHECK(std::vector<Nanoseconds>(sampler.times().begin(), sampler.times().end()) ==
          std::vector<Nanoseconds>{0, 40, 80});
    CHECK(sampler.samples() == 9); // reading goes on at the least interval: counters that wrap need it
    CHECK(sampler.latest()[0] == 9);
}

TEST_CASE("An odd capacity stays evenly spaced too") {
    CountingReader reader;
    Sampler sampler({&reader}, 1, 3, ticking_clock);
    for (Nanoseconds now = 0; now <= 4; ++now)
        sampler.offer(now);
    // 1 2 3, full; 4 would break the spacing of 1 3 and is dropped; 5 fits
    CHECK(first_values(sampler) == std::vector<double>{1, 3, 5});
}

TEST_CASE("The last sample is kept whatever the spacing") {
    CountingReader reader;
    Sampler sampler({&reader}, 10, 4, ticking_clock);
    for (Nanoseconds now = 0; now <= 50; now += 10)
        sampler.offer(now);
    CHECK(first_values(sampler) == std::vector<double>{1, 3, 5});
    sampler.finish(51);
    CHECK(first_values(sampler) == std::vector<double>{1, 3, 5, 7});
    CHECK(sampler.times().back() == 51);
    sampler.finish(52); // full: the newest gives way
    CHECK(first_values(sampler) == std::vector<double>{1, 3, 5, 8});
}

TEST_CASE("Without readers nothing is ever due") {
    Sampler sampler({}, 10, 4, ticking_clock);
    CHECK_FALSE(sampler.due(0));
    sampler.offer(100);
    sampler.finish(200);
    CHECK(sampler.times().empty());
    CHECK(sampler.quantities().empty());
}

TEST_CASE("Several readers fill one row") {
    CountingReader a, b;
    Sampler sampler({&a, &b}, 10, 4, ticking_clock);
    REQUIRE(sampler.quantities().size() == 2);
    sampler.offer(0);
    std::vector<double> extra(1);
    b.read(extra);
    sampler.offer(10);
    CHECK(sampler.values(1)[0] == 2);
    CHECK(sampler.values(1)[1] == 3);
}

TEST_CASE("The table finds readers by name") {
    for (const MeterRow &row : meter_table()) {
        const auto reader = make_reader(row.name, {});
        REQUIRE(reader != nullptr);
        CHECK(reader->name() == row.name);
        CHECK_FALSE(row.measures.empty());
        CHECK(reader->quantities().empty()); // not open yet
    }
    CHECK(make_reader("no such reader", {}) == nullptr);
}

TEST_CASE("The template to copy works") {
    const RecordedTree tree("no_meters");
    ReaderOptions options;
    options.procfs_root = tree.root();
    const auto missing = make_template_reader(options);
    check_refused(missing->open(), {"No such file"});

    tree.write("loadavg", "0.75 0.50 0.25 2/100 4242");
    const auto reader = opened(make_template_reader(options));
    CHECK(value_of(*reader, "load") == 0.75);
    tree.write("loadavg", "");
    CHECK(std::isnan(value_of(*reader, "load")));
}
