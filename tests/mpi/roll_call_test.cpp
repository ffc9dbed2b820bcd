// The roll call of cpl_lb_init with processes in memory: time is made by hand, and another process may come in
// between any two looks at the board.
#include "mpi/folder_board.hpp"
#include "mpi/job_folder.hpp"
#include "mpi/roll_call.hpp"
#include "tests/mpi/memory_world.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <unistd.h>

namespace {

using cpl_lb::Bytes;
using cpl_lb::Carrier;
using cpl_lb::NoticeBoard;
using cpl_lb::RankSet;
using cpl_lb::RollCall;
using cpl_lb::RollCallPart;
using cpl_lb::Verdict;
namespace memory = cpl_lb::testing;

constexpr double ns_to_s = 1e-9;

// The sanitizers do not know the stacks of fibres; threads take ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

struct Notices {
    std::map<std::string, std::string> texts;
    bool first_stays = true;
    bool is_full = false;
    int looks = 0;
    double slowest_s = 0.0002; // of one look
    double first_look_s = 0;   // more than that, of rank 1's first look after it said that it is here
};

// The notices as one process sees them. Each look takes a while before and after it is answered.
class Board final : public NoticeBoard {
public:
    Board(Notices &notices, Carrier &carrier, unsigned seed, int rank)
        : notices_(notices), carrier_(carrier), random_(seed), is_slow_(rank == 1) {}
    bool put(const std::string &name, const std::string &text) override {
        wait();
        const bool done = !notices_.is_full && (notices_.texts.emplace(name, text).second || !first_stays());
        if (done) notices_.texts[name] = text; // as the names of Slurm
        wait();
        return done;
    }
    std::optional<std::string> get(const std::string &name) override {
        wait();
        const auto found = notices_.texts.find(name);
        std::optional<std::string> text = found == notices_.texts.end() ? std::nullopt : std::optional(found->second);
        wait();
        return text;
    }
    [[nodiscard]] bool first_stays() const override { return notices_.first_stays; }

private:
    void wait() {
        ++notices_.looks;
        // As it comes it looks for a decision and puts up its notice, and each is two of these waits.
        if (is_slow_ && waits_++ == 4) sleep(carrier_, notices_.first_look_s);
        sleep(carrier_, std::uniform_real_distribution(0.0, notices_.slowest_s)(random_));
    }

public:
    static void sleep(Carrier &carrier, double s) {
        const std::int64_t until = carrier.now_ns() + 1 + static_cast<std::int64_t>(s / ns_to_s);
        while (carrier.now_ns() < until) {
            cpl_lb::Patience patience(std::chrono::microseconds(100));
            carrier.pause(patience, until);
        }
    }

private:
    Notices &notices_;
    Carrier &carrier_;
    std::mt19937 random_;
    bool is_slow_;
    int waits_ = 0;
};

struct Process {
    double comes_s = 0; // negative: its executable lacks the library
    RollCallPart part = {};
    bool can_join = true;
    bool is_over = false;
    Verdict verdict = {}; // root -1: the board could not be used
    RankSet came = {};
    double ended_s = -1;
    [[nodiscard]] bool comes() const { return comes_s >= 0; }
};

RollCallPart on(double patience_s = 6) {
    return {0, 1, "version", "on", 0, {}, true, patience_s};
}
RollCallPart nothing_at_hand() {
    return {0, 1, "version", "", 0, "nothing found", false, 5};
}

struct Run {
    explicit Run(int size, const RollCallPart &part = on(), std::uint64_t seed = 1)
        : processes(static_cast<std::size_t>(size)) {
        setup.ranks = size;
        setup.fibres = !sanitized;
        setup.seed = seed;
        for (Process &p : processes)
            p.part = part;
    }
    Process &operator[](int rank) { return processes[static_cast<std::size_t>(rank)]; }
    void leave_out(int first, int last) {
        for (int r = first; r <= last; ++r)
            (*this)[r].comes_s = -1;
    }
    void go() {
        for (int r = 0; r < setup.ranks; ++r)
            setup.starts_at_ns[r] = static_cast<std::int64_t>(std::max((*this)[r].comes_s, 0.0) / ns_to_s);
        memory::MemoryWorld world(setup);
        world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
            Process &p = (*this)[rank];
            if (p.comes()) live(p, rank, *carrier);
        });
    }
    void live(Process &p, int rank, Carrier &carrier) {
        Board board(notices, carrier, static_cast<unsigned>(setup.seed) * 31 + static_cast<unsigned>(rank), rank);
        p.part.rank = rank;
        p.part.size = setup.ranks;
        RollCall call(board, p.part, [&] { return ns_to_s * static_cast<double>(carrier.now_ns()); });
        const RollCall::Arrival arrival = call.arrive([&] { return p.can_join; });
        while (arrival == RollCall::Arrival::announced && call.step())
            Board::sleep(carrier, 0.002);
        p.is_over = arrival == RollCall::Arrival::announced || arrival == RollCall::Arrival::over;
        if (p.is_over) p.verdict = call.verdict();
        p.came = call.came();
        p.ended_s = ns_to_s * static_cast<double>(carrier.now_ns());
    }
    void check_recorded(const std::vector<int> &expected) {
        for (int r = 0; r < setup.ranks; ++r) {
            if (!(*this)[r].comes()) continue;
            INFO("rank " << r);
            CHECK((*this)[r].verdict.settings == "on");
            CHECK((*this)[r].verdict.root == expected.front());
            CHECK((*this)[r].verdict.present.ranks() == expected);
        }
    }
    // Who is in a list begins a collective operation with all of it: all of it must have the same list, and no other.
    void check_that_lists_agree() {
        std::set<std::vector<int>> lists;
        for (int r = 0; r < setup.ranks; ++r) {
            if (!(*this)[r].comes()) continue;
            INFO("rank " << r);
            REQUIRE((*this)[r].is_over);
            const Verdict &v = (*this)[r].verdict;
            if (!v.present.empty()) lists.insert(v.present.ranks());
            CHECK(v.others_record() == (!v.present.empty() && !v.present.contains(r)));
            for (const int other : v.present.ranks())
                CHECK((*this)[other].comes());
        }
        CHECK(lists.size() <= 1);
    }
    memory::WorldSetup setup;
    Notices notices;
    std::vector<Process> processes;
};

std::vector<int> range(int first, int last) {
    std::vector<int> ranks;
    for (int r = first; r <= last; ++r)
        ranks.push_back(r);
    return ranks;
}

} // namespace

TEST_CASE("sets of ranks") {
    RankSet set;
    set.add(4, 7);
    set.add(9, 9);
    set.add(0, 1);
    CHECK(set.text() == "0-1, 4-7 and 9");
    CHECK(set.count() == 7);
    CHECK(set.covers(5, 7));
    CHECK(!set.covers(7, 9));
    set.add(8, 8); // closes the gap
    CHECK(set.text() == "0-1 and 4-9");
    CHECK(RankSet::all(12).without(set).text() == "2-3 and 10-11");
    CHECK(set.without(RankSet::all(12)).empty());
    RankSet scattered; // 6 blocks, and 7: five are named
    for (const int rank : {0, 2, 4, 6, 8, 10})
        scattered.add(rank, rank);
    CHECK(scattered.text() == "0, 2, 4, 6, 8 and 1 more block");
    scattered.add(12, 12);
    CHECK(scattered.text() == "0, 2, 4, 6, 8 and 2 more blocks");
    cpl_lb::WireWriter out;
    out.pass(set);
    const Bytes bytes = out.take();
    RankSet read;
    cpl_lb::WireReader in(bytes);
    CHECK(read.read(in, 12));
    CHECK(read == set);
    cpl_lb::WireReader again(bytes);
    CHECK(!read.read(again, 9)); // rank 9 is not below 9
}

TEST_CASE("all come: everyone is told at once") {
    for (const bool first_stays : {true, false}) {
        for (const int size : {2, 3, 8, 64}) {
            INFO(size << " " << first_stays);
            Run run(size);
            run.notices.first_stays = first_stays;
            run.notices.slowest_s = 1e-5;
            for (int r = 0; r < size; ++r)
                run[r].comes_s = 0.0001 * ((r * 37) % 11);
            run.go();
            run.check_recorded(range(0, size - 1));
            for (int r = 0; r < size; ++r)
                CHECK(run[r].ended_s < 0.6); // two looks, and a pause of at most 0.25 s after each
        }
    }
}

TEST_CASE("switched off: rank 0 writes one notice, and each of the others reads it when it comes") {
    Run run(8, nothing_at_hand());
    for (int r = 1; r < 8; ++r)
        run[r].comes_s = r;
    run.go();
    for (int r = 0; r < 8; ++r) {
        CHECK(run[r].verdict.settings.empty());
        CHECK_FALSE(run[r].verdict.late);
        CHECK(run[r].ended_s < r + 0.002);
    }
    CHECK(run.notices.texts.size() == 1);
    // Rank 0 looks for a decision and writes it, which is a look, too; the others read it. Each look counts twice.
    CHECK(run.notices.looks == 2 * (2 + 7));
}

TEST_CASE("a process whose first looks are slow looks again as soon as the others") {
    for (const bool is_on : {false, true}) {
        INFO(is_on);
        Run run(6, is_on ? on() : nothing_at_hand());
        run.notices.first_look_s = 1.5; // suspended, or behind others at the launcher
        run[0].comes_s = 2;
        run.go();
        for (int r = 0; r < 6; ++r)
            CHECK(run[r].ended_s < 3); // the decision at 2 s, or when all are there; a pause of at most 0.25 s
    }
}

TEST_CASE("switched off, rank 0's executable comes late or never: the others wait their 5 s for it") {
    for (const double comes_s : {-1.0, 3.0, 9.0}) {
        INFO(comes_s);
        Run run(4, nothing_at_hand());
        run[0].comes_s = comes_s;
        run.go();
        run.check_that_lists_agree();
        const double decided_s = comes_s == 3 ? 3 : 5;
        for (int r = 1; r < 4; ++r) {
            CHECK(run[r].ended_s >= decided_s);
            CHECK(run[r].ended_s < decided_s + 0.6);
            CHECK(run[r].verdict.root == (comes_s == 3 ? 0 : 1));
            CHECK(run[r].verdict.settings.empty());
        }
        if (comes_s == 9) CHECK((run[0].verdict.late && !run[0].verdict.others_record()));
        if (comes_s == 9) CHECK(run[0].ended_s < 9.002); // it waits for nobody
        CHECK(run[1].came.ranks() == (comes_s == 3 ? std::vector<int>{1} : range(1, 3)));
    }
}

TEST_CASE("every subset of four executables: who came is recorded") {
    for (const bool first_stays : {true, false}) {
        for (unsigned subset = 1; subset < 16; ++subset) {
            INFO("subset " << subset << " " << first_stays);
            Run run(8);
            run.notices.first_stays = first_stays;
            std::vector<int> expected;
            for (int e = 0; e < 4; ++e) {
                if ((subset >> static_cast<unsigned>(e) & 1U) == 0)
                    run.leave_out(2 * e, 2 * e + 1);
                else
                    expected.insert(expected.end(), {2 * e, 2 * e + 1});
            }
            run.go();
            run.check_recorded(expected);
            for (const int r : expected)
                CHECK(run[r].ended_s < (subset == 15 ? 0.6 : 6.6)); // the patience of 6 s
        }
    }
}

TEST_CASE("only the root finds the namelist: the others learn it and wait as long as the root") {
    Run run(4, nothing_at_hand());
    run[0].part = on(12);
    run[3].comes_s = 11;
    run.go();
    run.check_recorded(range(0, 3));
}

TEST_CASE("who comes late finds at once that the others went on, and one speaks for all") {
    Run run(4);
    run[2].comes_s = run[3].comes_s = 20;
    run.go();
    run.check_that_lists_agree();
    for (const int r : {2, 3}) {
        CHECK((run[r].verdict.late && run[r].verdict.others_record()));
        CHECK(run[r].ended_s < 20.002);
        CHECK(run[r].verdict.patience_s == 6);
    }
    CHECK(run[0].verdict.present.ranks() == range(0, 1));
}

TEST_CASE("who has another version of the library is as good as missing, and does not hang") {
    for (const int other : {0, 1, 3}) {
        INFO(other);
        Run run(4);
        run[other].part.version = "another";
        run.go();
        for (int r = 0; r < 4; ++r) {
            REQUIRE(run[r].is_over);
            const bool follows_another = (r == other) != (other == 0);
            CHECK(run[r].verdict.readable == !follows_another);
            if (!follows_another) CHECK_FALSE(run[r].verdict.present.contains(other == 0 ? 1 : other));
        }
    }
}

TEST_CASE("who could not join says so before anybody counts on it") {
    Run run(3);
    run[1].can_join = false;
    run.go();
    CHECK_FALSE(run[1].is_over);
    CHECK(run[0].verdict.present.ranks() == std::vector<int>{0, 2});
}

TEST_CASE("a board that takes nothing is not used; one that is full when it is decided means off") {
    Run run(2);
    run.notices.is_full = true;
    run.go();
    CHECK((!run[0].is_over && !run[1].is_over));
    Run other_copy(2); // the same process has put up its notice
    other_copy.notices.texts = {{RollCall::notice_of(0), "version"}, {RollCall::notice_of(1), "version"}};
    other_copy.go();
    CHECK((!other_copy[0].is_over && !other_copy[1].is_over));
    Run first_copy(2);
    first_copy.go();
    Run second_copy(2); // of the library in the same processes: the decision is not for it
    second_copy.notices.texts = first_copy.notices.texts;
    second_copy.go();
    CHECK((!second_copy[0].is_over && !second_copy[1].is_over));
    Run unreadable(2);
    unreadable.notices.texts = {{"decision", ""}};
    unreadable.go();
    for (const int r : {0, 1})
        CHECK((unreadable[r].is_over && !unreadable[r].verdict.readable && unreadable[r].verdict.settings.empty()));
}

// Gaps, arrivals at about the end of somebody's patience, and a process that does nothing for longer than that
// between any two looks: whatever happens, all who come end with one list.
TEST_CASE("random arrivals, gaps and suspensions: all lists agree") {
    for (std::uint64_t seed = 1; seed <= (sanitized ? 300 : 3000); ++seed) {
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto below = [&](int n) { return std::uniform_int_distribution(0, n - 1)(random); };
        const auto seconds = [&](double most) { return std::uniform_real_distribution(0.0, most)(random); };
        Run run(2 + below(4), on(), seed);
        run.notices.first_stays = below(2) == 0;
        run.notices.slowest_s = below(2) == 0 ? 0.0002 : 0.3;
        double somebody_ends_s = 2;
        for (int r = run.setup.ranks - 1; r >= 0; --r) {
            run[r].part = below(4) == 0 ? nothing_at_hand() : on(0.5 + seconds(2));
            const int how = below(6);
            const double about_then_s = somebody_ends_s + (seconds(4) - 1) * run.notices.slowest_s;
            run[r].comes_s = how == 0 ? -1 : how < 4 ? about_then_s : seconds(3);
            if (how != 0) somebody_ends_s = run[r].comes_s + run[r].part.patience_s;
            if (below(4) == 0) run.setup.stalls[r] = {below(120), static_cast<std::int64_t>(10 / ns_to_s)};
        }
        INFO("seed " << seed);
        run.go();
        run.check_that_lists_agree();
    }
}

TEST_CASE("a board of files: the first notice stays, whole, and nothing is left in the end") {
    const cpl_lb::test::TemporaryFolder folder;
    const std::string path = folder.path() + "/board";
    {
        cpl_lb::FolderBoard one(path), other(path);
        REQUIRE((one.usable() && other.usable()));
        CHECK_FALSE(one.get("decision"));
        CHECK(other.put("decision", std::string(100'000, 'x')));
        CHECK_FALSE(one.put("decision", "later"));
        CHECK(one.get("decision") == std::string(100'000, 'x'));
        CHECK((one.put(RollCall::notice_of(0), "") && other.put(RollCall::notice_of(1), "")));
        CHECK(one.get(RollCall::notice_of(1)) == "");
    }
    cpl_lb::FolderBoard::leave(path, RollCall::notice_of(0));
    CHECK(std::filesystem::is_symlink(path + "/decision"));
    cpl_lb::FolderBoard::leave(path, RollCall::notice_of(1));
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a folder that others can write to, a link and a file are no board") {
    const cpl_lb::test::TemporaryFolder folder;
    const std::string path = folder.path() + "/board";
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms::all);
    CHECK_FALSE(cpl_lb::FolderBoard(path).usable());
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    CHECK(cpl_lb::FolderBoard(path).usable());
    std::filesystem::create_directory_symlink(path, path + "_link");
    CHECK_FALSE(cpl_lb::FolderBoard(path + "_link").usable());
    std::ofstream(path + "_file") << "text";
    CHECK_FALSE(cpl_lb::FolderBoard(path + "_file").usable());
    CHECK_FALSE(cpl_lb::FolderBoard(path + "_file").put("here.0", ""));
}

TEST_CASE("the folder of a job: only if all its processes are on one node") {
    std::map<std::string, std::string> set;
    const auto folder = [&] {
        return cpl_lb::job_folder([&](const char *name) {
            const auto found = set.find(name);
            return found == set.end() ? nullptr : found->second.c_str();
        });
    };
    CHECK(folder().path.empty());
    set = {{"OMPI_COMM_WORLD_SIZE", "4"},
           {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
           {"PMIX_SERVER_TMPDIR", "/tmp/s"},
           {"PMIX_NAMESPACE", "prterun-a/b@1"}};
    const std::string one = folder().path;
    const std::string begin = "/dev/shm/cpl_lb." + std::to_string(geteuid()) + ".";
    CHECK((one.starts_with(begin) && one.size() == begin.size() + 16 && folder().launcher == "/tmp/s"));
    set["PMIX_NAMESPACE"] = "prterun-a/b@2";
    CHECK(folder().path != one);
    set["PMIX_NAMESPACE"] = "prterun-a/b@1";
    set["PMIX_SERVER_URI2"] = "another daemon";
    CHECK(folder().path != one);
    set["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
    CHECK(folder().path.empty());
    set = {{"SLURM_JOB_ID", "17"}, {"SLURM_STEP_ID", "3"}, {"SLURM_STEP_NUM_NODES", "1"}};
    CHECK(folder().path.starts_with(begin));
    const std::string first_time = folder().path;
    set["SLURM_RESTART_COUNT"] = "1";
    CHECK(folder().path != first_time);
    set["SLURM_STEP_NUM_NODES"] = "2";
    CHECK(folder().path.empty());
    set = {{"MPI_LOCALNRANKS", "2"}, {"PMI_SIZE", "2"}, {"PMI_FD", "-1"}}; // no socket of a launcher
    CHECK(folder().path.empty());
}

TEST_CASE("what a killed job left is removed by the next one, and that of a living one stays") {
    const cpl_lb::test::TemporaryFolder session;
    const std::string board = "/dev/shm/cpl_lb." + std::to_string(geteuid()) + ".test" + std::to_string(getpid());
    const std::string living = board + ".living", killed = board + ".killed";
    for (const std::string &path : {living, killed}) {
        cpl_lb::FolderBoard on_node(path);
        cpl_lb::note_launcher(on_node, path == living ? session.path() : session.path() + "/ended");
        REQUIRE(on_node.put("here.0", "version"));
    }
    cpl_lb::remove_left_boards();
    CHECK(std::filesystem::exists(living));
    CHECK_FALSE(std::filesystem::exists(killed));
    cpl_lb::FolderBoard::remove(living);
    CHECK_FALSE(std::filesystem::exists(living));
}
