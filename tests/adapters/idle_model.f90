! A model that has a coupler and never starts it.
program idle_model
  use m_MCTWorld
  use mpi
  implicit none
  integer :: error, rank
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank < 0) call initd_(1, MPI_COMM_WORLD, MPI_COMM_SELF, 1)
  call MPI_Finalize(error)
end program idle_model
