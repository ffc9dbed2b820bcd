// Notices a model that ends without cpl_lb_terminate: MPI_Finalize deletes an attribute of MPI_COMM_SELF and so
// calls.
#pragma once

namespace cpl_lb {

// at_finalize is called in MPI_Finalize, unless stop_watching_finalize() comes before. An error of MPI means only
// that nothing is told.
void watch_finalize(void (*at_finalize)()) noexcept;
void stop_watching_finalize() noexcept;

} // namespace cpl_lb
