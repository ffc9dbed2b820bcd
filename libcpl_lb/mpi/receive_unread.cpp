// One after the other, of whatever size.
#include "mpi/receive_unread.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {
namespace {

bool receive_one(MPI_Comm comm, int tag, const std::function<void(int, int)> &came) {
    int found = 0;
    int bytes = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status) != MPI_SUCCESS || found == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<std::byte> text(static_cast<std::size_t>(bytes > 0 ? bytes : 0));
    if (MPI_Recv(text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS)
        return false;
    came(status.MPI_SOURCE, status.MPI_TAG);
    return true;
}

} // namespace

// A probe is one look at what has come, and another message may be behind what it finds.
void receive_unread(MPI_Comm comm, int tag, const std::function<void(int, int)> &came) {
    constexpr int looks = 20;
    for (int in_vain = 0; in_vain < looks; ++in_vain)
        if (receive_one(comm, tag, came)) in_vain = -1;
}

} // namespace cpl_lb
