// The last step alone: spool files go if all agree.
#include "run/live/steps/write_results.hpp"

#include "tests/run/steps/step_by_hand.hpp"
#include "tests/run/told.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

// Counts what it is told.
class CountedChunks final : public ChunkSource {
public:
    explicit CountedChunks(int &removed) : removed_(removed) {}
    [[nodiscard]] Mark *allocate() noexcept override { return memory_.allocate(); }
    void release(Mark *chunk) noexcept override { memory_.release(chunk); }
    void remove_file() noexcept override { ++removed_; }

private:
    MemoryChunks memory_;
    int &removed_;
};

OfRanks<int> end_on(const WorldSetup &setup, bool spool, const std::function<bool(int)> &keeps) {
    return step_on<int>(setup, [&](Transport &t, int &removed) {
        ProcessRecord record = record_of(t, settings_in("."));
        record.settings.spool = spool;
        record.settings.spool_directory = "/spools";
        Recorder::Setup with;
        with.chunks = std::make_unique<CountedChunks>(removed);
        record.recorder = std::make_unique<Recorder>(std::move(with), "ocean");
        Group present(t, first_ranks(t.size()));
        end_spool(present, record, keeps(t.rank()));
    });
}

constexpr const char *kept = "the spool files in /spools are kept: cpl-lb recover makes results from them";

} // namespace

TEST_CASE("spools: all go where nobody needs them") {
    const int ranks = GENERATE(1, 3, 8);
    const Told told;
    const OfRanks<int> all = end_on(quick_world(ranks), true, [](int) { return false; });
    REQUIRE(all.good());
    CHECK(all.results == std::vector<int>(static_cast<std::size_t>(ranks), 1));
    CHECK(told.lines().empty());
}

TEST_CASE("spools: all stay where one rank needs them, and one line says so") {
    const int ranks = GENERATE(1, 3, 8);
    const Told told;
    const OfRanks<int> all = end_on(quick_world(ranks), true, [&](int rank) { return rank == ranks - 1; });
    REQUIRE(all.good());
    CHECK(all.results == std::vector<int>(static_cast<std::size_t>(ranks), 0));
    CHECK(told.lines() == std::vector<std::string>{kept});
}

TEST_CASE("spools: all stay where it could not be agreed on") {
    const Told told;
    WorldSetup setup = quick_world(3);
    setup.lost = 1;
    const OfRanks<int> all = end_on(setup, true, [](int) { return false; });
    CHECK(all.results == std::vector<int>{0, 0, 0});
    CHECK(told.lines() == std::vector<std::string>{kept});
}

TEST_CASE("spools: without them nothing is sent and nothing said") {
    const Told told;
    WorldSetup setup = quick_world(3);
    setup.lost = 1;
    const OfRanks<int> all = end_on(setup, false, [](int) { return true; });
    CHECK(all.good());
    CHECK(told.lines().empty());
}
