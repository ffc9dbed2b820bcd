// What cpl_lb_terminate costs an ensemble of many members, simulated: its real code on ranks in memory, one after the
// other on one processor (docs/decisions/messages.md). Usage: members_terminate FOLDER [MEMBERS PROCESSES
// EVENTS]; three components for each member, 200 x 3 x 100 processes x 1,000 events without the last three. Prints
// processor time for a quarter of the members and for all: of all ranks, of the first one, and of the busiest other;
// beside it the floor, the same bytes written by pwrite.
#include "command_cost.hpp"
#include "run/live/process_record.hpp"
#include "tests/members_folder.hpp"
#include "tests/run/record_by_hand.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

namespace {

using namespace cpl_lb;
using namespace cpl_lb::testing;
constexpr std::int64_t ms = 1'000'000, step = 1300 * ms;
constexpr int ranks_of_node = 128;

// Events as write_member() of members_folder.hpp has them.
std::vector<Mark> marks_of(const test::Ensemble &e, std::int64_t component, std::int64_t process) {
    const std::int64_t computing = component / 3 + 1 == e.slow ? 1100 : 1000;
    const auto get = static_cast<int>(Kind::get), put = static_cast<int>(Kind::put);
    std::vector<Mark> marks;
    Nanoseconds now = 0;
    const auto mark = [&](Nanoseconds at, std::uint32_t field, unsigned code) {
        marks.push_back(make_mark(static_cast<std::uint64_t>(at - now), field, code));
        now = at;
    };
    for (std::int64_t k = 0; k < e.events; k += 2) {
        const Nanoseconds begin = k / 2 * step + (process * 13 + component % 3) * 1000;
        mark(begin + computing * ms, 1, begin_code(get));
        mark(begin + 1200 * ms, 1, end_code(get));
        mark(begin + 1210 * ms, 2, begin_code(put));
        mark(begin + 1220 * ms, 2, end_code(put));
    }
    return marks;
}

// One piece of all chunks: the kernel has room for some ten thousand.
class Chunk final : public ChunkSource {
public:
    Chunk(Mark *words, std::vector<Mark> marks) : words_(words), marks_(std::move(marks)) {}
    [[nodiscard]] Mark *allocate() noexcept override { return words_; }
    void release(Mark * /*chunk*/) noexcept override {}
    void fill() {
        std::fill(words_, words_ + 64, Mark{});
        std::copy(marks_.begin(), marks_.end(), words_);
        marks_ = {};
    }

private:
    Mark *words_;
    std::vector<Mark> marks_;
};

ProcessMap map_of(const test::Ensemble &e, const std::vector<std::string> &names) {
    ProcessMap map;
    map.component_names = names;
    const std::int64_t ranks = 3 * e.members * e.processes;
    for (std::int64_t r = 0; r < ranks; ++r) {
        map.component_of_rank.push_back(static_cast<std::int32_t>(r / e.processes));
        map.node_of_rank.push_back(static_cast<std::int32_t>(r / ranks_of_node));
    }
    map.threads_of_rank.assign(static_cast<std::size_t>(ranks), 1);
    map.cores_of_rank = map.threads_of_rank;
    map.rank_in_model = NumberList::counting_from(0, static_cast<std::size_t>(ranks));
    return map;
}

struct Spent {
    double all = 0, first = 0, other = 0;
    std::int64_t failed = 0;
};

Spent terminate_of(const std::string &folder, const test::Ensemble &e) {
    std::vector<std::string> names;
    for (std::int64_t n = 0; n < 3 * e.members; ++n)
        names.push_back(test::ensemble_name(static_cast<std::size_t>(n % 3), n / 3 + 1));
    const auto ranks = static_cast<std::size_t>(3 * e.members * e.processes);
    void *chunks = mmap(nullptr, ranks * chunk_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (chunks == MAP_FAILED) return {0, 0, 0, static_cast<std::int64_t>(ranks)};
    Settings settings = settings_in(folder);
    settings.timeout_s = 1e6;
    const ProcessMap map = map_of(e, names);
    std::vector<double> cpu_s(ranks + 1); // the last: the world itself
    std::vector<int> codes(ranks, 1);
    std::size_t running = ranks;
    double since = bench::cpu_now();
    const auto now_runs = [&](int rank) {
        const double now = bench::cpu_now();
        cpu_s[running] += now - since;
        since = now;
        running = rank < 0 ? ranks : static_cast<std::size_t>(rank);
    };
    WorldSetup setup;
    setup.ranks = static_cast<int>(ranks);
    setup.fibres = true;
    setup.stack_bytes = std::size_t{256} << 10U;
    setup.now_runs = now_runs;
    MemoryWorld world(setup);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        now_runs(no_rank); // what the model did before is not terminate's
        const auto r = static_cast<std::size_t>(rank);
        const std::int64_t component = rank / e.processes;
        Transport t(std::move(carrier), 1e6);
        ProcessRecord record = record_of(t, settings);
        record.process_map = map;
        record.component = names[static_cast<std::size_t>(component)];
        const Nanoseconds end = (e.events / 2 + 1) * step;
        record.arrival = {static_cast<std::uint64_t>(end), end, 0};
        auto chunk = std::make_unique<Chunk>(static_cast<Mark *>(chunks) + r * chunk_words,
                                             marks_of(e, component, rank % e.processes));
        Chunk &words = *chunk;
        Recorder::Setup of_recorder;
        of_recorder.chunks = std::move(chunk);
        record.recorder = std::make_unique<Recorder>(std::move(of_recorder), record.component);
        static_cast<void>(record.recorder->field("state", "assimilation"));
        static_cast<void>(record.recorder->field(
            "flux", test::ensemble_name(static_cast<std::size_t>((component + 1) % 3), component / 3 + 1)));
        record.recorder->stop();
        words.fill();
        now_runs(rank);
        codes[r] = terminate(std::move(record));
    });
    now_runs(no_rank);
    munmap(chunks, ranks * chunk_bytes);
    Spent spent;
    for (std::size_t r = 0; r < ranks; ++r) {
        spent.all += cpu_s[r];
        if (r > 0) spent.other = std::max(spent.other, cpu_s[r]);
    }
    spent.first = cpu_s[0];
    spent.failed = std::count_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
    return spent;
}

// Each process writes its part of its component's file, in blocks of at most 256 KiB.
double floor_of(const std::string &folder, const test::Ensemble &e) {
    const double began = bench::cpu_now();
    const std::string path = folder + "/floor";
    const std::vector<char> row(static_cast<std::size_t>(16 * e.events), 1);
    for (std::int64_t n = 0; n < 3 * e.members; ++n) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        for (std::int64_t p = 0; p < e.processes; ++p)
            if (::pwrite(file, row.data(), row.size(), p * static_cast<off_t>(row.size())) < 0) return -1;
        ::close(file);
    }
    std::filesystem::remove(path);
    return bench::cpu_now() - began;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2 && argc != 5) {
        std::fprintf(stderr, "usage: members_terminate FOLDER [MEMBERS PROCESSES EVENTS]\n");
        return 2;
    }
    const std::string folder = argv[1];
    test::Ensemble e{200, 100, 1000, 7};
    if (argc == 5) e = {std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4]), 7};
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max; // all ranks have them open in this one process
    setrlimit(RLIMIT_NOFILE, &files);
    std::int64_t failed = 0;
    for (const std::int64_t members : {e.members / 4, e.members}) {
        const std::string here = folder + "/members_" + std::to_string(members);
        std::filesystem::create_directories(here);
        test::Ensemble part = e;
        part.members = members;
        const double floor_s = floor_of(here, part);
        const Spent spent = terminate_of(here, part);
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        std::printf(
            "%ld ranks: floor %.2f s; terminate of all %.2f s, %.1f times; of the first %.2f s, of another at "
            "most %.3f s; failed %ld; memory of all %.0f MiB\n",
            static_cast<long>(3 * members * e.processes), floor_s, spent.all, spent.all / floor_s, spent.first,
            spent.other, static_cast<long>(spent.failed), static_cast<double>(used.ru_maxrss) / 1024);
        std::fflush(stdout);
        failed += spent.failed;
    }
    return failed == 0 ? 0 : 1;
}
