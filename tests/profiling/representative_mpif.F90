#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
! The set of representative.inc by mpif.
program representative
  implicit none
  include 'mpif.h'
  integer :: requests(2), status(MPI_STATUS_SIZE), comm, win, fh
#include "representative.inc"
end program representative
