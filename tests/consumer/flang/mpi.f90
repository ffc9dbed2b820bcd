! The module mpi for a compiler that cannot read the one of the installed MPI, which another compiler wrote.
module mpi
   implicit none
   include 'mpif.h'
end module mpi
