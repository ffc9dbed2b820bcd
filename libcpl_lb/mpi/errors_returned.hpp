// While it lives, an error of MPI on these communicators is returned to the library: no handler of the model is
// called.
#pragma once

#include <mpi.h>
#include <vector>

namespace cpl_lb {

class ErrorsReturned {
public:
    // Throws std::bad_alloc before anything is changed.
    explicit ErrorsReturned(const std::vector<MPI_Comm> &comms);
    // For errors without a communicator.
    ErrorsReturned();
    ~ErrorsReturned();
    ErrorsReturned(const ErrorsReturned &) = delete;
    ErrorsReturned &operator=(const ErrorsReturned &) = delete;

private:
    struct Handled {
        MPI_Comm comm;
        MPI_Errhandler handler;
    };
    std::vector<Handled> handled_;
};

} // namespace cpl_lb
