! The sea of the model in yac_model.c, with steps of 3600 s. This module stands in for YAC's module yac, with the
! procedures that are used here; it calls C in the same places as YAC's does.
module yac_of_double
  use, intrinsic :: iso_c_binding
  implicit none
  interface
     subroutine yac_cinit() bind(C)
     end subroutine yac_cinit
     subroutine yac_cinit_comm_f2c(comm) bind(C)
       import :: c_int
       integer(c_int), value :: comm
     end subroutine yac_cinit_comm_f2c
     subroutine yac_cdef_comp(name, id) bind(C)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*)
       integer(c_int), intent(out) :: id
     end subroutine yac_cdef_comp
     subroutine yac_cdef_field(name, component, points, sets, length, step, unit, id) bind(C)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*), step(*)
       integer(c_int), value :: component, sets, length, unit
       integer(c_int), intent(in) :: points(*)
       integer(c_int), intent(out) :: id
     end subroutine yac_cdef_field
     subroutine yac_cenddef() bind(C)
     end subroutine yac_cenddef
     subroutine yac_cput_(id, n, v, info, error) bind(C, name='yac_cput_')
       import :: c_int, c_double
       integer(c_int), value :: id, n
       real(c_double), intent(in) :: v(*)
       integer(c_int), intent(out) :: info, error
     end subroutine yac_cput_
     subroutine yac_cget_(id, n, v, info, error) bind(C, name='yac_cget_')
       import :: c_int, c_double
       integer(c_int), value :: id, n
       real(c_double), intent(inout) :: v(*)
       integer(c_int), intent(out) :: info, error
     end subroutine yac_cget_
     subroutine yac_cexchange_(from, to, n, sent, got, sent_info, got_info, error) bind(C, name='yac_cexchange_')
       import :: c_int, c_double
       integer(c_int), value :: from, to, n
       real(c_double), intent(in) :: sent(*)
       real(c_double), intent(inout) :: got(*)
       integer(c_int), intent(out) :: sent_info, got_info, error
     end subroutine yac_cexchange_
     subroutine yac_cfinalize() bind(C)
     end subroutine yac_cfinalize
  end interface
end module yac_of_double

program sea
  use yac_of_double
  use mpi
  implicit none
  integer(c_int) :: component, tau, sst, info, info2, error
  character(kind=c_char, len=4), target, save :: names(3) = [character(kind=c_char, len=4) :: &
       'sea'//c_null_char, 'tau'//c_null_char, 'sst'//c_null_char]
  character(len=8) :: how
  real(c_double) :: got(1), sent(1), total
  integer :: n, all, ierror

  call get_command_argument(2, how)
  if (how == 'comm') then
     call MPI_Init(ierror)
     call MPI_Comm_dup(MPI_COMM_WORLD, all, ierror)
     call yac_cinit_comm_f2c(int(all, c_int))
     call MPI_Comm_free(all, ierror)
  else
     call yac_cinit()
  end if
  call yac_cdef_comp(names(1), component)
  call yac_cdef_field(names(2), component, [1_c_int], 1_c_int, 1_c_int, '3600'//c_null_char, 1_c_int, tau)
  call yac_cdef_field(names(3), component, [1_c_int], 1_c_int, 1_c_int, '3600'//c_null_char, 1_c_int, sst)
  call yac_cenddef()
  total = 0
  do n = 0, 4
     got = 0
     sent = 0.25d0 * n + total
     if (n < 2) then
        call yac_cget_(tau, 1_c_int, got, info, error)
        call yac_cput_(sst, 1_c_int, sent, info, error)
     else
        call yac_cexchange_(sst, tau, 1_c_int, sent, got, info, info2, error)
     end if
     total = 3 * total + got(1)
  end do
  write (*, '(a, es25.17)') 'result sea', total
  flush (6)
  call yac_cfinalize()
  if (how == 'comm') call MPI_Finalize(ierror)
end program sea
