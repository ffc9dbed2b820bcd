// The whole of cpl_lb_terminate on ranks in memory: marks and clocks by hand, so that every figure can be worked out;
// with messages that are late, and with ranks that stop.
#include "data/error_codes.hpp"
#include "io/json/info_json.hpp"
#include "run/live/process_record.hpp"
#include "tests/run/record_by_hand.hpp"
#include "tests/run/told.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

constexpr int never_returned = 1;

std::vector<int> terminate_all(const WorldSetup &setup, const Settings &settings) {
    std::vector<int> codes(static_cast<std::size_t>(setup.ranks), never_returned);
    MemoryWorld world(setup);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), settings.timeout_s);
        codes[static_cast<std::size_t>(rank)] = terminate(record_of(t, settings));
    });
    return codes;
}

CoupledRun told_in(const TemporaryFolder &folder) {
    const std::string path = folder / "load_balancing_info.json";
    return run_from_json(path, test::contents(path));
}

bool says(const CoupledRun &run, const std::string &words) {
    return std::any_of(run.remarks.begin(), run.remarks.end(),
                       [&](const std::string &r) { return r.find(words) != std::string::npos; });
}

} // namespace

TEST_CASE("the whole of terminate gives the figures that were worked out by hand, on any number of ranks") {
    const int ranks = GENERATE(1, 2, 3, 4, 8, 17, 64, 1000);
    INFO(ranks << " ranks, seed 15");
    const TemporaryFolder folder;
    const std::vector<int> codes = terminate_all(world_of(ranks, 15), settings_in(folder.path()));
    CHECK(std::count(codes.begin(), codes.end(), 0) == ranks);
    const CoupledRun run = told_in(folder);
    CHECK(run.run.processes == ranks);
    CHECK(run.run.wall_s == 20);
    REQUIRE(run.components.size() == (ranks > 1 ? 2U : 1U));
    // Half of the ranks, rounded up, are the ocean's. It puts for 1 s of each step of 4.
    CHECK(run.components[0].ranks.size() == static_cast<std::size_t>((ranks + 1) / 2));
    CHECK(run.components[0].balance.waiting_s == Approx(0.25 * run.components[0].balance.loop_s));
    if (ranks == 1) return;
    CHECK(run.components[1].ranks.size() == static_cast<std::size_t>(ranks / 2));
    CHECK(run.components[1].balance.waiting_s == Approx(0.5 * run.components[1].balance.loop_s));
    CHECK(run.clock.order_violations == 0);
}

TEST_CASE("a rank that stopped before is told, and the results are without it") {
    const TemporaryFolder folder;
    WorldSetup setup = world_of(8, 3);
    setup.stops = {{5, 0}};
    const std::vector<int> codes = terminate_all(setup, settings_in(folder.path()));
    CHECK(codes[5] == never_returned);
    CHECK(codes[0] == error::timeout);
    const CoupledRun run = told_in(folder);
    CHECK(run.run.processes == 7);
    CHECK(says(run, "1 of 8 processes did not come to cpl_lb_terminate within 20 s (1 of atmosphere)"));
}

namespace {

bool failed_somewhere(const std::vector<int> &codes) {
    return std::any_of(codes.begin(), codes.end(), [](int code) { return code < 0; });
}

std::string timed_out_in_words(int rank) {
    return "process " + std::to_string(rank) +
           ": another process stopped answering in cpl_lb_terminate: its results are not complete";
}

constexpr const char *distress_in_words =
    "another process could not go on in cpl_lb_terminate: the results are not complete";

// Each process that waited in vain says so of itself. The root says what it knows: that of itself, or that another
// could not go on. Those that were told by another say nothing, and nobody says anything twice.
void check_who_told_what(const std::vector<int> &codes, const Told &told, bool root_is_there) {
    std::ptrdiff_t expected = 0;
    for (int r = 0; r < static_cast<int>(codes.size()); ++r) {
        INFO("rank " << r);
        // If a message of a fixed length is lost, its receiver may get the next one, and says which length it has.
        const std::string wrong_length = "process " + std::to_string(r) + ": cpl_lb_terminate: a message has ";
        const std::ptrdiff_t of_itself = told.lines_with(timed_out_in_words(r)) + told.lines_with(wrong_length);
        CHECK(of_itself <= 1);
        if (of_itself > 0) CHECK(codes[static_cast<std::size_t>(r)] < 0);
        expected += of_itself;
    }
    const std::ptrdiff_t of_distress = told.lines_with(distress_in_words);
    CHECK(of_distress <= 1);
    expected += of_distress;
    for (const char *of_meeting :
         {"did not come to cpl_lb_terminate within 20 s", "came to cpl_lb_terminate too late",
          // A message that is lost lets the next one with its tag be taken for it, which is noticed by what is in it.
          "is damaged: no results"})
        expected += told.lines_with(of_meeting);
    for (const std::string &line : told.lines())
        UNSCOPED_INFO("told: " << line);
    CHECK(static_cast<std::ptrdiff_t>(told.lines().size()) == expected);
    if (!root_is_there) return;
    CHECK(failed_somewhere(codes) == (codes[0] < 0)); // whatever it is, the root knows
    CHECK(failed_somewhere(codes) == (expected > 0));
    // Of distress, or of a message that it got for one that was lost.
    if (codes[0] == error::mpi)
        CHECK(of_distress + told.lines_with("process 0: cpl_lb_terminate: a message has ") == 1);
}

} // namespace

TEST_CASE("wherever a rank stops or messages are lost, all others come back, and the root tells the problem") {
    const std::uint64_t seed = GENERATE(range<std::uint64_t>(1, 25));
    INFO("seed " << seed);
    const TemporaryFolder folder;
    WorldSetup setup = world_of(8, seed);
    if (seed % 2 == 0)
        setup.stops = {{static_cast<int>(seed % 8), static_cast<std::int64_t>(5 * seed)}};
    else
        setup.lost = 0.01;
    const Told told;
    const std::vector<int> codes = terminate_all(setup, settings_in(folder.path()));
    for (int r = 0; r < 8; ++r) {
        INFO("rank " << r);
        if (setup.stops.count(r) == 0) CHECK(codes[static_cast<std::size_t>(r)] <= 0);
    }
    check_who_told_what(codes, told, setup.stops.count(0) == 0);
    if (!failed_somewhere(codes)) CHECK(told_in(folder).components[0].balance.loop_s == Approx(12));
}

// Rank 5 is no master: the atmosphere's are 1, 3, 5, 7. At each call of the carrier it is somewhere else: before it
// was heard of, in the meeting, while all agree, while its component gathers, on the way up, at the end.
TEST_CASE("a rank that stops in the middle: who waited for it tells of itself, the root of the run, nobody else") {
    int in_the_meeting = 0, in_the_middle = 0, at_the_end = 0;
    for (std::int64_t calls = 0; calls < 400; ++calls) {
        INFO("after " << calls << " calls");
        const TemporaryFolder folder;
        WorldSetup setup = world_of(8, 1);
        setup.stops = {{5, calls}};
        const Told told;
        const std::vector<int> codes = terminate_all(setup, settings_in(folder.path()));
        check_who_told_what(codes, told, true);
        if (codes[5] != never_returned) break; // it was through
        if (told.lines_with("1 of 8 processes did not come") > 0) {
            ++in_the_meeting;
            CHECK(told.lines().size() == 1);
            CHECK(told_in(folder).run.processes == 7);
        } else if (failed_somewhere(codes)) {
            ++in_the_middle;
            CHECK(told.lines_with("another process stopped answering") >= 1);
            CHECK_FALSE(std::filesystem::exists(folder / "load_balancing_info.json")); // no half for the whole
        } else {
            ++at_the_end;
            CHECK(told_in(folder).run.processes == 8);
        }
    }
    CHECK(in_the_meeting > 0);
    CHECK(in_the_middle > 0);
    CHECK(at_the_end > 0);
}

// In the middle, after the meeting: the next of the tree waits in vain, and the others hear of it from that one.
TEST_CASE("the root stops in the middle: those who waited for it tell") {
    int in_the_middle = 0;
    for (std::int64_t calls = 60; calls < 200; calls += 20) {
        INFO("after " << calls << " calls");
        const TemporaryFolder folder;
        WorldSetup setup = world_of(8, 1);
        setup.stops = {{0, calls}};
        const Told told;
        const std::vector<int> codes = terminate_all(setup, settings_in(folder.path()));
        check_who_told_what(codes, told, false);
        if (!failed_somewhere(codes)) continue;
        ++in_the_middle;
        CHECK_FALSE(told.lines().empty());
    }
    CHECK(in_the_middle > 0);
}

// Rank 5 stops after the meeting. Those of its component and its parent in the tree of all, 1, 4 and 7, wait 20 s;
// the others would wait an hour, but hear of it.
TEST_CASE("who gives up tells the others, which then do not wait") {
    int in_the_middle = 0;
    for (std::int64_t calls = 60; calls < 120; calls += 10) {
        INFO("after " << calls << " calls");
        const TemporaryFolder folder;
        WorldSetup setup = world_of(8, 1);
        setup.stops = {{5, calls}};
        std::vector<int> codes(8, never_returned);
        const Told told;
        MemoryWorld world(setup);
        world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
            const bool waits_for_5 = rank == 1 || rank == 4 || rank == 7;
            Transport t(std::move(carrier), waits_for_5 ? 20 : 3600);
            codes[static_cast<std::size_t>(rank)] = terminate(record_of(t, settings_in(folder.path())));
        });
        if (!failed_somewhere(codes)) continue;
        ++in_the_middle;
        CHECK(codes[0] == error::mpi);
        CHECK(told.lines_with(distress_in_words) == 1);
        CHECK(world.true_ns() < (20 + 20 + 1) * second); // the model, the wait of one, and what the rest takes
    }
    CHECK(in_the_middle > 0);
}

namespace {

// Memory runs out for good at one of the messages of this process: the next begun after `good` others.
class RunsOutOfMemory final : public Carrier {
public:
    RunsOutOfMemory(std::unique_ptr<Carrier> carrier, int good, int &sent)
        : carrier_(std::move(carrier)), left_(good), sent_(sent) {}
    [[nodiscard]] int rank() const override { return carrier_->rank(); }
    [[nodiscard]] int size() const override { return carrier_->size(); }
    [[nodiscard]] std::unique_ptr<UnderWay> start_send(int to, int tag, std::span<const std::byte> data) override {
        take_memory();
        ++sent_;
        return carrier_->start_send(to, tag, data);
    }
    [[nodiscard]] std::unique_ptr<UnderWay> start_receive(int from, int tag, std::size_t size) override {
        take_memory();
        return carrier_->start_receive(from, tag, size);
    }
    void send_empty(int to, int tag) noexcept override { carrier_->send_empty(to, tag); }
    void pause(Patience &patience, std::int64_t until_ns) override { carrier_->pause(patience, until_ns); }
    [[nodiscard]] std::int64_t now_ns() override { return carrier_->now_ns(); }
    [[nodiscard]] const std::string &first_error() const override { return carrier_->first_error(); }

private:
    void take_memory() {
        if (left_-- <= 0) throw std::bad_alloc();
    }
    std::unique_ptr<Carrier> carrier_;
    int left_;
    int &sent_;
};

} // namespace

// Rank 5, and the master of the ocean, which is the first to lead the meeting. Before it sent anything, nobody counts
// on it; afterwards it tells all others.
TEST_CASE("a rank that runs out of memory before anybody heard of it is one that did not come") {
    const int sick = GENERATE(0, 5);
    int unheard = 0, heard = 0;
    for (int good = 1; good < 40; ++good) { // the first receive, of the distress of others
        INFO("rank " << sick << ", " << good << " messages");
        const TemporaryFolder folder;
        const Told told;
        std::vector<int> codes(8, never_returned);
        int sent = 0;
        MemoryWorld world(world_of(8, 1));
        world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
            if (rank == sick) carrier = std::make_unique<RunsOutOfMemory>(std::move(carrier), good, sent);
            Transport t(std::move(carrier), 20);
            codes[static_cast<std::size_t>(rank)] = terminate(record_of(t, settings_in(folder.path())));
        });
        CHECK(std::count(codes.begin(), codes.end(), never_returned) == 0);
        if (codes[static_cast<std::size_t>(sick)] == 0) break; // it had memory for all of its messages
        CHECK(codes[static_cast<std::size_t>(sick)] == error::memory);
        if (sent == 0) {
            ++unheard;
            CHECK(std::count(codes.begin(), codes.end(), 0) == 6); // not the one that tells who is missing
            CHECK(told.lines_with(std::to_string(sick) +
                                  ": out of memory in cpl_lb_terminate: the results are without it") == 1);
            const CoupledRun run = told_in(folder);
            CHECK(run.run.processes == 7);
            CHECK(says(run, std::string("1 of 8 processes did not come to cpl_lb_terminate within 20 s (1 of ") +
                                (sick == 0 ? "ocean)" : "atmosphere)")));
        } else {
            ++heard;
            CHECK(told.lines_with(std::to_string(sick) + ": out of memory in cpl_lb_terminate: no results") == 1);
        }
    }
    CHECK(unheard > 0);
    CHECK(heard > 0);
}

TEST_CASE(
    "an exception before the meeting, in the model's own expressions: the others go on and say who is missing") {
    const TemporaryFolder folder;
    const Told told;
    std::vector<int> codes(8, never_returned);
    MemoryWorld world(world_of(8, 1));
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), 20);
        ProcessRecord record = record_of(t, settings_in(folder.path()));
        if (rank == 5) {
            const auto fails = [](int) -> std::int64_t { throw std::runtime_error("no such thing"); };
            record.annotations = std::make_unique<ProcessAnnotations>(fails);
            const int region = record.recorder->regions().id("solver");
            REQUIRE(record.annotations->expression(region, "flops", "2").empty());
        }
        codes[static_cast<std::size_t>(rank)] = terminate(std::move(record));
    });
    CHECK(codes[5] == error::internal);
    CHECK(codes[0] == error::timeout);
    CHECK(told.lines_with("process 5: no such thing: the results are without it") == 1);
    CHECK(told_in(folder).run.processes == 7);
}

TEST_CASE("an analysis that may take no time leaves out what is not known without it, and says how to have it") {
    const TemporaryFolder folder, whole;
    const Told told;
    Settings none = settings_in(folder.path());
    none.analysis_s = 0;
    none.report = true;
    const std::vector<int> codes = terminate_all(world_of(4, 15), none);
    CHECK(std::count(codes.begin(), codes.end(), 0) == 4);
    CHECK(told.lines_with("rn_analysis") == 1);
    static_cast<void>(terminate_all(world_of(4, 15), settings_in(whole.path())));
    CHECK(told.lines_with("rn_analysis") == 1); // not again: a second and more is enough

    const std::string why = "the analysis had used up its 0 s of processor time (rn_analysis); cpl-lb summary " +
                            folder.path() + " computes what is missing";
    const CoupledRun run = told_in(folder), all = told_in(whole);
    CHECK(run.balance.why_no_path == why);
    CHECK(run.balance.why_no_gain == why);
    CHECK(says(run, "no critical path, no gain by another split of the cores, and the order of PUT and GET is not "
                    "checked: " +
                        why));
    CHECK(run.balance.left_out.empty());
    CHECK(run.clock.order_violations == -1);
    CHECK(all.balance.why_no_path.empty());
    CHECK(all.clock.order_violations == 0);
    // What the processes worked out together is all there.
    for (std::size_t c = 0; c < 2; ++c) {
        CHECK(run.components[c].balance.waiting_s == all.components[c].balance.waiting_s);
        CHECK(run.components[c].balance.loop_s == all.components[c].balance.loop_s);
    }
    CHECK(run.cpmip.parallelization == all.cpmip.parallelization);
    const std::string text = test::contents(folder / "load_balancing_info.txt");
    CHECK(text.find("n/a: the analysis had used up its 0 s of processor time (rn_analysis)") != std::string::npos);
    const std::string page = test::contents(folder / "load_balancing_report.html");
    CHECK(page.find("rn_analysis); cpl-lb report " + folder.path() + " shows them") != std::string::npos);
}
