// Collects what each process says about itself, and numbers components, nodes and clocks.
#include "mpi/process_map.hpp"

#include "support/system.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

// The facts about the processes in a part of the tree, rank after rank.
struct Told {
    std::vector<std::string> components, domains; // each once
    NumberList component, domain;                 // numbers in those, of each process
    NumberList threads;
    std::vector<std::string> places; // to what processes are bound, each once
    NumberList place;                // number in those, of each process
    NumberList bound_cores;          // below 0: by default
    NumberList memory_group;
};

template <class Way, Either<Told> T>
void wire_members(Way &way, T &told) {
    way.pass(told.components, told.domains, told.places);
    way.pass(told.component, told.domain, told.threads, told.place, told.bound_cores, told.memory_group);
}

bool all_below(const NumberList &numbers, std::size_t end) {
    return numbers.empty() || (numbers.least() >= 0 && static_cast<std::size_t>(numbers.greatest()) < end);
}

bool fits_together(const Told &told) {
    const std::size_t size = told.component.size();
    return told.domain.size() == size && told.threads.size() == size && told.place.size() == size &&
           told.bound_cores.size() == size && told.memory_group.size() == size &&
           all_below(told.place, told.places.size()) && all_below(told.component, told.components.size()) &&
           all_below(told.domain, told.domains.size());
}

// Appends numbers for these names; a new name gets a new number.
void append(std::vector<std::string> &names, NumberList &numbers, const std::vector<std::string> &their_names,
            const NumberList &theirs) {
    std::vector<std::int32_t> number_here;
    for (const std::string &name : their_names) {
        const auto at = std::find(names.begin(), names.end(), name);
        number_here.push_back(static_cast<std::int32_t>(at - names.begin()));
        if (at == names.end()) names.push_back(name);
    }
    for (const std::int32_t number : theirs)
        numbers.push_back(number_here[static_cast<std::size_t>(number)]);
}

// Appends the facts of the ranks that follow.
void unite_told(Told &mine, const Told &next) {
    append(mine.components, mine.component, next.components, next.component);
    append(mine.domains, mine.domain, next.domains, next.domain);
    for (const std::int32_t threads : next.threads)
        mine.threads.push_back(threads);
    append(mine.places, mine.place, next.places, next.place);
    for (const std::int32_t cores : next.bound_cores)
        mine.bound_cores.push_back(cores);
    for (const std::int32_t group : next.memory_group)
        mine.memory_group.push_back(group);
}

// Threads and cores of each process (docs/metrics.md, "Cores"). Processes of a node that are bound to the same cores
// share them.
void count_cores(const Told &told, NumberList &threads_of, NumberList &cores_of) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> sharers; // by node and place
    for (std::size_t r = 0; r < told.threads.size(); ++r)
        ++sharers[{told.domain[r], told.place[r]}];
    for (std::size_t r = 0; r < told.threads.size(); ++r) {
        const std::int32_t sharing = sharers[{told.domain[r], told.place[r]}];
        const std::int32_t bound = std::abs(told.bound_cores[r]);
        const bool alone = told.bound_cores[r] > 0 && sharing == 1;
        const std::int32_t unsaid = alone ? bound : 1;
        const std::int32_t threads = told.threads[r] > 0 ? told.threads[r] : unsaid;
        threads_of.push_back(threads);
        cores_of.push_back(bound == 0 ? threads : std::min(threads, std::max(bound / sharing, 1)));
    }
}

NumberList count_memory_sharers(const Told &told) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> sharers; // by node and group
    for (std::size_t r = 0; r < told.domain.size(); ++r)
        ++sharers[{told.domain[r], told.memory_group[r]}];
    NumberList of_rank;
    for (std::size_t r = 0; r < told.domain.size(); ++r)
        of_rank.push_back(sharers[{told.domain[r], told.memory_group[r]}]);
    return of_rank;
}

} // namespace

bool fits_together(const ProcessMap &map) {
    const std::size_t size = map.component_of_rank.size();
    return map.node_of_rank.size() == size && map.threads_of_rank.size() == size &&
           map.cores_of_rank.size() == size && map.memory_sharers_of_rank.size() == size &&
           all_below(map.component_of_rank, map.component_names.size()) && all_below(map.node_of_rank, size);
}

int ProcessMap::nodes() const {
    return node_of_rank.empty() ? 0 : node_of_rank.greatest() + 1;
}

const std::string &ProcessMap::component_name_of(int rank) const {
    return component_names[static_cast<std::size_t>(component_of_rank[static_cast<std::size_t>(rank)])];
}

int ProcessMap::lowest_rank_of_component(std::int32_t component) const {
    std::int32_t lowest = size();
    for (const NumberList::Run &run : component_of_rank.runs()) {
        const std::int64_t steps = run.step == 0 ? 0 : (std::int64_t{component} - run.first) / run.step;
        if (run.first + steps * run.step != component || steps < 0 || steps >= run.count) continue;
        lowest = std::min(lowest, run.at + static_cast<std::int32_t>(steps));
    }
    return lowest;
}

std::string clock_domain_here(const std::string &procfs_root) {
    std::string boot_id;
    std::ifstream(procfs_root + "/sys/kernel/random/boot_id") >> boot_id;
    if (boot_id.empty()) return host_name();
    std::array<char, 256> text{};
    const auto length = readlink((procfs_root + "/self/ns/time").c_str(), text.data(), text.size() - 1);
    return boot_id + ' ' + std::string(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::int32_t threads_here() {
    // OMP_NUM_THREADS may be a list, one number for each level of nesting.
    const char *text = std::getenv("OMP_NUM_THREADS");
    const long threads = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return threads >= 1 && threads <= 1'000'000 ? static_cast<std::int32_t>(threads) : 0;
}

void exchange_process_map(Group &all, const Hello &mine, ProcessMap &process_map) {
    Told told{
        {mine.component},   {mine.clock_domain}, {0}, {0},
        {mine.threads},     {mine.bound_to},     {0}, {mine.bound_by_default ? -mine.bound_cores : mine.bound_cores},
        {mine.memory_group}};
    unite_up(all, "who is where", told, unite_told);
    NumberList rank_in_model = std::move(process_map.rank_in_model);
    process_map = {};
    if (all.leads()) {
        count_cores(told, process_map.threads_of_rank, process_map.cores_of_rank);
        process_map.memory_sharers_of_rank = count_memory_sharers(told);
        process_map.component_names = std::move(told.components);
        process_map.component_of_rank = std::move(told.component);
        process_map.node_of_rank = std::move(told.domain);
    }
    tell_all(all, "the layout", process_map);
    process_map.rank_in_model = std::move(rank_in_model);
    if (process_map.size() != all.size()) throw DamagedMessage("the layout");
}

} // namespace cpl_lb
