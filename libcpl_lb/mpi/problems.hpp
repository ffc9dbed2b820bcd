// Everything that went wrong on any process. It is printed once for the whole run, with counts.
#pragma once

#include "mpi/group.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct Problem {
    std::string cause;          // in words; the same text on all processes that share the cause
    std::int64_t count = 0;     // sum over the processes
    std::int32_t processes = 0; // number that have it; 0: it concerns the whole run
    std::int32_t lowest_rank = 0;
    int code = 0;          // CPL_LB_E...
    double seconds = 0.0;  // the time that it took, summed over the processes; 0: none
    std::string host = {}; // of lowest_rank; tally_problems fills it

    // The place of lowest_rank: its rank in the model, its component, and whether to name its host.
    struct Place {
        int rank;
        std::string_view component;
        bool of_many_nodes;
    };
    [[nodiscard]] std::string text(int all_processes, const Place &place) const;
};

void wire_members(auto &way, Either<Problem> auto &p) {
    way.pass(p.cause, p.count, p.processes, p.lowest_rank, p.code, p.seconds, p.host);
}

// Collective over `present`; the leader gets all of them, in the order of their lowest rank.
void tally_problems(Group &present, std::vector<Problem> &problems);

} // namespace cpl_lb
