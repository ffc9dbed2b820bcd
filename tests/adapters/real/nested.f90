! Two nested grids between the same two components of MCT, that knows nothing of cpl_lb: the same fields over a router for
! each grid, three times over the first and twice over the second.
program nested
  use m_AttrVect, only: AttrVect, AttrVect_init => init
  use m_GlobalSegMap, only: GlobalSegMap, GlobalSegMap_init => init
  use m_MCTWorld, only: MCTWorld_init => init, MCTWorld_clean => clean
  use m_Router, only: Router, Router_init => init
  use m_Transfer, only: MCT_Send => send, MCT_Recv => recv
  implicit none
  include 'mpif.h'
  integer, parameter :: points(2) = [8, 20]
  type(GlobalSegMap) :: maps(2)
  type(Router) :: routers(2)
  type(AttrVect) :: fields(2)
  integer :: rank, error, grid, step, mine
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, mine, error)
  call MCTWorld_init(2, MPI_COMM_WORLD, mine, rank + 1)
  do grid = 1, 2
     call GlobalSegMap_init(maps(grid), [1], [points(grid)], 0, mine, rank + 1)
     call Router_init(2 - rank, maps(grid), mine, routers(grid))
     call AttrVect_init(fields(grid), rList='u:v', lsize=points(grid))
     fields(grid)%rAttr = rank + 1
  end do
  do step = 1, 5
     grid = 1 + mod(step + 1, 2)
     if (rank == 0) call MCT_Send(fields(grid), routers(grid))
     if (rank == 1) call MCT_Recv(fields(grid), routers(grid))
  end do
  if (rank == 1) write(*, '(a,z18.16)') 'result ', sum(fields(1)%rAttr) + 3 * sum(fields(2)%rAttr)
  call MCTWorld_clean()
  call MPI_Finalize(error)
end program nested
