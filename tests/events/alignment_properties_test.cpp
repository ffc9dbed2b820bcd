// Exchanges at set-up that only some processes do, without dates, change no figure of the coupling loop: random runs
// with and without them.
#include "analysis/share_calculator.hpp"
#include "events/alignment.hpp"
#include "events/union_of_events.hpp"
#include "tests/analysis/balance_figures.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds step_ns = 1000;

struct Happened {
    std::uint32_t event_class;
    Nanoseconds start, stop;
};
using Process = std::vector<Happened>;

// Classes: GET, PUT, MAP of a field each, OUT.
const std::vector<EventClass> what = {{Kind::get, 1, 2}, {Kind::put, 2, 2}, {Kind::map, 1, 0}, {Kind::out, 0, 0}};

LocalEvents local(Process events) {
    std::stable_sort(events.begin(), events.end(), [](const auto &a, const auto &b) { return a.start < b.start; });
    LocalEvents l;
    l.class_of_place = {0, 1, 2, 3};
    for (const Happened &e : events) {
        l.place.push_back(e.event_class);
        l.start.push_back(e.start);
        l.stop.push_back(e.stop);
    }
    return l;
}

class RandomModel {
public:
    explicit RandomModel(unsigned seed) : random_(seed) {}

    // Each step: a GET that ends at the same moment everywhere, however early it began, with a MAP inside; a PUT;
    // output of its own now and then.
    std::vector<Process> next() {
        std::vector<Process> processes(2 + below(4));
        const auto steps = static_cast<Nanoseconds>(4 + below(20));
        for (Process &process : processes) {
            const auto idle = static_cast<Nanoseconds>(below(600));
            for (Nanoseconds n = 0; n < steps; ++n) {
                const Nanoseconds t = n * step_ns;
                const Nanoseconds start = t + 650 - idle + static_cast<Nanoseconds>(below(40));
                process.push_back({0, start, t + 800});
                process.push_back({2, t + 770 + static_cast<Nanoseconds>(below(10)), t + 790});
                const Nanoseconds put = t + 810 + static_cast<Nanoseconds>(below(100));
                process.push_back({1, put, put + static_cast<Nanoseconds>(below(30))});
                process.push_back({3, put + 40, put + 45});
            }
        }
        return processes;
    }

    // At least one process does nothing more.
    void add_surplus(std::vector<Process> &processes) {
        const std::size_t without = below(processes.size());
        for (std::size_t p = 0; p < processes.size(); ++p) {
            for (std::size_t n = p == without || below(2) == 0 ? 0 : 1 + below(5); n > 0; --n) {
                const Nanoseconds start = -5000 + static_cast<Nanoseconds>(below(4900));
                processes[p].push_back({static_cast<std::uint32_t>(below(4)), start, start + 10});
            }
        }
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    std::mt19937 random_;
};

struct Answer {
    ComponentBalance balance;
    std::vector<ClassShifts> shifts;
};

Answer analyse(const std::vector<Process> &processes) {
    std::vector<std::int32_t> ranks(processes.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    const Alignment alignment =
        align_occurrences(what.size(), ranks, [&](std::size_t p) { return local(processes[p]); });
    std::vector<FirstStart> all;
    for (std::size_t p = 0; p < processes.size(); ++p)
        all = union_of(all, first_starts(local(processes[p]), {what.size(), false, alignment.first_of(p)}));
    const std::vector<OccurrenceKey> order = in_order_of_start(all);
    std::vector<std::uint32_t> classes;
    classes.reserve(order.size());
    for (const OccurrenceKey &key : order)
        classes.push_back(key.event_class);
    EventTable table;
    table.keys = EventKeys(what, classes);
    table.spans.whole().resize(order.size());
    std::vector<Row> rows;
    for (std::size_t p = 0; p < processes.size(); ++p) {
        LocalEvents mine = local(processes[p]);
        rows.push_back(row_of(mine, {what.size(), false, alignment.first_of(p)}, order.size(), Places(order)));
        add_row(table.spans.whole(), rows.back());
    }
    const Interval run{-6000, 100 * step_ns};
    const Window window = find_window(table);
    Share sum;
    for (const Row &row : rows)
        sum += share_of(table, row, window, run, 2);
    return {balance_of(table, window, run, sum), alignment.shifts};
}

// The figures of the loop in the table of results, and those of the steps.
std::vector<double> loop_figures(const ComponentBalance &b) {
    std::vector<double> all = property::loop_seconds(b);
    all.insert(all.end(), {b.coupling_cost, b.coupling_cost_with_operations, b.shutdown.length_s});
    return all;
}

} // namespace

TEST_CASE("more exchanges at set-up on some processes change no figure of the loop") {
    RandomModel model(12);
    int surplus = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<Process> processes = model.next();
        const Answer without = analyse(processes);
        REQUIRE(without.shifts.empty());
        model.add_surplus(processes);
        const Answer with = analyse(processes);
        INFO("run " << i);
        REQUIRE(loop_figures(with.balance) == loop_figures(without.balance));
        surplus += with.shifts.empty() ? 0 : 1;
    }
    CHECK(surplus > 500);
}

// Where a run dies each process has recorded as much as it came to.
TEST_CASE("processes that died at different times are not shifted") {
    RandomModel model(13);
    std::mt19937 random(5); // NOLINT: the same every time
    for (int i = 0; i < 500; ++i) {
        std::vector<Process> processes = model.next();
        for (Process &p : processes)
            p.resize(p.size() - random() % (p.size() / 2));
        const Answer answer = analyse(processes);
        INFO("run " << i);
        for (const ClassShifts &s : answer.shifts)
            REQUIRE((s.more.count == 0 && s.fewer.count == 0));
    }
}
