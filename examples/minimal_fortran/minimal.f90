! Two components that exchange one field: the first half of the processes is the ocean, the others are the atmosphere.
!   mpirun -np 2 ./minimal
program minimal
   use mpi
   use cpl_lb
   implicit none
   integer, parameter :: steps = 20, step_s = 3600
   integer :: rank, size, half, sst, step, error
   logical :: is_ocean
   double precision :: temperature = 290.d0

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, size, error)
   half = size/2
   is_ocean = rank < half

   ! Trailing blanks do not count in names.
   call cpl_lb_init(MPI_COMM_WORLD, merge('ocean     ', 'atmosphere', is_ocean))
   sst = cpl_lb_field('SST', merge('atmosphere', 'ocean     ', is_ocean))

   do step = 0, steps - 1
      call cpl_lb_date(step*step_s)
      if (is_ocean) then
         call work(0.05d0)   ! the ocean's work is 50 ms, the atmosphere's 20 ms: it waits for the rest
         call cpl_lb_begin(CPL_LB_PUT, sst)
         call MPI_Ssend(temperature, 1, MPI_DOUBLE_PRECISION, rank + half, 0, MPI_COMM_WORLD, error)
         call cpl_lb_end(CPL_LB_PUT, sst)
      else
         call work(0.02d0)
         call cpl_lb_begin(CPL_LB_GET, sst)
         if (rank < 2*half) &   ! of an odd number of processes the last one gets nothing
            call MPI_Recv(temperature, 1, MPI_DOUBLE_PRECISION, rank - half, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
         call cpl_lb_end(CPL_LB_GET, sst)
      end if
   end do
   call cpl_lb_terminate(dble(steps*step_s))
   call MPI_Finalize(error)

contains

   subroutine work(seconds)
      double precision, intent(in) :: seconds
      double precision :: start
      start = MPI_Wtime()
      do while (MPI_Wtime() - start < seconds)
      end do
   end subroutine work

end program minimal
