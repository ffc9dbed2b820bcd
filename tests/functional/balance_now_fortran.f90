! cpl_lb_balance_here and cpl_lb_balance_now in Fortran, against sleeps of known length: the ocean computes 2 ms and the
! atmosphere 40 ms in each step, and half way they change places.
program balance_now_fortran
   use, intrinsic :: iso_c_binding, only: c_int
   use, intrinsic :: iso_fortran_env, only: real64, error_unit
   use mpi, only: MPI_COMM_WORLD, MPI_COMM_SELF, MPI_INTEGER, MPI_STATUS_SIZE, MPI_Wtime
   use cpl_lb
   implicit none
   integer, parameter :: half_way = 10, all_steps = 20, some = 5
   interface
      integer(c_int) function c_usleep(microseconds) bind(c, name='usleep')
         import :: c_int
         integer(c_int), value :: microseconds
      end function c_usleep
   end interface
   type(cpl_lb_balance) :: found(3), one(1)
   integer :: rank, ranks, error, step, put, get, n, slow, failures, ignored, ierror
   real(real64) :: computing, waiting, coupling, own, before(all_steps), after(all_steps)   ! the begin of each step
   logical :: ocean

   failures = 0
   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   ocean = rank < ranks/2
   n = cpl_lb_balance_now(MPI_COMM_WORLD, some, found, slow, ierror)
   call expect(n == CPL_LB_EORDER .and. ierror == CPL_LB_EORDER .and. slow == 0, 'too early')
   call cpl_lb_init(MPI_COMM_WORLD, merge('ocean     ', 'atmosphere', ocean))
   put = cpl_lb_field(merge('SST ', 'heat', ocean), merge('atmosphere', 'ocean     ', ocean))
   get = cpl_lb_field(merge('heat', 'SST ', ocean), merge('atmosphere', 'ocean     ', ocean))
   do step = 1, all_steps
      call exchange()
      ignored = c_usleep(merge(2000, 40000, ocean .eqv. step <= half_way))
      if (step == half_way) call look(2)
   end do
   call look(1)
   n = cpl_lb_balance_here(CPL_LB_STEPS)
   call expect(n == all_steps - 1, 'since the start')
   n = cpl_lb_balance_now(MPI_COMM_SELF, some, one, ierror=ierror)
   call expect(n == 1 .and. ierror == 0 .and. one(1)%processes == 1, 'a communicator of one')
   call expect(one(1)%name == merge('ocean     ', 'atmosphere', ocean), 'name of one')
   n = cpl_lb_balance_now(MPI_COMM_WORLD, some, one)
   call expect(n == 2 .and. one(1)%name == 'ocean', 'room for one')
   call cpl_lb_terminate(3600.0_real64, ierror)
   call expect(ierror == 0, 'terminate')
   if (failures > 0) error stop 1
   call MPI_Finalize(error)

contains

   subroutine exchange()
      integer :: token, partner, status(MPI_STATUS_SIZE)
      partner = merge(rank + ranks/2, rank - ranks/2, ocean)
      token = step
      before(step) = MPI_Wtime()
      call cpl_lb_begin(CPL_LB_PUT, put)
      after(step) = MPI_Wtime()
      call MPI_Send(token, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, error)
      call cpl_lb_end(CPL_LB_PUT, put)
      call cpl_lb_begin(CPL_LB_GET, get)
      call MPI_Recv(token, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, status, error)
      call cpl_lb_end(CPL_LB_GET, get)
   end subroutine exchange

   ! In the last steps: who is slow, and the sum of all is the time that has passed.
   subroutine look(expected)
      integer, intent(in) :: expected
      integer :: at
      n = cpl_lb_balance_here(some, computing, waiting, coupling, own, ierror)
      call expect(n == some .and. ierror == 0, 'steps')
      at = min(step, all_steps)
      call expect(computing + waiting + own > 0.9999_real64*(before(at) - after(at - some)), 'the sum, at least')
      call expect(computing + waiting + own < 1.0001_real64*(after(at) - before(at - some)), 'the sum, at most')
      call expect(computing >= some*merge(0.002_real64, 0.040_real64, ocean .eqv. expected == 2), 'own sleeps')
      call expect(coupling >= waiting, 'coupling')
      n = cpl_lb_balance_now(MPI_COMM_WORLD, some, found, slow, ierror)
      call expect(n == 2 .and. ierror == 0 .and. slow == expected, 'slow side')
      call expect(found(1)%name == 'ocean' .and. found(2)%name == 'atmosphere', 'names')
      call expect(found(3)%name == ' ' .and. found(3)%waiting_share < 0, 'no third one')
      call expect(all(found(1:2)%processes == ranks/2 .and. found(1:2)%steps == some), 'processes')
      call expect(all(abs(found(1:2)%waiting_s - found(1:2)%waiting_share*found(1:2)%seconds) < 1e-9_real64), 'share')
      call expect(found(3 - expected)%waiting_share > found(expected)%waiting_share + 0.05_real64, 'shares')
   end subroutine look

   subroutine expect(true, what)
      logical, intent(in) :: true
      character(len=*), intent(in) :: what
      if (true) return
      failures = failures + 1
      write (error_unit, '(2a)') 'balance_now_fortran: wrong: ', what
   end subroutine expect

end program balance_now_fortran
