! The interface of module cpl_lb with nothing behind it: a model that is built with this file in the place of
! cpl_lb.f90 needs neither the library nor changes in its sources.
module cpl_lb
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
   implicit none
   public
   integer, parameter :: CPL_LB_UNDF = 0, CPL_LB_PUT = 1, CPL_LB_GET = 2, CPL_LB_MAP = 3, CPL_LB_OUT = 4, &
                         CPL_LB_READ = 5, CPL_LB_RST = 6, CPL_LB_TRN = 7, CPL_LB_PART = 8, CPL_LB_ENDF = 9, &
                         CPL_LB_TERM = 10
   integer, parameter :: CPL_LB_DIRECT = 0, CPL_LB_STEPWISE = 1

   integer, parameter :: CPL_LB_STEPS = 1000, CPL_LB_NAME = 64
   type :: cpl_lb_balance
      character(len=CPL_LB_NAME) :: name = ' '
      integer :: processes = 0, measured = 0, steps = 0
      real(real64) :: seconds = 0, computing_s = 0, waiting_s = 0, coupling_s = 0, own_s = 0, waiting_share = -1
   end type cpl_lb_balance

   interface cpl_lb_watch_meet
      module procedure watch_meet_one, watch_meet_some
   end interface cpl_lb_watch_meet
   interface cpl_lb_manager_gain
      module procedure manager_gain_r4, manager_gain_r8
   end interface cpl_lb_manager_gain
   interface cpl_lb_date
      module procedure date_i4, date_i8
   end interface cpl_lb_date
   interface cpl_lb_terminate
      module procedure nothing_r4, nothing_r8
   end interface cpl_lb_terminate
   interface cpl_lb_set_length
      module procedure nothing_r4, nothing_r8
   end interface cpl_lb_set_length
   interface cpl_lb_set_complexity
      module procedure nothing_r4, nothing_r8
   end interface cpl_lb_set_complexity
   interface cpl_lb_set_state_bytes
      module procedure nothing_r4, nothing_r8
   end interface cpl_lb_set_state_bytes
   interface cpl_lb_add_output_bytes
      module procedure nothing_r4, nothing_r8
   end interface cpl_lb_add_output_bytes
   interface cpl_lb_set_cell_size
      module procedure cell_size_r4, cell_size_r8
   end interface cpl_lb_set_cell_size
   interface cpl_lb_assert_parameter
      module procedure parameter_r4, parameter_r8, parameter_i4, parameter_i8
   end interface cpl_lb_assert_parameter
   interface cpl_lb_set_grid
      module procedure grid_i4, grid_i8
   end interface cpl_lb_set_grid
   interface cpl_lb_set_domain
      module procedure domain_i4, domain_i8
   end interface cpl_lb_set_domain
   interface cpl_lb_set_domain_pieces
      module procedure pieces_i4, pieces_i8
   end interface cpl_lb_set_domain_pieces
   interface cpl_lb_set_domain_left_out
      module procedure cpl_lb_set_io_server, left_out_i8
   end interface cpl_lb_set_domain_left_out
   interface cpl_lb_set_domain_points
      module procedure points_r4, points_r8, points_2d_r4, points_2d_r8
   end interface cpl_lb_set_domain_points

contains

   subroutine cpl_lb_init(comm, component, ierror)
      integer, intent(in) :: comm
      character(len=*), intent(in) :: component
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_init

   integer function cpl_lb_field(name, counterpart, ierror)
      character(len=*), intent(in) :: name, counterpart
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
      cpl_lb_field = 1
   end function cpl_lb_field

   subroutine cpl_lb_field_set(field, name, counterpart, ierror)
      integer, intent(in) :: field
      character(len=*), intent(in) :: name, counterpart
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_field_set

   subroutine cpl_lb_begin(kind, field)
      integer, intent(in) :: kind, field
   end subroutine cpl_lb_begin

   subroutine cpl_lb_end(kind, field)
      integer, intent(in) :: kind, field
   end subroutine cpl_lb_end

   subroutine date_i4(seconds)
      integer(int32), intent(in) :: seconds
   end subroutine date_i4

   subroutine date_i8(seconds)
      integer(int64), intent(in) :: seconds
   end subroutine date_i8

   subroutine nothing_r4(value, ierror)
      real(real32), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine nothing_r4

   subroutine nothing_r8(value, ierror)
      real(real64), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine nothing_r8

   subroutine cell_size_r4(dx_km, dz_km, ierror)
      real(real32), intent(in) :: dx_km, dz_km
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cell_size_r4

   subroutine cell_size_r8(dx_km, dz_km, ierror)
      real(real64), intent(in) :: dx_km, dz_km
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cell_size_r8

   subroutine grid_i4(horizontal_points, levels, ierror)
      integer(int32), intent(in) :: horizontal_points
      integer, intent(in) :: levels
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine grid_i4

   subroutine grid_i8(horizontal_points, levels, ierror)
      integer(int64), intent(in) :: horizontal_points
      integer, intent(in) :: levels
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine grid_i8

   subroutine domain_i4(grid, first, count, ierror)
      integer(int32), intent(in) :: grid(2), first(2), count(2)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine domain_i4

   subroutine domain_i8(grid, first, count, ierror)
      integer(int64), intent(in) :: grid(2), first(2), count(2)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine domain_i8

   subroutine pieces_i4(grid, first, count, ierror)
      integer(int32), intent(in) :: grid(2), first(:, :), count(:, :)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine pieces_i4

   subroutine pieces_i8(grid, first, count, ierror)
      integer(int64), intent(in) :: grid(2), first(:, :), count(:, :)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine pieces_i8

   subroutine left_out_i8(points, ierror)
      integer(int64), intent(in) :: points
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine left_out_i8
   subroutine points_r4(longitudes, latitudes, ierror)
      real(real32), intent(in) :: longitudes(:), latitudes(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine points_r4

   subroutine points_r8(longitudes, latitudes, ierror)
      real(real64), intent(in) :: longitudes(:), latitudes(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine points_r8

   subroutine points_2d_r4(longitudes, latitudes, ierror)
      real(real32), intent(in) :: longitudes(:, :), latitudes(:, :)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine points_2d_r4

   subroutine points_2d_r8(longitudes, latitudes, ierror)
      real(real64), intent(in) :: longitudes(:, :), latitudes(:, :)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine points_2d_r8

   subroutine cpl_lb_component_begin(component, ierror)
      character(len=*), intent(in) :: component
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_component_begin

   subroutine cpl_lb_component_end(ierror)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_component_end

   integer function cpl_lb_region(name, ierror)
      character(len=*), intent(in) :: name
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
      cpl_lb_region = 1
   end function cpl_lb_region

   subroutine cpl_lb_region_begin(region)
      integer, intent(in) :: region
   end subroutine cpl_lb_region_begin

   subroutine cpl_lb_region_end(region)
      integer, intent(in) :: region
   end subroutine cpl_lb_region_end

   subroutine parameter_r4(name, value, ierror)
      character(len=*), intent(in) :: name
      real(real32), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine parameter_r4

   subroutine parameter_r8(name, value, ierror)
      character(len=*), intent(in) :: name
      real(real64), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine parameter_r8

   subroutine parameter_i4(name, value, ierror)
      character(len=*), intent(in) :: name
      integer(int32), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine parameter_i4

   subroutine parameter_i8(name, value, ierror)
      character(len=*), intent(in) :: name
      integer(int64), intent(in) :: value
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine parameter_i8

   subroutine cpl_lb_assert_expression(region, quantity, expression, ierror)
      integer, intent(in) :: region
      character(len=*), intent(in) :: quantity, expression
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_assert_expression

   subroutine cpl_lb_set_io_server(is_io_server, ierror)
      integer, intent(in) :: is_io_server
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_set_io_server

   integer function cpl_lb_balance_here(steps, computing_s, waiting_s, coupling_s, own_s, ierror)
      integer, intent(in) :: steps
      real(real64), intent(out), optional :: computing_s, waiting_s, coupling_s, own_s
      integer, intent(out), optional :: ierror
      if (present(computing_s)) computing_s = 0
      if (present(waiting_s)) waiting_s = 0
      if (present(coupling_s)) coupling_s = 0
      if (present(own_s)) own_s = 0
      if (present(ierror)) ierror = 0
      cpl_lb_balance_here = 0
   end function cpl_lb_balance_here

   integer function cpl_lb_balance_now(comm, steps, components, slow, ierror)
      integer, intent(in) :: comm, steps
      type(cpl_lb_balance), intent(out) :: components(:)
      integer, intent(out), optional :: slow, ierror
      if (present(slow)) slow = 0
      if (present(ierror)) ierror = 0
      cpl_lb_balance_now = 0
   end function cpl_lb_balance_now

   integer function cpl_lb_enabled()
      cpl_lb_enabled = 0
   end function cpl_lb_enabled

   function cpl_lb_version() result(version)
      character(len=:), allocatable :: version
      version = 'not linked'
   end function cpl_lb_version

   function cpl_lb_strerror(code) result(words)
      integer, intent(in) :: code
      character(len=:), allocatable :: words
      words = 'not linked'
   end function cpl_lb_strerror

   subroutine cpl_lb_watch_start(component, ierror)
      integer, intent(in) :: component
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_watch_start

   subroutine watch_meet_one(component, partner, ierror)
      integer, intent(in) :: component, partner
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine watch_meet_one

   subroutine watch_meet_some(component, partners, ierror)
      integer, intent(in) :: component, partners(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine watch_meet_some

   subroutine cpl_lb_watch_left(component, ierror)
      integer, intent(in) :: component
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_watch_left

   subroutine cpl_lb_watch_name(component, name, ierror)
      integer, intent(in) :: component
      character(len=*), intent(in) :: name
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_watch_name

   integer function cpl_lb_watch_stop(component, parts, ierror)
      integer, intent(in) :: component
      real(real64), intent(inout), contiguous :: parts(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
      cpl_lb_watch_stop = 0
   end function cpl_lb_watch_stop

   integer function cpl_lb_manager_new(components, processes, search, ierror)
      integer, intent(in) :: components, processes, search
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
      cpl_lb_manager_new = 1
   end function cpl_lb_manager_new

   subroutine cpl_lb_manager_allow(manager, component, least, most, block, ierror)
      integer, intent(in) :: manager, component, least, most, block
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_manager_allow

   subroutine manager_gain_r4(manager, least_gain, ierror)
      integer, intent(in) :: manager
      real(real32), intent(in) :: least_gain
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine manager_gain_r4

   subroutine manager_gain_r8(manager, least_gain, ierror)
      integer, intent(in) :: manager
      real(real64), intent(in) :: least_gain
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine manager_gain_r8

   subroutine cpl_lb_manager_times(manager, component, parts, ierror)
      integer, intent(in) :: manager, component
      real(real64), intent(in) :: parts(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_manager_times

   logical function cpl_lb_manager_next(manager, cycle_s, counts, ierror)
      integer, intent(in) :: manager
      real(real64), intent(in) :: cycle_s
      integer, intent(inout), contiguous :: counts(:)
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
      cpl_lb_manager_next = .false.
   end function cpl_lb_manager_next

   logical function cpl_lb_manager_state(manager, predicted_s, reallocations, undone, woken, ierror)
      use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
      integer, intent(in) :: manager
      real(real64), intent(out), optional :: predicted_s
      integer, intent(out), optional :: reallocations, undone, woken, ierror
      if (present(predicted_s)) predicted_s = ieee_value(predicted_s, ieee_quiet_nan)
      if (present(reallocations)) reallocations = 0
      if (present(undone)) undone = 0
      if (present(woken)) woken = 0
      if (present(ierror)) ierror = 0
      cpl_lb_manager_state = .true.
   end function cpl_lb_manager_state

   subroutine cpl_lb_manager_free(manager, ierror)
      integer, intent(in) :: manager
      integer, intent(out), optional :: ierror
      if (present(ierror)) ierror = 0
   end subroutine cpl_lb_manager_free

end module cpl_lb
