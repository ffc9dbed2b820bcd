! A model of the pattern of CESM's and E3SM's drivers on the double of MCT, that knows nothing of cpl_lb: each process has
! several components. 1: everybody; 2: atmosphere, rank 0; 3: ocean, rank 1; 4: the coupler with both, equal to 1;
! 5: all atmospheres, equal to 2. Three transfers, then the rearranger moves fields v and w from atmosphere to ocean
! twice, once inside each of them, and once more across with a rearranger that has moved inside before. It ends without MCT's clean.
program driver_model
  use m_AttrVect
  use m_MCTWorld
  use m_Rearranger, only: Rearranger, rearrange_
  use m_Router, only: Router, make_router => initd_
  use m_Transfer
  use mpi
  implicit none
  integer :: rank, error, step, grid
  type(Router) :: rout, grids(3)
  type(AttrVect) :: av, moved
  type(Rearranger) :: across, inside
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 0) call initm_(5, MPI_COMM_WORLD, [MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_WORLD, MPI_COMM_SELF], [1, 2, 4, 5])
  if (rank == 1) call initm_(5, MPI_COMM_WORLD, [MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_WORLD], [1, 3, 4])
  rout = Router(rank + 2, 3 - rank, 1 - rank)
  av%reals = 'u'
  av%values = [1.0d0, 2.0d0]
  do step = 1, 3
     if (rank == 0) call send_(av, rout)
     if (rank == 1) call recv_(av, rout)
  end do
  moved%reals = 'v:w'
  moved%values = av%values + 2 * rank
  if (rank == 0) call peers(across%SendRouter, 1)
  if (rank == 1) call peers(across%RecvRouter, 0)
  call peers(inside%SendRouter, rank)
  call peers(inside%RecvRouter, rank)
  do step = 1, 2
     call rearrange_(moved, moved, across)
  end do
  call rearrange_(moved, moved, inside)
  ! The same variable, made anew: now it leads across.
  if (rank == 0) inside%SendRouter%pe_list = 1
  if (rank == 1) inside%RecvRouter%pe_list = 0
  if (rank == 0) inside%RecvRouter%nprocs = 0
  if (rank == 1) inside%SendRouter%nprocs = 0
  call rearrange_(moved, moved, inside)
  ! Each process makes its routers anew in each step: two from atmosphere to ocean, and between them one from all
  ! atmospheres.
  av%reals = 'q'
  do step = 1, 2
     if (rank == 0) call new_router(3, 2, grids(1))
     if (rank == 0) call new_router(3, 5, grids(2))
     if (rank == 0) call new_router(3, 2, grids(3))
     if (rank == 1) call new_router(2, 3, grids(1))
     if (rank == 1) call new_router(5, 3, grids(2))
     if (rank == 1) call new_router(2, 3, grids(3))
     do grid = 1, 3
        if (rank == 0) call send_(av, grids(grid))
        if (rank == 1) call recv_(av, grids(grid))
     end do
  end do
  av%values = av%values + moved%values
  if (rank == 1) write(*, '(a,2z18.16)') 'result ', av%values
  call MPI_Finalize(error)
contains
  subroutine new_router(other, mine, rout)
    integer, intent(in) :: other, mine
    type(Router), intent(inout) :: rout
    call make_router(other, mine, MPI_COMM_SELF, rout)
    rout%peer = 1 - rank
  end subroutine new_router
  subroutine peers(rout, other)
    type(Router), intent(inout) :: rout
    integer, intent(in) :: other
    rout%nprocs = 1
    allocate(rout%pe_list(1))
    rout%pe_list = other
  end subroutine peers
end program driver_model
