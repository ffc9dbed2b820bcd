// What a process hands to cpl_lb_terminate, made by hand: marks and clocks whose figures can be worked out.
#pragma once

#include "run/live/process_record.hpp"
#include "tests/mpi/memory_world.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace cpl_lb::testing {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr int coupling_steps = 5;

// Memory whose words the test fills in.
class FilledByHand final : public ChunkSource {
public:
    explicit FilledByHand(std::vector<Mark> marks) : marks_(std::move(marks)) {}
    [[nodiscard]] Mark *allocate() noexcept override {
        // Pages that nobody touches cost nothing, and none of them is one that was used before.
        void *chunk = mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        first_ = chunk == MAP_FAILED ? nullptr : static_cast<Mark *>(chunk);
        return first_;
    }
    void release(Mark *chunk) noexcept override { munmap(chunk, chunk_bytes); }
    // Over what the recorder wrote when it began.
    void fill() {
        std::fill(first_, first_ + 64, Mark{});
        if (marks_.size() > chunk_words) std::abort(); // one chunk is all there is
        std::copy(marks_.begin(), marks_.end(), first_);
    }

private:
    std::vector<Mark> marks_;
    Mark *first_ = nullptr;
};

// Steps of 4 s: the ocean puts from 3 to 4, the atmosphere gets from 2 to 4. A tick is a nanosecond.
inline std::vector<Mark> marks_of(bool ocean) {
    const int kind = static_cast<int>(ocean ? Kind::put : Kind::get);
    const auto before = static_cast<std::uint64_t>(ocean ? 3 : 2) * second, inside = 4U * second - before;
    std::vector<Mark> marks;
    for (int n = 0; n < coupling_steps; ++n) {
        marks.push_back(make_mark(before, 1, begin_code(kind)));
        marks.push_back(make_mark(inside, 1, end_code(kind)));
    }
    return marks;
}

inline ProcessMap process_map_of(int ranks) {
    ProcessMap process_map;
    process_map.component_names = {"ocean"};
    if (ranks > 1) process_map.component_names.emplace_back("atmosphere");
    for (int r = 0; r < ranks; ++r)
        process_map.component_of_rank.push_back(r % 2);
    process_map.node_of_rank.assign(static_cast<std::size_t>(ranks), 0);
    process_map.threads_of_rank.assign(static_cast<std::size_t>(ranks), 1);
    process_map.cores_of_rank = process_map.threads_of_rank;
    process_map.memory_sharers_of_rank = process_map.threads_of_rank;
    process_map.rank_in_model = NumberList::counting_from(0, static_cast<std::size_t>(ranks));
    return process_map;
}

// A recorder with one field, SST.
inline std::unique_ptr<Recorder> recorder_of(std::vector<Mark> marks, const std::string &component,
                                             const std::string &counterpart) {
    auto chunks = std::make_unique<FilledByHand>(std::move(marks));
    FilledByHand &words = *chunks;
    Recorder::Setup setup;
    setup.chunks = std::move(chunks);
    auto recorder = std::make_unique<Recorder>(std::move(setup), component);
    static_cast<void>(recorder->field("SST", counterpart));
    recorder->stop();
    words.fill();
    return recorder;
}

// Even ranks are the ocean, odd ones the atmosphere.
inline ProcessRecord record_of(Transport &t, const Settings &settings) {
    const bool ocean = t.rank() % 2 == 0;
    ProcessRecord record;
    record.transport = &t;
    record.process_map = process_map_of(t.size());
    record.settings = settings;
    record.memory_bound_B = std::size_t{64} << 20U;
    record.component = ocean ? "ocean" : "atmosphere";
    record.run_id = "by hand";
    record.started = "2026-11-22T00:00:00Z";
    record.first_point = {0, 0, 0};
    record.arrival = {4 * second * coupling_steps, 4 * second * coupling_steps, 0};
    record.recorder = recorder_of(marks_of(ocean), record.component, ocean ? "atmosphere" : "ocean");
    return record;
}

inline Settings settings_in(const std::string &folder) {
    Settings s;
    s.directory = folder;
    s.timeout_s = 20;
    s.report = s.print = s.rss = s.energy = false;
    return s;
}

inline WorldSetup world_of(int ranks, std::uint64_t seed) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.seed = seed;
    for (int r = 0; r < ranks; ++r)
        setup.starts_at_ns[r] = 4 * second * coupling_steps; // when the model has ended
    return setup;
}

} // namespace cpl_lb::testing
