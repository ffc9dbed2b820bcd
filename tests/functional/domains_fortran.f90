! A model in Fortran that says which part of its grid each process has: the first half of the n processes has rows of a
! grid of 6 x n points, and the others points with coordinates, which do nothing. With the argument `pieces` each of the first half has
! every so many rows. Four steps with an exchange each.
program domains_fortran
   use, intrinsic :: iso_fortran_env, only: real64
   use mpi, only: MPI_COMM_WORLD, MPI_INTEGER, MPI_STATUS_SIZE
   use cpl_lb
   implicit none
   integer :: rank, ranks, half, partner, mine, theirs, step, error, token(1), status(MPI_STATUS_SIZE)
   real(real64) :: longitudes(3, 2), latitudes(3, 2)
   logical :: ocean
   character(len=8) :: form

   call get_command_argument(1, form)
   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   half = ranks / 2
   ocean = rank < half
   partner = merge(rank + half, rank - half, ocean)
   call cpl_lb_init(MPI_COMM_WORLD, merge('ocean     ', 'atmosphere', ocean))
   if (ocean .and. form == 'pieces') then
      call cpl_lb_set_domain_pieces([6, 2*half], reshape([1, rank + 1, 1, rank + half + 1], [2, 2]), &
                                    reshape([6, 1, 6, 1], [2, 2]))
   else if (ocean) then
      call cpl_lb_set_domain([6, 2*half], [1, 2*rank + 1], [6, 2])
   else
      longitudes(:, 1) = [0.0_real64, 5.0_real64, 10.0_real64] + 20*(rank - half)
      longitudes(:, 2) = longitudes(:, 1)
      latitudes(:, 1) = 45
      latitudes(:, 2) = -45
      call cpl_lb_set_domain_points(longitudes, latitudes)
   end if
   mine = cpl_lb_field(merge('SST ', 'heat', ocean), merge('atmosphere', 'ocean     ', ocean))
   theirs = cpl_lb_field(merge('heat', 'SST ', ocean), merge('atmosphere', 'ocean     ', ocean))
   token = 0
   do step = 1, 4
      call cpl_lb_begin(CPL_LB_PUT, mine)
      call MPI_Send(token, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, error)
      call cpl_lb_end(CPL_LB_PUT, mine)
      call cpl_lb_begin(CPL_LB_GET, theirs)
      call MPI_Recv(token, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, status, error)
      call cpl_lb_end(CPL_LB_GET, theirs)
   end do
   call cpl_lb_terminate(3600.0_real64)
   call MPI_Finalize(error)
end program domains_fortran
