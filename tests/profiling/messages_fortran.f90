! Messages to itself inside a region, from Fortran: two of 5 doubles and one of 3 integers, 92 bytes.
program messages_fortran
   use cpl_lb
   use mpi
   implicit none
   integer :: ierror, region, request, numbers(3) = 1, others(3)
   double precision :: values(5) = 0d0, got(5)
   integer :: i
   call MPI_Init(ierror)
   call cpl_lb_init(MPI_COMM_WORLD, 'ocean')
   region = cpl_lb_region('halo')
   call cpl_lb_region_begin(region)
   do i = 1, 2
      call MPI_Irecv(got, 5, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, request, ierror)
      call MPI_Send(values, 5, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, ierror)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
   end do
   call MPI_Sendrecv(numbers, 3, MPI_INTEGER, 0, 2, others, 3, MPI_INTEGER, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierror)
   call cpl_lb_region_end(region)
   call cpl_lb_terminate(86400d0)
   call MPI_Finalize(ierror)
end program
