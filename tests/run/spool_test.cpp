// The spool format: what is written is read again, and what is damaged is found, skipped and said.
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "report/words.hpp"
#include "run/recovered/recovered_process.hpp"
#include "run/recovered/recovery.hpp"
#include "tests/run/spool_builder.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;
using namespace spool_test;

namespace {

std::size_t events_in(const fs::path &path) {
    const SpoolFile file(path.string());
    return recover_process(file).decoded.components[0].size();
}

// Cuts a file off where its second chunk begins, as its recorder left it, and counts its events.
std::size_t events_in_first_chunk(const fs::path &path) {
    const std::vector<char> whole = bytes_of(path);
    fs::resize_file(path, second_chunk_at);
    const std::size_t events = events_in(path);
    write_bytes(path, whole);
    return events;
}

} // namespace

TEST_CASE("a file holds its names, its events and their times") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 1, 2, 3);
    const SpoolFile file(path.string());
    CHECK(file.damage().empty());
    CHECK(file.components() == std::vector<std::string>{"ocean"});
    REQUIRE(file.fields().size() == 2);
    CHECK(file.fields()[1].name == "SST");
    CHECK(file.fields()[1].counterpart == "atmosphere"); // the later record holds
    const RecoveredProcess process = recover_process(file);
    const LocalTimeline &t = process.decoded.components[0];
    REQUIRE(t.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(t.start[i] >= process.first_init);
        CHECK(t.stop[i] >= t.start[i]);
        CHECK(t.stop[i] <= process.last_mark);
    }
    CHECK(process.last_mark - process.first_init < 10'000'000'000);
}

TEST_CASE("several chunks: 65,536 words hold 32,766 events and less") {
    const Folder folder;
    CHECK(events_in(leave(folder.path(), 0, 1, 100'000)) == 100'000);
}

TEST_CASE("a truncated file gives what is there, at whatever length") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 1000);
    const std::vector<char> whole = bytes_of(path);
    for (const std::size_t length : {std::size_t{0}, std::size_t{100}, std::size_t{879}}) {
        fs::resize_file(path, length);
        CHECK_THROWS_AS(SpoolFile(path.string()), FileError);
        write_bytes(path, whole);
    }
    for (const std::size_t length :
         {std::size_t{2047}, std::size_t{2050}, names_at, names_at + 30, first_chunk_at, first_chunk_at + 63}) {
        fs::resize_file(path, length);
        CHECK(events_in(path) == 0);
        write_bytes(path, whole);
    }
    // 8000 bytes of words: 1000 words, of which 2 are a time, 3 a calibration (and at most one more of each).
    fs::resize_file(path, first_chunk_at + 64 + 8000);
    CHECK(events_in(path) <= 498);
    CHECK(events_in(path) >= 490);
    CHECK(SpoolFile(path.string()).damage() == std::vector<std::string>{"the file is cut off"});
}

TEST_CASE("a damaged chunk that was complete is found by its checksum, a damaged header is stepped over") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 100'000);
    const std::vector<char> whole = bytes_of(path);
    const auto flip = [&](std::size_t at) {
        std::vector<char> bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        write_bytes(path, bytes);
        return SpoolFile(path.string());
    };
    CHECK(flip(second_chunk_at + 64 + 5003).chunks() == 1);
    CHECK(flip(second_chunk_at + 64 + 5003).damage().front() == "chunk 2 is damaged");
    CHECK(flip(second_chunk_at + 17).chunks() == 1); // its segment's header
    CHECK(flip(second_chunk_at + 17).damage().front() == "a damaged segment was skipped");
    const SpoolFile without_names = flip(names_at + 8);
    CHECK(without_names.chunks() == 4);
    CHECK(without_names.components() == std::vector<std::string>{"ocean"}); // from the header
    CHECK(events_in(path) == 100'000);
    const SpoolFile one_name = flip(names_at + 64 + 72); // in the records
    CHECK(one_name.damage().front() == "some names are damaged");
    CHECK_THROWS_AS(flip(40), FileError);
}

TEST_CASE("a chunk that was complete and is cut off gives the events that are there") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 100'000);
    const std::size_t of_first = events_in_first_chunk(path);
    // 80,000 bytes of the second chunk: 10,000 words, of which a few are no events' and two make one.
    fs::resize_file(path, second_chunk_at + 64 + 80'000);
    CHECK(SpoolFile(path.string()).chunks() == 2);
    CHECK(events_in(path) <= of_first + 5'000);
    CHECK(events_in(path) >= of_first + 4'990);
    CHECK(SpoolFile(path.string()).damage() == std::vector<std::string>{"the file is cut off"});
}

TEST_CASE("figures of the header that no recorder writes are not believed") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 10);
    std::vector<char> bytes = bytes_of(path);
    SpoolIdentity id = SpoolFile(path.string()).identity();
    for (const double year_days : {0.0, -360.0, unknown}) {
        id.year_days = year_days;
        id.cores = std::int64_t{1} << 41U;
        id.checksum = checksum_of(id);
        std::memcpy(bytes.data(), &id, sizeof id);
        write_bytes(path, bytes);
        CHECK(SpoolFile(path.string()).identity().year_days == 365.0);
        CHECK(SpoolFile(path.string()).identity().cores == 0);
    }
}

TEST_CASE("what another run left in the same file does not count") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 100'000); // 4 chunks
    std::vector<char> bytes = bytes_of(path);
    SpoolSegment second;
    std::memcpy(&second, bytes.data() + second_chunk_at, sizeof second);
    ++second.token_hash;
    second.checksum = checksum_of(second);
    std::memcpy(bytes.data() + second_chunk_at, &second, sizeof second);
    write_bytes(path, bytes);
    const SpoolFile file(path.string());
    CHECK(file.chunks() == 1);
    CHECK(file.damage() == std::vector<std::string>{"a damaged segment was skipped",
                                                    "the events from chunk 2 on are lost (2 of 3 chunks)"});
}

TEST_CASE("nothing is read after a chunk that is damaged in the middle") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 100'000);
    std::vector<char> bytes = bytes_of(path);
    SpoolSegment second;
    std::memcpy(&second, bytes.data() + second_chunk_at, sizeof second);
    second.sealed = 0; // it was being written, so that no checksum tells
    std::memcpy(bytes.data() + second_chunk_at, &second, sizeof second);
    const Mark wrong = make_mark(0, 0, 25); // no such code
    std::memcpy(bytes.data() + second_chunk_at + 64 + 80'000, &wrong, sizeof wrong);
    write_bytes(path, bytes);
    const SpoolFile file(path.string());
    CHECK(file.chunks() == 2);
    // What is damaged, and from which chunk on: 4 in all.
    CHECK(file.damage() == std::vector<std::string>{"chunk 2 is damaged in the middle",
                                                    "the events from chunk 3 on are lost (2 of 4 chunks)"});
}

TEST_CASE("whatever byte is wrong, reading ends well") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 50, true);
    leave(folder.path(), 1, 2, 10);
    std::vector<char> whole = bytes_of(path);
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        std::vector<char> bytes = whole;
        const std::size_t most = i % 2 == 0 ? bytes.size() : first_chunk_at + 1200;
        for (int n = 0; n < 3; ++n)
            bytes[random() % most] = static_cast<char>(random());
        write_bytes(path, bytes);
        try {
            const std::size_t events = events_in(path);
            CHECK(events <= 70'000);
        } catch (const FileError &) { // the header
            SUCCEED("refused");
        }
    }
}

namespace {

std::vector<char> segment(SpoolSegmentType type, const SpoolIdentity &id, std::vector<char> payload) {
    SpoolSegment s;
    s.type = static_cast<std::uint32_t>(type);
    s.payload_bytes = payload.size();
    s.token_hash = spool_checksum(id.token.data(), id.token.size());
    s.checksum = checksum_of(s);
    const auto *const header = reinterpret_cast<const char *>(&s);
    payload.insert(payload.begin(), header, header + sizeof s);
    payload.resize(round_up(payload.size(), id.block_bytes));
    return payload;
}

void add_name(std::vector<char> &names, SpoolNameType type, std::uint32_t id, const std::string &text) {
    SpoolName record;
    record.type = static_cast<std::uint32_t>(type);
    record.id = id;
    record.first_bytes = static_cast<std::uint32_t>(text.size());
    record.checksum = checksum_of(record, text, "");
    const auto *const header = reinterpret_cast<const char *>(&record);
    names.insert(names.end(), header, header + sizeof record);
    names.insert(names.end(), text.begin(), text.end());
    names.resize(round_up(names.size(), 8));
}

// A file with right checksums and whatever names and marks.
void leave_by_hand(const fs::path &path, const std::vector<char> &names, const std::vector<Mark> &marks) {
    SpoolIdentity id = identity(0, 1);
    id.chunk_words = static_cast<std::uint32_t>(std::max<std::size_t>(marks.size(), 16));
    id.checksum = checksum_of(id);
    std::vector<char> bytes(spool_header_bytes);
    std::memcpy(bytes.data(), &id, sizeof id);
    std::vector<char> words(id.chunk_words * sizeof(Mark));
    if (!marks.empty()) std::memcpy(words.data(), marks.data(), marks.size() * sizeof(Mark));
    for (const std::vector<char> &s :
         {segment(SpoolSegmentType::names, id, names), segment(SpoolSegmentType::marks, id, words)})
        bytes.insert(bytes.end(), s.begin(), s.end());
    write_bytes(path, bytes);
}

std::uintmax_t bytes_below(const fs::path &folder) {
    std::uintmax_t bytes = 0;
    for (const auto &entry : fs::directory_iterator(folder))
        bytes += entry.file_size();
    return bytes;
}

} // namespace

TEST_CASE("a number that no recorder gives makes no components and no fields") {
    const Folder folder;
    const fs::path path = folder.path() / "a.spool";
    std::vector<char> names;
    add_name(names, SpoolNameType::component, 0, "ocean");
    add_name(names, SpoolNameType::component, 4096, "x");
    add_name(names, SpoolNameType::field, mark_max_id, "SST");
    leave_by_hand(path, names, {});
    const SpoolFile file(path.string());
    CHECK(file.components() == std::vector<std::string>{"ocean"});
    CHECK(file.fields().size() == 1);
    CHECK(file.damage() == std::vector<std::string>{"names with numbers that no recorder gives were left out"});
    const fs::path results = folder.path() / "results";
    const Recovery recovered = recover(find_spools({folder.path().string()}, ""), {.output = results.string()});
    CHECK(recovered.run.component_names == std::vector<std::string>{"ocean"});
    CHECK(bytes_below(results) < 200'000); // one timeline of some 32 kB, json and text
}

TEST_CASE("a name that was lost among others makes no component without events") {
    const Folder folder;
    std::vector<char> names;
    add_name(names, SpoolNameType::component, 0, "ocean");
    add_name(names, SpoolNameType::component, 3, "ice"); // 1 and 2 are lost, and nothing is recorded in 1
    const auto enter = static_cast<unsigned>(MarkCode::component_begin);
    leave_by_hand(folder.path() / "a.spool", names,
                  {make_mark(1, 2, enter), make_mark(1, 0, begin_code(1)), make_mark(1, 0, end_code(1))});
    const Recovery recovered = recover(find_spools({folder.path().string()}, ""), {.output = ""});
    CHECK(recovered.run.component_names == std::vector<std::string>{"(component 2)", "ice", "ocean"});
}

TEST_CASE("more components and fields than a file of its size supports are refused") {
    const Folder folder;
    const fs::path path = folder.path() / "a.spool";
    std::vector<char> names;
    for (std::uint32_t i = 0; i < 4000; ++i)
        add_name(names, SpoolNameType::component, i, "c" + std::to_string(i));
    leave_by_hand(path, names, {});
    // 4000 x (32,000 + 19,000 bytes of names) = 204 MB from some 140 kB.
    const fs::path results = folder.path() / "results";
    CHECK_THROWS_WITH(recover(find_spools({folder.path().string()}, ""), {.output = results.string()}),
                      Catch::Contains("4000 components and 0 fields are more than"));
    CHECK_FALSE(fs::exists(results));

    // Each of 201 components would have tables of 4,097 fields: 201 x 4097 x 128 B = 105 MB from 12 kB.
    std::vector<Mark> marks = {make_mark(1, 4096, begin_code(1))};
    names.clear();
    for (std::uint32_t i = 0; i <= 200; ++i) {
        add_name(names, SpoolNameType::component, i, "c");
        marks.push_back(make_mark(1, i, static_cast<unsigned>(MarkCode::component_begin)));
    }
    leave_by_hand(path, names, marks);
    CHECK_THROWS_WITH(SpoolFile(path.string()),
                      Catch::Contains("201 components with field numbers below 4097 are more than"));
}

TEST_CASE("clock: straight lines between calibrations, the last one goes on") {
    // 2 ticks a nanosecond for a second, then 4 for a second (a counter that changes its rate).
    const ClockPoint first{1000, 5'000'000'000, 0};
    const std::vector<ClockPoint> points = {{1000 + 2'000'000'000, 6'000'000'000, 0},
                                            {1000 + 6'000'000'000, 7'000'000'000, 0}};
    const CalibratedClock clock(ClockSource::time_stamp_counter, first, points);
    CHECK(clock.good());
    CHECK(clock.to_ns(1000) == 5'000'000'000);
    CHECK(clock.to_ns(1000 + 1'000'000'000) == 5'500'000'000);
    CHECK(clock.to_ns(1000 + 4'000'000'000) == 6'500'000'000); // a second and 2e9 of 4e9 ticks of the next
    CHECK(clock.to_ns(1000 + 10'000'000'000) == 8'000'000'000);
    CHECK(clock.to_ns(0) == 5'000'000'000 - 500);
    // Points that cannot be right are left out.
    const CalibratedClock hostile(ClockSource::time_stamp_counter, first,
                                  {{999, 1, 0}, {2000, -5, 0}, {~std::uint64_t{0}, 5, 0}});
    CHECK_FALSE(hostile.good());
    CHECK(hostile.to_ns(12345) == 5'000'000'000);
    // A close point gives a poor rate: 10 ns wrong in 1 ms would be 10 us in the next second.
    const CalibratedClock close(ClockSource::time_stamp_counter, first,
                                {{1000 + 2'000'000'000, 6'000'000'000, 0}, {1000 + 2'002'000'000, 6'001'000'010, 0}});
    CHECK(close.to_ns(1000 + 4'000'000'000) == 7'000'000'000);
}

TEST_CASE(
    "spools of version 1, in which dates had the code that SYNC's begin has now, are read; later ones are not") {
    const Mark old_date = make_mark(4, 0, 12);
    const Mark put = make_mark(5, 1, begin_code(1));
    std::vector<Mark> words = {put, old_date, 12, put, 0, old_date}; // the date 12 is no mark
    bring_up_to_date(words, 1);
    CHECK(words ==
          std::vector<Mark>{put, make_mark(4, 0, static_cast<unsigned>(MarkCode::date)), 12, put, 0, old_date});
    words = {old_date};
    bring_up_to_date(words, 2);
    CHECK(words == std::vector<Mark>{old_date}); // a SYNC
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 3);
    for (const std::uint32_t version : {1U, 3U}) {
        std::vector<char> bytes = bytes_of(path);
        SpoolIdentity id;
        std::memcpy(&id, bytes.data(), sizeof id);
        id.version = version;
        id.checksum = checksum_of(id);
        std::memcpy(bytes.data(), &id, sizeof id);
        write_bytes(path, bytes);
        if (version == 1)
            CHECK(events_in(path) == 3);
        else
            CHECK_THROWS_WITH(SpoolFile(path.string()), Catch::Contains("version 3 of the spool format"));
    }
}

TEST_CASE("words that no recorder writes end a chunk that is not complete") {
    const Mark time = make_mark(0, 0, static_cast<unsigned>(MarkCode::time));
    const Mark put = make_mark(5, 1, begin_code(1));
    CHECK(plausible_words(std::vector<Mark>{time, 100, put, put, 0}) == 4);
    CHECK(plausible_words(std::vector<Mark>{time, 100, put, make_mark(0, 0, 25), put}) == 3); // no such code
    CHECK(plausible_words(std::vector<Mark>{time, 100, put, time, 99, put}) == 3);            // back in time
    CHECK(plausible_words(std::vector<Mark>{time, 100, put, time}) == 3);                     // its word is missing
}

TEST_CASE("two processes of a run with unequal events, one file damaged in its names") {
    const Folder folder;
    leave(folder.path(), 0, 3, 50, true);
    leave(folder.path(), 2, 3, 30, true);
    const SpoolRun run = find_spools({folder.path().string()}, "");
    REQUIRE(run.files.size() == 2);
    const Recovery recovered = recover(run, {(folder.path() / "out").string(), false});
    REQUIRE(recovered.run.components.size() == 1);
    const Component &ocean = recovered.run.components[0];
    CHECK(ocean.ranks == std::vector<std::int32_t>{0, 2});
    CHECK(ocean.events == 50); // the 30 of rank 2 are the first 30 of rank 0
    CHECK(ocean.table.spans[29].processes == 2);
    CHECK(ocean.table.spans[30].processes == 1);
    CHECK(recovered.run.remarks[1] == "no spool file of 1 process: 1");
    CHECK(recovered.files.size() == 3);
    CHECK(fs::exists(folder.path() / "out" / "timeline_ocean.nc"));
}

// Rank 0 died before its meters took a sample; rank 2 is of a library that did not write either.
TEST_CASE("what the spool files of a dead run hold of the machine; none of it says that the run was disturbed") {
    const Folder folder;
    for (const int rank : {0, 1, 2}) {
        Recorder::Setup setup;
        setup.chunks = std::make_unique<SpoolChunks>(spool_path(folder.path().string(), "0123456789abcdef", rank),
                                                     identity(rank, 3));
        if (rank < 2) setup.chunks->threads_per_processor(2.5);
        if (rank == 1) setup.chunks->lost_processor(140);
        Recorder recorder(std::move(setup), "ocean");
        recorder.begin(1, 0);
        recorder.end(1, 0);
    }
    const auto words_of = [](const SpoolRun &run) {
        const CoupledRun recovered = recover(run, {"", false}).run;
        return std::make_pair(recovered.meters, plain_words(recovered));
    };
    const auto [meters, words] = words_of(find_spools({folder.path().string()}, ""));
    CHECK(meters.crowding.count == 2);
    CHECK(meters.crowding.max == 2.5);
    CHECK(meters.switches_per_s.count == 1);
    CHECK(meters.switches_per_s.max == 140);
    REQUIRE(words.size() >= 2);
    CHECK(words[0] == "The run did not end: these figures cover what its processes had recorded until then.");
    for (const std::string &sentence : words)
        CHECK(sentence.find("disturbed") == std::string::npos);
    // Nonsense in these words, which have no checksum, is not known.
    const fs::path second = spool_path(folder.path().string(), "0123456789abcdef", 1);
    std::vector<char> bytes = bytes_of(second);
    for (const std::size_t at : {std::size_t{2072}, std::size_t{2080}}) {
        const double nonsense = at == 2072 ? -3.0 : std::numeric_limits<double>::quiet_NaN();
        std::memcpy(bytes.data() + at, &nonsense, sizeof nonsense);
    }
    write_bytes(second, bytes);
    const auto damaged = words_of(find_spools({folder.path().string()}, "")).first;
    CHECK(damaged.crowding.count == 1);
    CHECK(damaged.switches_per_s.count == 0);
}

TEST_CASE("where MPI was recorded, what was inside is told to be unknown, once; else nothing is said of it") {
    for (const bool mpi : {true, false}) {
        const Folder folder;
        for (const int rank : {0, 1}) {
            const auto recorder = recorder_of(folder.path(), identity(rank, 2));
            if (mpi) recorder->mpi_starts();
            recorder->begin(1, 0);
            recorder->end(1, 0);
        }
        const auto remarks = recover(find_spools({folder.path().string()}, ""), {"", false}).run.remarks;
        CHECK(std::count(remarks.begin(), remarks.end(),
                         "the use of MPI inside the components is not known: its sums are not in spool "
                         "files") == (mpi ? 1 : 0));
    }
}

// Node 0 has the run's clock: only reading it took 100 ns, half of which is not known. On node 1 the offset was
// measured to 2000 ns, 10 s before the run, and a clock may drift by 1 ms in each second since then: 10 ms, and a
// little more.
TEST_CASE("recovered timelines say how far the times of each process may be off") {
    const Folder folder;
    for (const int rank : {0, 1}) {
        SpoolIdentity id = identity(rank, 2);
        id.node = rank;
        id.nodes = 2;
        id.first_gap_ticks = 100;
        id.offset_at = id.first_monotonic_ns - 10'000'000'000;
        id.offset_bound = rank == 0 ? 0 : 2000;
        const auto recorder = recorder_of(folder.path(), id);
        recorder->begin(1, 0);
        recorder->end(1, 0);
    }
    const SpoolRun run = find_spools({folder.path().string()}, "");
    const Recovery recovered = recover(run, {(folder.path() / "out").string(), false});
    const std::vector<double> bounds =
        TimelineReader((folder.path() / "out/timeline_ocean.nc").string()).header().clock_error_bounds_s;
    REQUIRE(bounds.size() == 2);
    CHECK(bounds[0] == Approx(50e-9));
    CHECK(bounds[1] >= 0.010'002'05);
    CHECK(bounds[1] < 0.1); // 90 s between the two lines above would be a broken machine
    CHECK(recovered.run.clock.error_bound_s == bounds[1]);
}

TEST_CASE("a spool file is never written over another, and an error leaves none") {
    const Folder folder;
    const fs::path path = leave(folder.path(), 0, 1, 1);
    CHECK_THROWS_AS(SpoolChunks(path.string(), identity(0, 1)), SpoolError);
    CHECK(fs::exists(path));
    CHECK_THROWS_AS(SpoolChunks((folder.path() / "none" / "a.spool").string(), identity(0, 1)), SpoolError);
}
