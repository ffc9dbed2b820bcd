! Calls every routine of module cpl_lb in every variant of its arguments. Run with the library switched on, every
! code must be 0 and every id positive; compiled with no_cpl_lb.f90 of the coupled example, it shows that the two
! modules have one interface.
program names_fortran
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
   use mpi, only: MPI_COMM_WORLD
   use cpl_lb
   implicit none
   character(len=40) :: padded = 'ocean'
   character(len=:), allocatable :: words
   integer :: ierror, id, late, region, error, failures, on

   failures = 0
   call MPI_Init(error)
   call cpl_lb_init(MPI_COMM_WORLD, padded, ierror)
   call expect(ierror == 0, 'init')
   on = cpl_lb_enabled()
   call fields()
   call events()
   call balance()
   call properties()
   call texts()
   call manager()
   call cpl_lb_terminate(86400.0_real64, ierror)
   call expect(ierror == 0, 'terminate')
   call expect(cpl_lb_enabled() == 0, 'enabled after terminate')
   if (failures > 0) error stop 1
   call MPI_Finalize(error)

contains

   subroutine fields()
      integer :: twin
      id = cpl_lb_field('SST', 'atmosphere')
      call expect(id >= 1, 'field')
      twin = cpl_lb_field('SST   ', 'atmosphere ', ierror)
      call expect(twin == id .and. ierror == 0, 'field: trailing blanks')
      late = cpl_lb_field('', '', ierror)
      call expect(late >= 1 .and. ierror == 0, 'field without name')
      call cpl_lb_field_set(late, 'QNET', '')
      call cpl_lb_field_set(late, '', 'atmosphere', ierror)
      call expect(ierror == 0, 'field_set')
   end subroutine fields

   subroutine events()
      integer(int64) :: date
      integer :: kind
      date = 2_int64**33   ! does not fit into a default integer
      call cpl_lb_date(0)
      call cpl_lb_date(date)
      call cpl_lb_component_begin('ice')
      call cpl_lb_component_begin('snow', ierror)
      call cpl_lb_component_end(ierror)
      call cpl_lb_component_end()
      region = cpl_lb_region('dynamics')
      call expect(region >= 1, 'region')
      call expect(cpl_lb_region('dynamics ', ierror) == region .and. ierror == 0, 'region again')
      call cpl_lb_assert_parameter('nx', 100)
      call cpl_lb_assert_parameter('ny ', 2_int64**33, ierror)
      call expect(ierror == 0, 'assert_parameter, 8-byte integer')
      call cpl_lb_assert_parameter('dx', 0.5_real32, ierror)
      call expect(ierror == 0, 'assert_parameter, default real')
      call cpl_lb_assert_parameter('dy', 0.5_real64, ierror)
      call expect(ierror == 0, 'assert_parameter')
      call cpl_lb_assert_expression(region, 'flops ', '2*nx**2 / dx ', ierror)
      call expect(ierror == 0, 'assert_expression')
      call cpl_lb_assert_expression(region, 'nothing', 'nx', ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'assert_expression: no such quantity')
      call cpl_lb_region_begin(region)
      do kind = CPL_LB_UNDF, CPL_LB_ENDF
         call cpl_lb_begin(kind, id)
         call cpl_lb_end(kind, id)
      end do
      call cpl_lb_begin(CPL_LB_PUT, late)
      call cpl_lb_begin(CPL_LB_MAP, 0)
      call cpl_lb_end(CPL_LB_MAP, 0)
      call cpl_lb_end(CPL_LB_PUT, late)
      call cpl_lb_region_end(region)
   end subroutine events

   subroutine properties()
      call cpl_lb_set_length(86400.0_real64)
      call cpl_lb_set_length(86400.0_real32, ierror)
      call expect(ierror == 0, 'set_length')
      call cpl_lb_set_grid(1000, 10)
      call cpl_lb_set_grid(1000_int64, 10, ierror)
      call expect(ierror == 0, 'set_grid')
      call cpl_lb_set_cell_size(100.0_real64, 0.5_real64)
      call cpl_lb_set_cell_size(100.0_real32, 0.5_real32, ierror)
      call expect(ierror == 0, 'set_cell_size')
      call cpl_lb_set_complexity(5.0_real64)
      call cpl_lb_set_complexity(5.0_real32, ierror)
      call expect(ierror == 0, 'set_complexity')
      call cpl_lb_set_state_bytes(4.0e5_real64)
      call cpl_lb_set_state_bytes(4.0e5_real32, ierror)
      call expect(ierror == 0, 'set_state_bytes')
      call cpl_lb_add_output_bytes(1.0_real64)
      call cpl_lb_add_output_bytes(1.0_real32, ierror)
      call expect(ierror == 0, 'add_output_bytes')
      call cpl_lb_set_io_server(0)
      call cpl_lb_set_io_server(0, ierror)
      call expect(ierror == 0, 'set_io_server')
      call domains()
   end subroutine properties

   subroutine domains()
      real(real64) :: x(2, 3) = 10, y(2, 3) = 20
      integer :: first(2, 2) = reshape([1, 1, 1, 15], [2, 2]), count(2, 2) = reshape([10, 1, 10, 1], [2, 2])
      call cpl_lb_set_domain([10, 20], [1, 1], [10, 20])
      call cpl_lb_set_domain([10_int64, 20_int64], [1_int64, 1_int64], [10_int64, 20_int64], ierror)
      call expect(ierror == 0, 'set_domain')
      call cpl_lb_set_domain([10, 20], [1, 2], [10, 20], ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'set_domain: beyond the grid')
      call cpl_lb_set_domain_pieces([10, 20], first, count)
      call cpl_lb_set_domain_pieces(int([10, 20], int64), int(first, int64), int(count, int64), ierror)
      call expect(ierror == 0, 'set_domain_pieces: row 15 of 20, in 10 columns')
      call cpl_lb_set_domain_pieces([10, 20], first(:, 1:0), count(:, 1:0), ierror)
      call expect(ierror == 0, 'set_domain_pieces: none')
      call cpl_lb_set_domain_pieces([10, 20], first, count(:, 1:1), ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'set_domain_pieces: two shapes')
      call cpl_lb_set_domain_pieces([10, 20], transpose(reshape([1, 1, 1, 3, 1, 5], [2, 3])), &
                                    transpose(reshape([1, 1, 1, 1, 1, 1], [2, 3])), ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'set_domain_pieces: turned')
      call cpl_lb_set_domain_pieces([10, 20], first + 18, count, ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'set_domain_pieces: beyond the grid')
      call cpl_lb_set_domain_left_out(3)
      call cpl_lb_set_domain_left_out(0_int64, ierror)
      call expect(ierror == 0, 'set_domain_left_out')
      call cpl_lb_set_domain_left_out(-1, ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'set_domain_left_out: negative')
      call cpl_lb_set_domain_points(x(:, 1), y(:, 1))
      call cpl_lb_set_domain_points(x(1, :), y(1, :), ierror)
      call expect(ierror == 0, 'set_domain_points')
      call cpl_lb_set_domain_points(real(x(:, 1), real32), real(y(:, 1), real32), ierror)
      call expect(ierror == 0, 'set_domain_points, default real')
      call cpl_lb_set_domain_points(x, y, ierror)
      call expect(ierror == 0, 'set_domain_points, two directions')
      call cpl_lb_set_domain_points(real(x, real32), real(y, real32), ierror)
      call expect(ierror == 0, 'set_domain_points, two directions, default real')
      call cpl_lb_set_domain_points(x(:, 1), y(1, :), ierror)
      call expect(ierror == 0, 'set_domain_points: two shapes')
   end subroutine domains

   subroutine balance()
      type(cpl_lb_balance) :: found(3)
      real(real64) :: computing, waiting, coupling, own
      integer :: n, slow, processes
      n = cpl_lb_balance_here(10)
      n = cpl_lb_balance_here(CPL_LB_STEPS, computing, waiting, coupling, own, ierror)
      call expect(ierror == 0 .and. n == 0, 'balance_here: no step of the same exchange')
      call expect(all([computing, waiting, coupling] <= 0), 'balance_here: nothing known')
      n = cpl_lb_balance_here(0, ierror=ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'balance_here: steps')
      n = cpl_lb_balance_now(MPI_COMM_WORLD, 10, found)
      n = cpl_lb_balance_now(MPI_COMM_WORLD, 10, found(1:0), slow, ierror)
      call expect(ierror == 0 .and. n == on .and. slow == 0, 'balance_now')
      n = cpl_lb_balance_now(MPI_COMM_WORLD, 10, found, slow)
      call expect(found(1)%name == merge('ocean', '     ', on == 1), 'balance_now: name')
      call MPI_Comm_size(MPI_COMM_WORLD, processes, error)
      call expect(found(1)%processes == processes*on .and. found(1)%steps == 0, 'balance_now: processes, steps')
      call expect(all(found%waiting_share < 0) .and. all(found(2:)%name == ' '), 'balance_now: no more is known')
      n = cpl_lb_balance_now(MPI_COMM_WORLD, CPL_LB_STEPS + 1, found, slow, ierror)
      call expect(ierror == merge(-2, 0, on == 1), 'balance_now: steps')
   end subroutine balance

   subroutine texts()
      words = cpl_lb_version()
      call expect(len(words) > 0, 'version')
      words = cpl_lb_strerror(-2)
      call expect(len(words) > 0, 'strerror')
      if (on == 1) call expect(words /= cpl_lb_strerror(0), 'strerror tells codes apart')
   end subroutine texts

   ! Two components that meet at the end of a cycle of 100/6 and 50/6 s, with 6 processes each: 8 and 4 take 12.5 s.
   subroutine manager()
      integer :: id_direct, id_stepwise, n, counts(2), reallocations, undone, woken
      real(real64) :: parts(10), predicted
      logical :: moved, at_rest
      call cpl_lb_watch_name(2, 'atmosphere', ierror)
      call expect(ierror == 0, 'watch_name')
      call cpl_lb_watch_start(1, ierror)
      call expect(ierror == 0, 'watch_start')
      call cpl_lb_watch_meet(1, 2)
      call cpl_lb_watch_left(1)
      call cpl_lb_watch_meet(1, [2, 3], ierror)
      call expect(ierror == 0, 'watch_meet')
      call cpl_lb_watch_left(1, ierror)
      call expect(ierror == 0, 'watch_left')
      n = cpl_lb_watch_stop(1, parts, ierror)
      call expect(ierror == 0, 'watch_stop')
      id_stepwise = cpl_lb_manager_new(2, 12, CPL_LB_STEPWISE)
      call cpl_lb_manager_free(id_stepwise)
      id_direct = cpl_lb_manager_new(2, 12, CPL_LB_DIRECT, ierror)
      call expect(id_direct >= 1 .and. ierror == 0, 'manager_new')
      call cpl_lb_manager_allow(id_direct, 1, 2, 12, 2)
      call cpl_lb_manager_allow(id_direct, 2, 1, 12, 1, ierror)
      call expect(ierror == 0, 'manager_allow')
      call cpl_lb_manager_gain(id_direct, 0.01_real64)
      call cpl_lb_manager_gain(id_direct, 0.0_real32, ierror)
      call expect(ierror == 0, 'manager_gain')
      call cpl_lb_manager_times(id_direct, 1, [100/6.0_real64, 1.0_real64, 2.0_real64, 0.0_real64])
      call cpl_lb_manager_times(id_direct, 2, [50/6.0_real64, 1.0_real64, 1.0_real64, 0.0_real64], ierror)
      call expect(ierror == 0, 'manager_times')
      counts = 6
      moved = cpl_lb_manager_next(id_direct, 100/6.0_real64, counts, ierror)
      call expect(ierror == 0, 'manager_next')
      at_rest = cpl_lb_manager_state(id_direct)
      at_rest = cpl_lb_manager_state(id_direct, predicted, reallocations, undone, woken, ierror)
      call expect(ierror == 0 .and. undone == 0 .and. woken == 0, 'manager_state')
      words = cpl_lb_version()
      if (words /= 'not linked') then
         call expect(n == 8, 'values of two meetings')   ! 3 + 4 + 1
         call expect(all(nint(parts([2, 3, 5, 6, 7])) == [1, 2, 2, 2, 3]), 'partners')
         call expect(moved .and. all(counts == [8, 4]), 'counts')
         call expect(abs(predicted - 12.5_real64) < 1.0e-9_real64 .and. reallocations == 1, 'predicted')
      end if
      call cpl_lb_manager_free(id_direct, ierror)
      call expect(ierror == 0, 'manager_free')
   end subroutine manager

   subroutine expect(true, what)
      logical, intent(in) :: true
      character(len=*), intent(in) :: what
      if (true) return
      failures = failures + 1
      write (error_unit, '(2a)') 'names_fortran: wrong: ', what
   end subroutine expect

end program names_fortran
