// The passes over the rows of a timeline by several threads, against one row after the other.
#include "analysis/share_calculator.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "run/loaded/timeline_passes.hpp"
#include "support/threads.hpp"
#include "tests/temporary_folder.hpp"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <random>
#include <stdexcept>
#include <thread>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

constexpr Nanoseconds ms = 1'000'000;
constexpr std::int32_t components = 2;

struct Recorded {
    TimelineHeader header;
    std::vector<Row> rows;
};

// Steps of 100 ms: GET, MAP inside it on some processes, OUT, PUT; who takes part is drawn for each process, from
// more combinations than are kept at once. Some processes are away now and then.
Recorded random_run(std::size_t processes, int steps, unsigned seed = 17) {
    std::mt19937 random(seed); // NOLINT: the same every time
    const auto below = [&](unsigned limit) { return static_cast<Nanoseconds>(random() % limit); };
    Recorded run;
    run.header.component_name = "ocean";
    run.header.component_id = 1;
    run.header.processes = static_cast<std::int64_t>(processes);
    run.rows.resize(processes);
    const std::vector<EventKey> keys = {{Kind::get, 1, 2}, {Kind::map, 1, 2}, {Kind::out, 2, 0}, {Kind::put, 2, 2}};
    for (int step = 0; step < steps; ++step) {
        for (EventKey key : keys) {
            key.occurrence = step;
            run.header.keys.push_back(key);
        }
    }
    for (Row &row : run.rows) {
        const Nanoseconds takes_part = below(16);
        for (Nanoseconds step = 0; step < steps; ++step) {
            const Nanoseconds at = step * 100 * ms + below(9) * ms;
            const std::array<Interval, 4> times = {Interval{at, at + 40 * ms}, Interval{at + 10 * ms, at + 20 * ms},
                                                   Interval{at + 45 * ms, at + 52 * ms},
                                                   Interval{at + 60 * ms, at + 60 * ms + below(30) * ms}};
            for (unsigned k = 0; k < 4; ++k) {
                const bool there = k == 0 || (takes_part >> k & 1) != 0 || (step == 3 && takes_part % 5 == k);
                row.start.push_back(there ? times[k].start : absent);
                row.stop.push_back(there ? times[k].stop : absent);
            }
        }
        if (takes_part % 3 == 0) row.away = {{5 * ms, 25 * ms}, {150 * ms, 260 * ms + takes_part}};
        run.header.away_intervals += static_cast<std::int64_t>(row.away.size());
    }
    return run;
}

void write(const std::string &path, const Recorded &run, bool compress) {
    TimelineWriter writer(path, run.header, compress);
    for (std::size_t p = 0; p < run.rows.size(); ++p) {
        writer.write_rows(static_cast<std::int64_t>(p), 1, run.rows[p].start, run.rows[p].stop);
        writer.write_away(static_cast<std::int64_t>(p), run.rows[p].away);
    }
    writer.close();
}

} // namespace

TEST_CASE("every row is worked on once, the error of the lowest row is the one told") {
    constexpr std::int64_t rows = 1003;
    std::vector<std::atomic<int>> seen(rows);
    std::int64_t told = 0;
    const Progress count_seen = [&](std::int64_t done, std::int64_t all) {
        if (all != rows || done <= told || done > rows) throw std::logic_error("progress goes up to the rows");
        told = done;
    };
    share_rows(rows, 8, 4, count_seen, [&](std::size_t worker, std::int64_t first, std::int64_t count) {
        if (worker >= 4 || count > 8) throw std::logic_error("not as agreed");
        for (std::int64_t row = first; row < first + count; ++row)
            ++seen[static_cast<std::size_t>(row)];
    });
    CHECK(std::all_of(seen.begin(), seen.end(), [](const std::atomic<int> &times) { return times == 1; }));
    // Row 16 fails before the others that are under way by then, or after them.
    using std::chrono::milliseconds;
    for (const bool lowest_is_late : {false, true}) {
        std::atomic<bool> others{false};
        const auto fail = [&](std::size_t, std::int64_t first, std::int64_t) {
            if (first < 16) return;
            for (int i = 0; first == 16 && !others && i < 1000; ++i)
                std::this_thread::sleep_for(milliseconds(1));
            others = others || first > 16;
            if ((first == 16) == lowest_is_late) std::this_thread::sleep_for(milliseconds(20));
            throw std::runtime_error(std::to_string(first));
        };
        CHECK_THROWS_WITH(share_rows(rows, 8, 4, {}, fail), "16");
    }
}

TEST_CASE("threads are at most the rows and what memory allows, and at least one") {
    CHECK(row_workers(0, 1) == 1);
    CHECK(row_workers(1, 1) == 1);
    CHECK(row_workers(1'000'000, std::size_t{1} << 40U) == 1);
    CHECK(row_workers(1'000'000, 0) >= 1);
}

TEST_CASE("both passes give what single rows give") {
    const TemporaryFolder folder;
    const bool compress = GENERATE(false, true);
    const Recorded run = random_run(150, 12);
    write(folder / "timeline_ocean.nc", run, compress);
    TimelineReader reader(folder / "timeline_ocean.nc");
    std::vector<Row> rows(run.rows.size());
    reader.read_rows(0, rows);

    EventTable table{run.header.keys, std::vector<EventSpan>(run.header.keys.size())};
    EventTable expected = table;
    for (const Row &row : rows)
        add_row(expected.spans.whole(), row);
    reduce_rows(reader, table.spans.whole());
    CHECK(table.spans == expected.spans);

    const Window window = find_window(table);
    REQUIRE(window.known());
    const Interval whole{0, 2000 * ms};
    Share by_row;
    for (const Row &row : rows)
        by_row += share_of(table, row, window, whole, components);
    const SharePass pass{&reader, &table, window, whole, components, true, nullptr, {}};
    const std::vector<ProcessSums> sums = sums_over_processes(std::span(&pass, 1));
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].share == by_row);
    ProcessWaiting own(table.keys, window);
    for (const Row &row : rows)
        own.add(row);
    CHECK(sums[0].waiting == own.sum());
    CHECK(own.sum().processes > 10);
    CHECK(by_row.loop.mapping_processes > 10); // else there was little to get wrong
    CHECK(by_row.loop.away > 0);
}

// Some compressed, which needs netCDF, and some too large to be read by one thread.
TEST_CASE("many timelines that are opened side by side: each has its own events, and the first that fails is told") {
    const TemporaryFolder folder;
    std::vector<std::string> paths;
    std::vector<Recorded> runs;
    for (unsigned c = 0; c < 12; ++c) {
        runs.push_back(random_run(c % 5 == 0 ? 1500 : 20 + c, 12, c));
        paths.push_back(folder / ("timeline_" + std::string(1, static_cast<char>('a' + c)) + ".nc"));
        write(paths.back(), runs.back(), c % 4 == 1);
    }
    const std::vector<OpenTimeline> timelines = open_timelines(paths, {});
    REQUIRE(timelines.size() == paths.size());
    for (std::size_t c = 0; c < paths.size(); ++c) {
        CAPTURE(paths[c]);
        CHECK(timelines[c].reader->path() == paths[c]);
        const EventTable &table = timelines[c].component.table;
        std::vector<EventSpan> expected(runs[c].header.keys.size());
        std::vector<Row> rows(runs[c].rows.size());
        TimelineReader(paths[c]).read_rows(0, rows); // compressed times are rounded
        for (const Row &row : rows)
            add_row(expected, row);
        CHECK(table.keys.size() == runs[c].header.keys.size());
        CHECK(table.spans == expected);
    }
    for (const std::size_t c : {9U, 4U, 7U})
        std::ofstream(paths[c]) << "no timeline";
    CHECK_THROWS_WITH(open_timelines(paths, {}), Catch::Contains("timeline_e.nc: is not a netCDF file"));
}
