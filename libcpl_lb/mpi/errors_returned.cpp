// Gives each communicator the handler that returns, and afterwards its own again.
#include "mpi/errors_returned.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace cpl_lb {
namespace {

// Major and minor of "MPICH Version:      4.2.1"; 0 for another MPI. Cray's MPI has "(ANL base 3.4a2)".
std::pair<int, int> mpich_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::pair<int, int> version{0, 0};
    for (const char *name : {"MPICH Version:", "(ANL base"}) {
        const char *at = std::strstr(text.data(), name);
        if (at == nullptr) continue;
        // NOLINTNEXTLINE(cert-err34-c): text of MPI itself
        if (std::sscanf(at + std::strlen(name), " %d.%d", &version.first, &version.second) == 2) return version;
    }
    return {0, 0};
}

// For errors without a communicator MPI 3.1 calls the handler of MPI_COMM_WORLD, MPI 4.0 that of MPI_COMM_SELF, and
// MPICH from 4.2 on that of MPI_COMM_WORLD unless MPI_COMM_SELF was given one.
std::vector<MPI_Comm> of_no_communicator() {
    constexpr std::pair first_with_self{4, 2};
    const auto version = mpich_version();
    if (version.first == 0) return {MPI_COMM_WORLD, MPI_COMM_SELF};
    return {version >= first_with_self ? MPI_COMM_SELF : MPI_COMM_WORLD};
}

extern "C" {
static void cpl_lb_as_for_world(MPI_Comm * /*self*/, int *code, ...) {
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, *code);
}
}

// MPI cannot remove a handler. So MPI_COMM_SELF, if it had none, gets one that does what MPICH does without a
// handler.
void put_back(MPI_Comm comm, MPI_Errhandler handler) {
    const bool had_none = comm == MPI_COMM_SELF && handler == MPI_ERRORS_ARE_FATAL && mpich_version().first != 0;
    if (had_none && MPI_Comm_create_errhandler(&cpl_lb_as_for_world, &handler) != MPI_SUCCESS) return;
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

} // namespace

ErrorsReturned::ErrorsReturned(const std::vector<MPI_Comm> &comms) {
    handled_.reserve(comms.size());
    for (MPI_Comm comm : comms) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm, &handler);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        handled_.push_back({comm, handler});
    }
}

ErrorsReturned::ErrorsReturned() : ErrorsReturned(of_no_communicator()) {}

ErrorsReturned::~ErrorsReturned() {
    for (const Handled &h : handled_)
        put_back(h.comm, h.handler);
}

} // namespace cpl_lb
