// What the page is made of: pieces of time, bins, bytes; expected values are worked out beside them.
#include "io/timeline/timeline_writer.hpp"
#include "page/bins.hpp"
#include "page/event_bytes.hpp"
#include "page/page.hpp"
#include "page/page_file.hpp"
#include "page/page_json.hpp"
#include "page/page_plan.hpp"
#include "report/text_sections.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace cpl_lb;
using test::contents, test::TemporaryFolder;

namespace {

struct Piece {
    EventIndex event;
    Nanoseconds start, stop;
    friend bool operator==(const Piece &, const Piece &) = default;
};

std::vector<Piece> pieces_of(const Row &row) {
    InnermostPieces segments;
    std::vector<Piece> pieces;
    segments.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) { pieces.push_back({k, start, stop}); });
    return pieces;
}

} // namespace

TEST_CASE("time belongs to the innermost event") {
    // A PUT from 10 to 50 with a MAP from 20 to 30 inside; an event that this process had no part in; one after it.
    const Row row{{10, 20, absent, 60}, {50, 30, absent, 70}, {}};
    CHECK(pieces_of(row) == std::vector<Piece>{{0, 10, 20}, {1, 20, 30}, {0, 30, 50}, {3, 60, 70}});
    // Overlapping without nesting: the later start holds until it ends, and no instant counts twice.
    CHECK(pieces_of({{0, 5}, {10, 20}, {}}) == std::vector<Piece>{{0, 0, 5}, {1, 5, 20}});
    // Alone and over at once: no piece.
    CHECK(pieces_of({{10, 20}, {10, 30}, {}}) == std::vector<Piece>{{1, 20, 30}});
    CHECK(pieces_of({{}, {}, {}}).empty());
    // Three inside each other; and a row that is not in the order of its starts.
    CHECK(pieces_of({{0, 10, 20}, {100, 90, 30}, {}}) ==
          std::vector<Piece>{{0, 0, 10}, {1, 10, 20}, {2, 20, 30}, {1, 30, 90}, {0, 90, 100}});
    CHECK(pieces_of({{20, 0}, {30, 10}, {}}) == std::vector<Piece>{{1, 0, 10}, {0, 20, 30}});
}

TEST_CASE("shares of bins are exact, and the longest class is named") {
    // Four bins of 100. GET from 50 to 250 fills half of the first, the second, half of the third; a MAP from 250 to
    // 290 takes 40 of the third.
    const std::vector<EventClass> classes = {{Kind::get, 1, 2}, {Kind::map, 1, 0}};
    const std::vector<std::uint16_t> class_of = {0, 1};
    BinRow bins({0, 400}, 4);
    bins.set({{50, 250}, {250, 290}, {{350, 400}}}, class_of, classes);
    CHECK(bins.share(TimeClass::receive, 0) == 128); // 255 / 2, rounded
    CHECK(bins.share(TimeClass::receive, 1) == 255);
    CHECK(bins.share(TimeClass::receive, 2) == 128);
    CHECK(bins.share(TimeClass::mapping, 2) == 102); // 255 x 0.4
    CHECK(bins.share(TimeClass::receive, 3) == 0);
    CHECK(bins.share(TimeClass::away, 3) == 128);
    CHECK(bins.dominant(0) == 1);
    CHECK(bins.dominant(2) == 1); // 50 of GET against 40 of MAP
    CHECK(bins.dominant(3) == 0);
    // The next row starts from nothing, and what lies outside the extent is left out.
    bins.set({{-100, 390}, {-50, 1000}, {}}, class_of, classes);
    CHECK(bins.share(TimeClass::receive, 0) == 0);
    CHECK(bins.share(TimeClass::mapping, 3) == 26); // 10 of 100
}

TEST_CASE("bins of a run of 10^6 s") {
    constexpr Nanoseconds whole = 1'000'000'000'000'000;
    BinRow bins({0, whole}, 8192);
    const std::vector<EventClass> classes = {{Kind::put, 0, 0}};
    bins.set({{0}, {whole}, {}}, std::vector<std::uint16_t>{0}, classes);
    for (std::size_t bin = 0; bin < 8192; ++bin)
        REQUIRE(bins.share(TimeClass::send, bin) == 255);
}

TEST_CASE("events as bytes") {
    EventBytes events;
    // Starts 1 us, 3 us, absent, 2 us; lengths 1 us, 300 us, -, 0. Gaps 1, 2, -, -1 are 2, 4, 0, 1 as zigzag; lengths
    // and one more: 2, 301 = 45 + 256, 0, 1.
    events.add({{1'000, 3'000, absent, 2'000}, {2'000, 303'000, absent, 2'000}, {}});
    CHECK(events.gap_bytes() == 1);
    CHECK(events.length_bytes() == 2);
    CHECK(events.take() == std::vector<std::uint8_t>{2, 4, 0, 1, /* low */ 2, 45, 0, 1, /* high */ 0, 1, 0, 0});
    CHECK(events.values() == 0);
    // Absolute times are rounded, so three gaps of 1.4 us end at 4 us and not at 3 us: 1, 3, 4. Lengths 0, and one
    // more.
    events.add({{1'400, 2'800, 4'200}, {1'400, 2'800, 4'200}, {}});
    CHECK(events.take() == std::vector<std::uint8_t>{2, 4, 2, 1, 1, 1});
    // Before the run's begin as after it: -2 us as zigzag is 3; from there to 0, and one more.
    events.add({{-1'600}, {-400}, {}});
    CHECK(events.take() == std::vector<std::uint8_t>{3, 3});
}

TEST_CASE("what a page holds is bounded") {
    const auto exact_values = [](const PagePlan &plan, const std::vector<TimelineSize> &sizes) {
        std::int64_t values = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            values += static_cast<std::int64_t>(plan.components[i].exact.size()) * sizes[i].events;
        return values;
    };
    constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    const PagePlan small = plan_page(std::vector<TimelineSize>{{128, 20'000, false}}, unlimited);
    CHECK(small.all_events); // 2.56 million
    CHECK(small.bins == 0);
    CHECK(small.components[0].exact.size() == 128);

    const std::vector<TimelineSize> large = {{4000, 2'000, false}, {96, 2'000, false}};
    const PagePlan plan = plan_page(large, unlimited);
    CHECK_FALSE(plan.all_events);
    CHECK(plan.rows() == 4096);
    CHECK(plan.bins == 1024); // 4,194,304 cells over 4,096 rows
    CHECK(exact_values(plan, large) <= most_events_beside_bins);
    CHECK(plan.components[0].exact.front() == 0);
    CHECK(plan.components[0].exact.back() == 3999);
    CHECK_FALSE(plan.components[1].exact.empty());

    const std::vector<TimelineSize> huge = {{1'000'000, 100'000, false}, {2, 3'000'000'000, false}};
    const PagePlan bounded = plan_page(huge, 32'000'000);
    CHECK(bounded.rows() >= 300); // 32 million values / 100,000 events, less the second's share
    CHECK(bounded.rows() <= 321);
    CHECK(bounded.components[1].rows.empty()); // not even one process fits
    CHECK(exact_values(bounded, huge) <= most_events_beside_bins);

    CHECK_FALSE(plan_page(std::vector<TimelineSize>{{1, 1, true}}, unlimited).all_events); // away: only bins hold it
    CHECK(plan_page({}, unlimited).rows() == 0);
    CHECK(plan_page(std::vector<TimelineSize>{{5, 0, false}}, unlimited).rows() == 5);
}

TEST_CASE("base64 is that of RFC 4648") {
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe") == "//4=");
}

namespace {

std::string written(Compress2 *zlib, std::span<const std::uint8_t> bytes) {
    const TemporaryFolder folder;
    PageFile file(folder / "page", zlib);
    file.block("b0", bytes);
    file.commit();
    return contents(folder / "page");
}

int packs_as_foo(unsigned char *to, unsigned long *to_size, const unsigned char *, unsigned long, int) {
    *to_size = 3;
    std::copy_n("foo", 3, to);
    return 0;
}
int has_no_memory(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int) {
    return -4; // Z_MEM_ERROR
}

} // namespace

TEST_CASE("a block of bytes is packed by zlib") {
    const std::vector<std::uint8_t> bytes(3000, 'a');
    CHECK(written(packs_as_foo, bytes) == R"(<script type="text/plain" id="b0">Zm9v</script>)"
                                          "\n");
    // netCDF brings zlib. Its header of level 1 is 0x78 0x01 (RFC 1950), and eA is base64 of 0x78; 3000 equal bytes
    // take some 30.
    REQUIRE(zlib_in_process() != nullptr);
    const std::string packed = written(zlib_in_process(), bytes);
    CHECK(packed.starts_with(R"(<script type="text/plain" id="b0">eA)"));
    CHECK(packed.size() < 150);
}

TEST_CASE("without zlib, and where zlib does not help, a block is as it is and says so") {
    const std::vector<std::uint8_t> foo = {'f', 'o', 'o'};
    const std::string plain = R"(<script type="text/plain" id="b0" data-packed="no">Zm9v</script>)"
                              "\n";
    CHECK(written(nullptr, foo) == plain);
    CHECK(written(has_no_memory, foo) == plain);
    CHECK(written(zlib_in_process(), foo) == plain); // packed they would be 11 bytes: header 2, data 5, sum 4
    const std::string empty = R"(<script type="text/plain" id="b0" data-packed="no"></script>)"
                              "\n";
    CHECK(written(zlib_in_process(), {}) == empty);
}

TEST_CASE("a page without zlib says that it is larger than necessary") {
    const TemporaryFolder folder;
    CoupledRun run;
    run.components.resize(1);
    run.components[0].name = "ocean";
    run.components[0].id = 1;
    TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean"};
    header.processes = 1;
    header.keys = {{Kind::put, 0, 0, no_date, 0}};
    TimelineWriter writer(folder / "timeline_ocean.nc", header, false);
    writer.write_rows(0, 1, std::vector<Nanoseconds>{0}, std::vector<Nanoseconds>{1000});
    writer.close();
    PageSources sources;
    sources.timelines = {folder / "timeline_ocean.nc"};
    const std::string note = "This page is larger than necessary";
    write_page(folder / "page", run, sources);
    CHECK(contents(folder / "page").find(note) == std::string::npos);
    sources.zlib = nullptr;
    write_page(folder / "page", run, sources);
    CHECK(contents(folder / "page").find(note) != std::string::npos);
    sources.timelines.clear(); // nothing would be packed
    write_page(folder / "page", run, sources);
    CHECK(contents(folder / "page").find(note) == std::string::npos);
}

TEST_CASE("every row of the CPMIP table says what it means") {
    for (const CpmipRow &row : cpmip_rows(CoupledRun{})) {
        INFO(row.label);
        CHECK_FALSE(cpmip_meaning(row.label).empty());
    }
    CHECK(cpmip_meaning("nonsense").empty());
}

TEST_CASE("pieces of one class in one bin add up") {
    // GET from 0 to 200 and from 500 to 700 of 1000 ns: 0.4 of the bin, 102 of 255.
    BinRow bins({0, 1000}, 1);
    const std::vector<std::uint16_t> class_of = {0, 0};
    const std::vector<EventClass> classes = {{Kind::get, 0, 0}};
    bins.set(Row{{0, 500}, {200, 700}, {}}, class_of, classes);
    CHECK(bins.share(TimeClass::receive, 0) == 102);
}

TEST_CASE("very many pieces of a row all go to their bins") {
    // PUT and GET in turn, 4,000 of them, each for 4 of 10 ns. A bin of 4,000 ns has 200 of each: 800 of 4,000 ns.
    Row row;
    std::vector<std::uint16_t> class_of;
    for (Nanoseconds k = 0; k < 4000; ++k) {
        row.start.push_back(10 * k);
        row.stop.push_back(10 * k + 4);
        class_of.push_back(static_cast<std::uint16_t>(k % 2));
    }
    const std::vector<EventClass> classes = {{Kind::put, 1, 2}, {Kind::get, 1, 2}};
    BinRow bins({0, 40'000}, 10);
    GroupBins group({0, 40'000}, 20, classes);
    std::array<std::uint8_t, time_class_count> shares{};
    std::uint16_t dominant = 0;
    for (GroupBins *with : {static_cast<GroupBins *>(nullptr), &group}) {
        bins.set(row, class_of, classes, with);
        for (std::size_t bin = 0; bin < 10; ++bin) {
            CHECK(bins.share(TimeClass::send, bin) == 51); // 255 x 0.2
            CHECK(bins.share(TimeClass::receive, bin) == 51);
            CHECK(bins.dominant(bin) == 1); // of equals the first
        }
    }
    for (std::size_t bin = 0; bin < 20; ++bin) {
        group.bytes(bin, shares, dominant);
        CHECK(shares[static_cast<std::size_t>(TimeClass::send)] == 51);
        CHECK(dominant == 1); // of equals the first
    }
}

TEST_CASE("single events of all components together stay within their bound") {
    // 30 components of one process with 900,000 events: of 1,000,000 events beside the bins only one fits.
    const std::vector<TimelineSize> sizes(30, TimelineSize{1, 900'000, false});
    const PagePlan plan = plan_page(sizes, std::numeric_limits<std::int64_t>::max());
    std::size_t exact = 0;
    for (const ComponentPlan &c : plan.components)
        exact += c.exact.size();
    CHECK(exact == 1);
}

TEST_CASE("components of many rows fold into groups of equally many processes") {
    constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    const auto groups = [](std::vector<TimelineSize> sizes) {
        std::vector<std::int64_t> each;
        for (const ComponentPlan &c : plan_page(sizes, unlimited).components)
            each.push_back(c.group);
        return each;
    };
    // 256 rows are still shown one by one; 257 in 17 groups of 16; beside them a small component stays as it is.
    CHECK(groups({{256, 10, false}, {2, 10, false}}) == std::vector<std::int64_t>{0, 0});
    CHECK(groups({{257, 10, false}, {256, 10, false}}) == std::vector<std::int64_t>{16, 0});
    // 1,024 and 1,024: groups of 32 make 2 x 32 = 64. One process more is a 65th group, so the next power of two.
    CHECK(groups({{1024, 10, false}, {1024, 10, false}}) == std::vector<std::int64_t>{32, 32});
    CHECK(groups({{1024, 10, false}, {1025, 10, false}}) == std::vector<std::int64_t>{64, 64});
    // More such components than groups can be seen: one for each.
    CHECK(groups(std::vector<TimelineSize>(100, {300, 10, false})).back() == 512);

    // 60 members of 4 processes are 240 rows, which are shown; of 70 each is one row. Others stay as they are.
    const auto members = [](std::size_t count) {
        std::vector<TimelineSize> sizes(count, TimelineSize{4, 10, false, true});
        sizes.push_back({4, 10, false});
        return sizes;
    };
    CHECK(groups(members(60)).front() == 0);
    CHECK(groups(members(70)).front() == 16);
    CHECK(groups(members(70)).back() == 0);
    // 600 members of 100 processes: one group of each, in 1024 x 128 / 600 = 218 bins, up to a multiple of the bins
    // of a process: 4,194,304 / 32,400 rows = 129, down to 128.
    const PagePlan ensemble = plan_page(std::vector<TimelineSize>(600, {100, 1000, false, true}), unlimited);
    CHECK(ensemble.components.front().group == 128);
    CHECK(ensemble.group_bins % ensemble.bins == 0);
    CHECK(ensemble.group_bins < 512);

    // 20,480 processes: all are there, 4,194,304 / 20,480 = 204.8 bins, down to a multiple of 16. 24 + 16 groups of
    // 512, of 6 x 192 bins: at least 1,024.
    const PagePlan large =
        plan_page(std::vector<TimelineSize>{{12'288, 10'000, false}, {8'192, 10'000, false}}, unlimited);
    CHECK(large.rows() == 20'480);
    CHECK(large.bins == 192);
    CHECK(large.group_bins == 1152);
    CHECK(large.components[1].group == 512);
    // Where all events are there the browser makes the bins, but for the groups'.
    const PagePlan all = plan_page(std::vector<TimelineSize>{{1024, 200, false}}, unlimited);
    CHECK(all.all_events);
    CHECK(all.bins == 0);
    CHECK(all.group_bins == 1024);
    CHECK(plan_page(std::vector<TimelineSize>{{256, 200, false}}, unlimited).group_bins == 0);
}

TEST_CASE("less is embedded where it takes more bytes") {
    constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    const std::vector<TimelineSize> sizes = {{20'480, 10'000, false}};
    PageBounds bounds;
    bounds.cells = std::int64_t{20'480} * 100; // 100 bins, down to 96
    bounds.events = 25'000;                    // two processes of 10,000 events
    const PagePlan plan = plan_page(sizes, unlimited, bounds);
    CHECK(plan.bins == 96);
    CHECK(plan.components[0].exact.size() == 2);
    bounds.cells = 1;
    CHECK(plan_page(sizes, unlimited, bounds).bins == 16);
}

TEST_CASE("a group has the mean of its processes") {
    // Four bins of 100 for the group, two of 200 for the rows. One process gets from 50 to 250; the other puts from 0
    // to 100 and maps from 100 to 140, and is away from 350 on.
    const std::vector<EventClass> classes = {{Kind::get, 1, 2}, {Kind::put, 2, 2}, {Kind::map, 2, 0}};
    GroupBins group({0, 400}, 4, classes);
    BinRow row({0, 400}, 2);
    row.set({{50}, {250}, {}}, std::vector<std::uint16_t>{0}, classes, &group);
    CHECK(row.share(TimeClass::receive, 0) == 191); // 150 of 200: 191.25
    CHECK(row.share(TimeClass::receive, 1) == 64);  // 50 of 200: 63.75
    row.set({{0, 100}, {100, 140}, {{350, 400}}}, std::vector<std::uint16_t>{1, 2}, classes, &group);
    CHECK(row.share(TimeClass::send, 0) == 128);
    CHECK(row.share(TimeClass::mapping, 0) == 51); // 40 of 200
    CHECK(row.share(TimeClass::away, 1) == 64);
    CHECK(row.dominant(0) == 2);
    CHECK(row.dominant(1) == 0);

    CHECK(group.rows() == 2);
    struct Bin {
        std::array<std::uint8_t, time_class_count> shares{};
        std::uint16_t dominant = 0;
    };
    const auto bin = [&](std::size_t n) {
        Bin b;
        group.bytes(n, b.shares, b.dominant);
        return b;
    };
    const auto receive = static_cast<std::size_t>(TimeClass::receive);
    CHECK(bin(0).shares[receive] == 64);                                      // 50 of 2 x 100
    CHECK(bin(0).shares[static_cast<std::size_t>(TimeClass::send)] == 128);   // 100 of 200
    CHECK(bin(0).dominant == 2);                                              // 100 against 50
    CHECK(bin(1).shares[receive] == 128);                                     // 100 of 200
    CHECK(bin(1).shares[static_cast<std::size_t>(TimeClass::mapping)] == 51); // 40 of 200
    CHECK(bin(1).dominant == 1);
    CHECK(bin(2).shares[receive] == 64);
    CHECK(bin(3).shares[static_cast<std::size_t>(TimeClass::away)] == 64); // 50 of 200
    CHECK(bin(3).dominant == 0);
    group.clear();
    CHECK(bin(1).shares[receive] == 0);
}

TEST_CASE("a group tells very many event classes apart by their class of time") {
    std::vector<EventClass> classes;
    for (std::int32_t field = 1; field <= 300; ++field)
        classes.push_back({field % 2 == 0 ? Kind::put : Kind::get, field, 2});
    GroupBins group({0, 100}, 1, classes);
    BinRow row({0, 100}, 1);
    // Fields 300 and 298 are put, 299 is gotten for longer than either, but not than both.
    row.set({{0, 30, 60}, {30, 60, 100}, {}}, std::vector<std::uint16_t>{299, 297, 298}, classes, &group);
    std::array<std::uint8_t, time_class_count> shares{};
    std::uint16_t dominant = 0;
    group.bytes(0, shares, dominant);
    CHECK(shares[static_cast<std::size_t>(TimeClass::send)] == 153); // 0.6 x 255
    CHECK(dominant == 2);                                            // the first that is put
    CHECK(row.dominant(0) == 299);
}
