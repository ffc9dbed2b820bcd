! Two components by use mpi, and by use mpi_f08 where F08 is defined: the same as two_models.c, in short.
program two_models
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Request) :: reqs(1)
#else
  use mpi
  implicit none
  integer :: reqs(1)
#endif
  integer :: ierr, rank, size, other, i
  real(8) :: v, t0, waited
  character(16) :: what
  call get_command_argument(1, what)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  other = mod(rank + size/2, size)
  waited = 0
  do i = 1, 8
    if (what == 'ocean') then
      call sleep_s()
      call MPI_Send(dble(rank), 1, MPI_DOUBLE_PRECISION, other, 7, MPI_COMM_WORLD, ierr)
    else
      t0 = MPI_Wtime()
      if (mod(i,2) == 0) then
        call MPI_Recv(v, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      else
        call MPI_Irecv(v, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, reqs(1), ierr)
        call MPI_Waitall(1, reqs, MPI_STATUSES_IGNORE, ierr)
      end if
      if (i >= 2 .and. i < 8) waited = waited + MPI_Wtime() - t0
      if (nint(v) /= other) print *, 'wrong', v
    end if
  end do
  if (what /= 'ocean' .and. rank == size/2) print '(a,f9.6)', 'waited ', waited
  call MPI_Finalize(ierr)
contains
  subroutine sleep_s()
    real(8) :: t
    t = MPI_Wtime()
    do while (MPI_Wtime() - t < 0.1d0)
    end do
  end subroutine
end program two_models
