#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
! The set of representative.inc by f08.
program representative
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Comm) :: comm
  type(MPI_Win) :: win
  type(MPI_File) :: fh
#include "representative.inc"
end program representative
