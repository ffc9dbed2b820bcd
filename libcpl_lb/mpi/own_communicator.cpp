// The library's own communicator: MPI_Comm_idup where all came, MPI_Comm_create_group where some are missing.
#include "mpi/own_communicator.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/patience.hpp"
#include "support/fmt.hpp"

#include <array>
#include <new>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::chrono::microseconds longest_sleep{2000};

int duplicate_all(MPI_Comm comm, MPI_Comm &copy) {
    MPI_Request request = MPI_REQUEST_NULL;
    // An error with a request in hand may be only a warning.
    if (MPI_Comm_idup(comm, &copy, &request) != MPI_SUCCESS && request == MPI_REQUEST_NULL) return CPL_LB_EMPI;
    Patience patience(longest_sleep);
    for (int done = 0; done == 0; patience.pause())
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return CPL_LB_EMPI;
    return CPL_LB_OK;
}

// Executables are blocks of ranks: a few triples. Others count on this process, so it does not leave for lack of
// memory.
std::vector<std::array<int, 3>> triples_of(const RankSet &present) {
    for (Patience patience(longest_sleep);; patience.pause()) {
        try {
            std::vector<std::array<int, 3>> triples;
            for (const RankSet::Block &b : present.blocks())
                triples.push_back({b.first, b.last, 1});
            return triples;
        } catch (const std::bad_alloc &) { // the model's other processes may free some
        }
    }
}

// Collective over those who are present only; the others may be in whatever call of MPI.
int join_those_present(MPI_Comm comm, const RankSet &present, MPI_Comm &joint) {
    constexpr int tag = 4711; // of messages inside MPI
    std::vector<std::array<int, 3>> triples = triples_of(present);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group some = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, static_cast<int>(triples.size()), reinterpret_cast<int(*)[3]>(triples.data()), &some);
    MPI_Comm_create_group(comm, some, tag, &joint);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return joint != MPI_COMM_NULL ? CPL_LB_OK : CPL_LB_EMPI;
}

} // namespace

int make_own_communicator(MPI_Comm comm, const RankSet &present, MPI_Comm &own, std::string &message) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    const bool all = present.count() == size;
    MPI_Comm made = MPI_COMM_NULL;
    const int code = all ? duplicate_all(comm, made) : join_those_present(comm, present, made);
    if (code != CPL_LB_OK) {
        message = fmt::format("{} failed: switched off here", all ? "MPI_Comm_idup" : "MPI_Comm_create_group");
    } else {
        MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
        own = made;
    }
    return code;
}

} // namespace cpl_lb
