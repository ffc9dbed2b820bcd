// One step of cpl_lb_terminate alone, on ranks in memory, between what the steps before and after it would know.
#pragma once

#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/output_folder.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/run/record_by_hand.hpp"

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace cpl_lb::testing {

inline std::vector<int> first_ranks(int ranks) {
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// What the step gives on each rank, and whether a message failed there.
template <class Result>
struct OfRanks {
    std::vector<Result> results;
    std::vector<Ended> ends;

    [[nodiscard]] bool good() const {
        return std::none_of(ends.begin(), ends.end(), [](const Ended &e) { return e.failed || !e.said.empty(); });
    }
};

template <class Result>
OfRanks<Result> step_on(const WorldSetup &setup, const std::function<void(Transport &, Result &)> &step) {
    OfRanks<Result> all;
    all.results.resize(static_cast<std::size_t>(setup.ranks));
    MemoryWorld world(setup);
    all.ends = on_ranks(world, setup.ranks, 20, [&](Transport &t) {
        step(t, all.results[static_cast<std::size_t>(t.rank())]);
        return std::string();
    });
    return all;
}

// The ocean puts SST, and the atmosphere, where there is a second rank, gets it.
inline Catalogue catalogue_of(int ranks) {
    std::vector<CatalogueEntry> entries = {{"ocean", Kind::put, "SST", "atmosphere"}, {"ocean", Kind::term, {}, {}}};
    std::vector<std::string> names = {"ocean"};
    std::vector<NumberList> members(ranks > 1 ? 2 : 1);
    for (int r = 0; r < ranks; ++r)
        members[static_cast<std::size_t>(r % 2)].push_back(r);
    if (ranks > 1) {
        names.emplace_back("atmosphere");
        entries.push_back({"atmosphere", Kind::get, "SST", "ocean"});
        entries.push_back({"atmosphere", Kind::term, {}, {}});
    }
    return make_catalogue(std::move(entries), std::move(names), std::move(members));
}

// All came, clocks agree, the run took 20 s. folder: empty where there is none.
inline Agreed agreed_by(int ranks, const std::string &folder) {
    Agreed agreed;
    agreed.present = first_ranks(ranks);
    agreed.clock.latest_arrival = agreed.clock.arrival = 4 * second * coupling_steps;
    agreed.folder.run_id = "by hand";
    agreed.folder.path = folder;
    agreed.folder.missing = folder.empty();
    agreed.catalogue = catalogue_of(ranks);
    return agreed;
}

inline WorldSetup quick_world(int ranks, std::uint64_t seed = 1) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.seed = seed;
    return setup;
}

// A transport of its own for a step that sends nothing.
inline void alone(const std::function<void(Transport &)> &step) {
    MemoryWorld world(quick_world(1));
    world.run([&](int /*rank*/, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), 20);
        step(t);
    });
}

// The record of one process alone, which is the ocean.
inline void with_record(const std::function<void(ProcessRecord &)> &step) {
    alone([&](Transport &t) {
        ProcessRecord record = record_of(t, settings_in("."));
        step(record);
    });
}

} // namespace cpl_lb::testing
