// The page in two steps, with a guest for the rows, against the page in one.
#include "io/timeline/timeline_writer.hpp"
#include "page/page.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <mutex>

using namespace cpl_lb;
using test::contents, test::TemporaryFolder;

namespace {

constexpr std::int64_t events = 50;

// Process p of component c starts event k at 10 k + p microseconds, for c microseconds.
Row row_of(std::size_t c, std::int64_t p) {
    Row row;
    for (std::int64_t k = 0; k < events; ++k) {
        row.start.push_back(1000 * (10 * k + p));
        row.stop.push_back(row.start.back() + 1000 * static_cast<Nanoseconds>(c));
    }
    return row;
}

// Two components; the second has enough processes to fold into groups.
struct TwoTimelines {
    explicit TwoTimelines(bool compress) {
        for (std::size_t c = 0; c < processes.size(); ++c) {
            Component component;
            component.name = c == 0 ? "ice" : "ocean";
            component.id = static_cast<std::int32_t>(c + 1);
            component.last_terminate = 1'000'000;
            TimelineHeader header;
            header.component_name = component.name;
            header.component_id = component.id;
            header.component_names = {"ice", "ocean"};
            header.processes = processes[c];
            for (std::int64_t k = 0; k < events; ++k)
                header.keys.push_back({k % 2 == 0 ? Kind::put : Kind::out, 0, 0, no_date, k});
            const std::string path = folder / ("timeline_" + component.name + ".nc");
            TimelineWriter writer(path, header, compress);
            for (std::int64_t p = 0; p < processes[c]; ++p) {
                const Row row = row_of(c, p);
                writer.write_rows(p, 1, row.start, row.stop);
            }
            writer.close();
            run.components.push_back(component);
            sources.timelines.push_back(path);
        }
        sources.threads = true;
        write_page(folder / "whole", run, sources);
    }
    static constexpr std::array<std::int64_t, 2> processes = {3, 300};
    const TemporaryFolder folder;
    CoupledRun run;
    PageSources sources;
};

// Counts the rows; by component and first start, which tells the process.
struct Counting {
    RowGuest guest() {
        return {[this](std::size_t worker, std::size_t component, std::int64_t process, const Row &row) {
                    const std::lock_guard lock(mutex);
                    ++rows[{component, row.start.front() / 1000}];
                    wrong += worker >= 2 || process != row.start.front() / 1000 || row.start.size() != events ||
                             row.stop != row_of_again(component, row).stop;
                },
                2};
    }
    static Row row_of_again(std::size_t component, const Row &row) {
        return row_of(component, row.start.front() / 1000);
    }
    std::mutex mutex;
    std::map<std::pair<std::size_t, std::int64_t>, int> rows;
    int wrong = 0;
};

} // namespace

TEST_CASE("a page in two steps is the page in one, and its guest is given every row once") {
    const TwoTimelines two(false);
    Counting counting;
    PageInSteps page(two.folder / "steps", two.sources);
    REQUIRE(page.write_timelines(two.run, counting.guest()));
    CHECK_FALSE(std::filesystem::exists(two.folder / "steps")); // it appears whole
    page.finish(two.run);
    CHECK(contents(two.folder / "steps") == contents(two.folder / "whole"));
    CHECK(counting.wrong == 0);
    CHECK(counting.rows.size() == 303);
    CHECK(std::all_of(counting.rows.begin(), counting.rows.end(), [](const auto &row) { return row.second == 1; }));
}

TEST_CASE("where the page does not read all rows by threads the guest gets none, and the second step does all") {
    enum Why { compressed, one_thread, too_many, no_timeline };
    const auto why = GENERATE(compressed, one_thread, too_many, no_timeline);
    TwoTimelines two(why == compressed);
    if (why == one_thread) two.sources.threads = false;
    if (why == too_many) two.sources.most_read = 40 * events; // of 303 rows
    if (why == no_timeline) two.sources.timelines.pop_back();
    write_page(two.folder / "whole", two.run, two.sources);
    Counting counting;
    PageInSteps page(two.folder / "steps", two.sources);
    CHECK_FALSE(page.write_timelines(two.run, counting.guest()));
    CHECK(counting.rows.empty());
    page.finish(two.run);
    CHECK(contents(two.folder / "steps") == contents(two.folder / "whole"));
}
