! A coupled model in Fortran whose processes move between ocean and atmosphere while it runs, as the run-time manager
! says. The manager learns the times from the PUTs and GETs that are recorded: the model calls no stopwatch at its
! exchanges. Work is sleep, so two cores are enough. The columns "waits" are the waiting of both in the cycle measured.
!   CPL_LB_ENABLED=1 mpirun -np 8 build/malleable_fortran
module two_components
   use, intrinsic :: iso_c_binding, only: c_int
   use mpi
   use cpl_lb
   implicit none
   integer, parameter :: dp = kind(1.0d0)
   integer, parameter :: ocean = 1, atmosphere = 2, steps = 4
   character(len=10), parameter :: names(2) = ['ocean     ', 'atmosphere']
   ! Seconds of a coupling step with one process, shared by the processes, and those that each needs in any case.
   real(dp), parameter :: shared_s(2) = [0.12_dp, 0.36_dp], own_s(2) = [0.01_dp, 0.01_dp]

   interface
      integer(c_int) function c_usleep(microseconds) bind(c, name='usleep')
         import :: c_int
         integer(c_int), value :: microseconds
      end function c_usleep
   end interface

contains

   subroutine nap(seconds)
      real(dp), intent(in) :: seconds
      integer(c_int) :: ignored
      ignored = c_usleep(nint(1.0e6_dp*seconds, c_int))
   end subroutine nap

   ! Waits asleep: more processes than cores are no problem.
   subroutine wait_asleep(request)
      integer, intent(inout) :: request
      integer :: ierr
      logical :: done
      do
         call MPI_Test(request, done, MPI_STATUS_IGNORE, ierr)
         if (done) return
         call nap(1.0e-4_dp)
      end do
   end subroutine wait_asleep

   ! The first `counts(ocean)` processes are the ocean's, the others the atmosphere's; the first of each is its head.
   integer function component_of(rank, counts)
      integer, intent(in) :: rank, counts(2)
      component_of = merge(ocean, atmosphere, rank < counts(ocean))
   end function component_of

   ! A coupling cycle: the heads exchange at the begin of each step, and tell the others of their component.
   subroutine run_cycle(me, counts, members, put, get)
      integer, intent(in) :: me, counts(2), members, put(2), get(2)
      integer :: step, rank, there, request, ierr
      real(dp), asynchronous :: received(1)
      real(dp) :: sent(1)
      call MPI_Comm_rank(members, rank, ierr)
      there = merge(counts(ocean), 0, me == ocean)   ! the other's head
      sent = real(me, dp)
      do step = 1, steps
         if (rank == 0) then
            call cpl_lb_begin(CPL_LB_PUT, put(me))
            call MPI_Bsend(sent, 1, MPI_DOUBLE_PRECISION, there, 0, MPI_COMM_WORLD, ierr)
            call cpl_lb_end(CPL_LB_PUT, put(me))
            call cpl_lb_begin(CPL_LB_GET, get(me))
            call MPI_Irecv(received, 1, MPI_DOUBLE_PRECISION, there, 0, MPI_COMM_WORLD, request, ierr)
            call wait_asleep(request)
            call cpl_lb_end(CPL_LB_GET, get(me))
         end if
         call MPI_Ibcast(received, 1, MPI_DOUBLE_PRECISION, 0, members, request, ierr)
         call wait_asleep(request)
         call nap(shared_s(me)/counts(me) + own_s(me))
      end do
   end subroutine run_cycle

end module two_components

program malleable
   use two_components
   implicit none
   integer, parameter :: intervals = 5, most = 64
   integer :: ierr, rank, processes, me, members, member, manager, interval, i, request
   integer :: counts(2), next(2), put(2), get(2), buffer_bytes
   ! asynchronous: MPI writes into them after MPI_Irecv and MPI_Ibcast have returned, which a compiler may else not expect.
   real(dp), asynchronous :: all_parts(most, 2), answer(2)
   real(dp) :: parts(most), begin, cycle_s, predicted
   character, allocatable :: buffer(:)
   type(cpl_lb_balance) :: waiting(2)   ! the ocean has process 0, so it comes first
   logical :: at_rest, moves

   call MPI_Init(ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_size(MPI_COMM_WORLD, processes, ierr)
   if (processes < 2) stop 'malleable: at least 2 processes are needed'
   buffer_bytes = steps*2*(8 + MPI_BSEND_OVERHEAD)
   allocate (buffer(buffer_bytes))
   call MPI_Buffer_attach(buffer, buffer_bytes, ierr)
   call cpl_lb_init(MPI_COMM_WORLD, 'malleable')
   do i = 1, 2
      put(i) = cpl_lb_field(trim(names(i)), trim(names(3 - i)))   ! fields are called after who sends them
      get(i) = cpl_lb_field(trim(names(3 - i)), trim(names(3 - i)))
      call cpl_lb_watch_name(i, trim(names(i)))
   end do
   manager = cpl_lb_manager_new(2, processes, CPL_LB_DIRECT)
   counts = [processes - 1, 1]   ! a bad start
   members = MPI_COMM_NULL
   if (rank == 0) print '(a)', 'interval ocean atmosphere measured s predicted s  ocean waits  atmosphere waits'

   do interval = 1, intervals
      me = component_of(rank, counts)
      if (members /= MPI_COMM_NULL) call MPI_Comm_free(members, ierr)
      call MPI_Comm_split(MPI_COMM_WORLD, me, rank, members, ierr)
      call MPI_Comm_rank(members, member, ierr)
      call cpl_lb_component_begin(trim(names(me)))
      call run_cycle(me, counts, members, put, get)   ! one cycle to settle
      call cpl_lb_watch_start(me)
      begin = MPI_Wtime()
      call run_cycle(me, counts, members, put, get)   ! one to measure
      cycle_s = MPI_Wtime() - begin
      parts = 0
      if (member == 0) parts(1) = cpl_lb_watch_stop(me, parts(2:))
      ! All processes ask while they are in their component; the heads have the steps.
      i = cpl_lb_balance_now(MPI_COMM_WORLD, steps, waiting)
      call cpl_lb_component_end()

      ! The parts of both heads come to process 0, which is the ocean's head.
      all_parts(:, ocean) = parts
      if (me == atmosphere .and. member == 0) call MPI_Send(parts, most, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, ierr)
      if (rank == 0) then
         call MPI_Irecv(all_parts(:, atmosphere), most, MPI_DOUBLE_PRECISION, counts(ocean), 1, MPI_COMM_WORLD, &
                        request, ierr)
         call wait_asleep(request)
         at_rest = cpl_lb_manager_state(manager, predicted)
         do i = 1, 2
            call cpl_lb_manager_times(manager, i, all_parts(2:1 + nint(all_parts(1, i)), i))
         end do
         next = counts
         moves = cpl_lb_manager_next(manager, cycle_s, next)
         answer = real(next, dp)
         print '(i8, i6, i11, f11.4, f12.4, f11.1, a, f16.1, 2a)', interval, counts, cycle_s, predicted, &
            100*waiting(1)%waiting_share, ' %', 100*waiting(2)%waiting_share, ' %', &
            trim(merge('  processes move', '  stay          ', moves))
      end if
      call MPI_Ibcast(answer, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, request, ierr)
      call wait_asleep(request)
      counts = nint(answer)
   end do

   call cpl_lb_manager_free(manager)
   call cpl_lb_terminate(real(2*intervals*steps*3600, dp))
   call MPI_Buffer_detach(buffer, buffer_bytes, ierr)
   call MPI_Comm_free(members, ierr)
   call MPI_Finalize(ierr)
end program malleable
