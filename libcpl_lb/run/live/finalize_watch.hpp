// Notices a model that ends without cpl_lb_terminate: MPI_Finalize deletes an attribute of MPI_COMM_SELF, and that
// calls a function.
#pragma once

namespace cpl_lb {

// MPI_Finalize calls at_finalize, unless stop_watching_finalize() was called before. If MPI refuses, only the message
// is missing.
void watch_finalize(void (*at_finalize)()) noexcept;
void stop_watching_finalize() noexcept;

} // namespace cpl_lb
