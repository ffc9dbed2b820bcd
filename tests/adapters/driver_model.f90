! A model of the pattern of CESM's and E3SM's drivers on the double of MCT, that knows nothing of cpl_lb: each process has
! several components. 1: everybody; 2: atmosphere, rank 0; 3: ocean, rank 1; 4: the coupler with both, equal to 1;
! 5: all atmospheres, equal to 2. It ends without MCT's clean.
program driver_model
  use m_AttrVect
  use m_MCTWorld
  use m_Router
  use m_Transfer
  use mpi
  implicit none
  integer :: rank, error, step
  type(Router) :: rout
  type(AttrVect) :: av
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
  if (rank == 1) write(*, '(a,2z18.16)') 'result ', av%values
  call MPI_Finalize(error)
end program driver_model
