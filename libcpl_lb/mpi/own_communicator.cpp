// The library's own communicator: MPI_Comm_idup where all came, MPI_Comm_create_group where some are missing.
#include "mpi/own_communicator.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/patience.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

constexpr std::chrono::microseconds longest_sleep{2000};

// Static: an unfinished MPI_Comm_idup may write to it after we gave up. There is one init in a process's life.
MPI_Comm copy = MPI_COMM_NULL;

int duplicate_all(MPI_Comm comm, double timeout_s) {
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_Comm_idup(comm, &copy, &request);
    // An error with a request in hand may be only a warning.
    if (code != MPI_SUCCESS && request == MPI_REQUEST_NULL) return CPL_LB_EMPI;
    int flag = 0;
    const auto done = [&] {
        code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        return code != MPI_SUCCESS || flag != 0;
    };
    if (!wait_until(deadline_in(timeout_s), longest_sleep, done)) return CPL_LB_ETIMEOUT;
    return flag != 0 ? CPL_LB_OK : CPL_LB_EMPI;
}

// Collective over those who are present only; the others may be in whatever call of MPI.
int join_those_present(MPI_Comm comm, const std::vector<int> &present) {
    constexpr int tag = 4711; // of messages inside MPI
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group some = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, static_cast<int>(present.size()), present.data(), &some);
    MPI_Comm_create_group(comm, some, tag, &copy);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return copy != MPI_COMM_NULL ? CPL_LB_OK : CPL_LB_EMPI;
}

} // namespace

int make_own_communicator(MPI_Comm comm, const std::vector<int> &present, double timeout_s, MPI_Comm &own,
                          std::string &message) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    const bool all = present.size() == static_cast<std::size_t>(size);
    const int code = all ? duplicate_all(comm, timeout_s) : join_those_present(comm, present);
    if (code == CPL_LB_ETIMEOUT) {
        message =
            fmt::format("other processes stopped answering in cpl_lb_init for {} s: switched off here", timeout_s);
    } else if (code != CPL_LB_OK) {
        message = fmt::format("{} failed: switched off here", all ? "MPI_Comm_idup" : "MPI_Comm_create_group");
    } else {
        MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
        own = copy;
    }
    return code;
}

} // namespace cpl_lb
