! A model on the double of MCT that knows nothing of cpl_lb: rank 0 is component 1 and sends, rank 1 is component 2 and
! receives: three blocking transfers of fields u and v, then two non-blocking ones with tag 7.
program mct_model
  use m_AttrVect
  use m_MatAttrVectMul
  use m_MCTWorld
  use m_Router, only: Router
  use m_Transfer
  use mpi
  implicit none
  integer :: rank, error, step
  type(Router) :: rout
  type(AttrVect) :: av, mapped
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call initd_(2, MPI_COMM_WORLD, MPI_COMM_SELF, rank + 1)
  rout = Router(rank + 1, 2 - rank, 1 - rank)
  av%reals = 'u:v'
  av%values = [1.0d0, 2.0d0]
  mapped = av
  do step = 1, 5
     if (rank == 0 .and. step <= 3) call send_(av, rout)
     if (rank == 1 .and. step <= 3) call recv_(av, rout)
     if (rank == 0 .and. step > 3) call isend_(av, rout, 7)
     if (rank == 0 .and. step > 3) call waitsend_(rout)
     if (rank == 1 .and. step > 3) call irecv_(av, rout, 7)
     if (rank == 1 .and. step > 3) call waitrecv_(av, rout)
     if (rank == 1) call smatavmult_smplus_(av, 2.0d0, mapped)
  end do
  if (rank == 1) write(*, '(a,2z18.16)') 'result ', mapped%values
  call clean_()
  call MPI_Finalize(error)
end program mct_model
