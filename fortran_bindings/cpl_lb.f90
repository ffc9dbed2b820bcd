! cpl_lb - load balance and CPMIP metrics of coupled models, measured from within: the Fortran face.
!
! The same calls, in the same order, as include/cpl_lb/cpl_lb.h, which explains each of them:
!
!   call cpl_lb_init(comm, 'ocean')                      ! comm: integer; with mpi_f08: comm%MPI_VAL
!   id = cpl_lb_field('SST', 'atmosphere')
!   do ...
!      call cpl_lb_date(seconds)                         ! optional
!      call cpl_lb_begin(CPL_LB_GET, id)
!      ...                                               ! the coupler's receive
!      call cpl_lb_end(CPL_LB_GET, id)
!   end do
!   call cpl_lb_terminate(simulated_seconds)
!
! What is an int function in C is a subroutine with an optional last `ierror` here (0 good, else negative:
! CPL_LB_E...), but for those that return an id. Trailing blanks of names are dropped. Seconds, bytes and the like
! are real(8) or default real; dates and numbers of points are default or 8-byte integers.
!
! One self-contained Fortran 2008 source, to be compiled with the model's own compiler: it needs no preprocessor, no
! other module and no option. Kinds are named, so -fdefault-real-8 (-r8) changes nothing. With -fdefault-integer-8
! (-i8) it compiles, and a call with integers of 8 bytes, other than dates and numbers of points, is a compile-time
! error: such a model declares its ids, communicators and error codes integer(c_int).
module cpl_lb
   use, intrinsic :: iso_c_binding, only: c_int, c_long_long, c_double, c_char, c_ptr, c_size_t, c_null_char, &
                                          c_f_pointer
   use, intrinsic :: iso_fortran_env, only: real32
   implicit none
   private

   ! Kinds of coupling events.
   integer(c_int), parameter, public :: CPL_LB_UNDF = 0, CPL_LB_PUT = 1, CPL_LB_GET = 2, CPL_LB_MAP = 3, &
      CPL_LB_OUT = 4, CPL_LB_READ = 5, CPL_LB_RST = 6, CPL_LB_TRN = 7, CPL_LB_PART = 8, CPL_LB_ENDF = 9, &
      CPL_LB_TERM = 10

   ! Error codes.
   integer(c_int), parameter, public :: CPL_LB_OK = 0, CPL_LB_EORDER = -1, CPL_LB_EARGUMENT = -2, &
      CPL_LB_ENAMELIST = -3, CPL_LB_EMPI = -4, CPL_LB_ETIMEOUT = -5, CPL_LB_EIO = -6, CPL_LB_ENOMEM = -7, &
      CPL_LB_ETHREAD = -8, CPL_LB_EDROPPED = -9, CPL_LB_EDATA = -10, CPL_LB_EINTERNAL = -11

   public :: cpl_lb_init, cpl_lb_field, cpl_lb_field_set, cpl_lb_begin, cpl_lb_end, cpl_lb_date, cpl_lb_terminate
   public :: cpl_lb_component_begin, cpl_lb_component_end, cpl_lb_set_length
   public :: cpl_lb_region, cpl_lb_region_begin, cpl_lb_region_end
   public :: cpl_lb_assert_parameter, cpl_lb_assert_expression
   public :: cpl_lb_set_grid, cpl_lb_set_cell_size, cpl_lb_set_complexity, cpl_lb_set_state_bytes
   public :: cpl_lb_add_output_bytes, cpl_lb_set_io_server
   public :: cpl_lb_set_domain, cpl_lb_set_domain_pieces, cpl_lb_set_domain_points, cpl_lb_set_domain_left_out
   public :: cpl_lb_balance_here, cpl_lb_balance_now
   public :: cpl_lb_enabled, cpl_lb_version, cpl_lb_strerror

   ! Waiting while the model runs: the most steps, and the length of a component's name with a null in C.
   integer(c_int), parameter, public :: CPL_LB_STEPS = 1000, CPL_LB_NAME = 64
   ! A component: means over its processes that have a step, in seconds. waiting_share is -1 if it is not known.
   type, public :: cpl_lb_balance
      character(len=CPL_LB_NAME) :: name = ' '
      integer(c_int) :: processes = 0, measured = 0, steps = 0
      real(c_double) :: seconds = 0, computing_s = 0, waiting_s = 0, coupling_s = 0, own_s = 0, waiting_share = -1
   end type cpl_lb_balance
   type, bind(c) :: c_balance
      character(kind=c_char) :: name(CPL_LB_NAME)
      integer(c_int) :: processes, measured, steps
      real(c_double) :: seconds, computing_s, waiting_s, coupling_s, own_s, waiting_share
   end type c_balance

   ! The run-time manager of malleable models: include/cpl_lb/cpl_lb_manager.h explains it.
   integer(c_int), parameter, public :: CPL_LB_DIRECT = 0, CPL_LB_STEPWISE = 1
   public :: cpl_lb_watch_start, cpl_lb_watch_meet, cpl_lb_watch_left, cpl_lb_watch_stop, cpl_lb_watch_name
   public :: cpl_lb_manager_new, cpl_lb_manager_allow, cpl_lb_manager_gain, cpl_lb_manager_times
   public :: cpl_lb_manager_next, cpl_lb_manager_state, cpl_lb_manager_free

   ! Straight to C: the hot path, and what needs no conversion.
   interface
      subroutine cpl_lb_begin(kind, field) bind(c, name='cpl_lb_begin')
         import :: c_int
         integer(c_int), value :: kind, field
      end subroutine cpl_lb_begin
      subroutine cpl_lb_end(kind, field) bind(c, name='cpl_lb_end')
         import :: c_int
         integer(c_int), value :: kind, field
      end subroutine cpl_lb_end
      subroutine cpl_lb_region_begin(region) bind(c, name='cpl_lb_region_begin')
         import :: c_int
         integer(c_int), value :: region
      end subroutine cpl_lb_region_begin
      subroutine cpl_lb_region_end(region) bind(c, name='cpl_lb_region_end')
         import :: c_int
         integer(c_int), value :: region
      end subroutine cpl_lb_region_end
      integer(c_int) function cpl_lb_enabled() bind(c, name='cpl_lb_enabled')
         import :: c_int
      end function cpl_lb_enabled
   end interface

   interface cpl_lb_date
      subroutine date_i8(seconds) bind(c, name='cpl_lb_date')
         import :: c_long_long
         integer(c_long_long), value :: seconds
      end subroutine date_i8
      module procedure date_i4
   end interface cpl_lb_date

   interface cpl_lb_terminate
      module procedure terminate_r8, terminate_r4
   end interface cpl_lb_terminate
   interface cpl_lb_set_length
      module procedure set_length_r8, set_length_r4
   end interface cpl_lb_set_length
   interface cpl_lb_assert_parameter
      module procedure assert_parameter_r8, assert_parameter_r4, assert_parameter_i8, assert_parameter_i4
   end interface cpl_lb_assert_parameter
   interface cpl_lb_set_grid
      module procedure set_grid_i8, set_grid_i4
   end interface cpl_lb_set_grid
   interface cpl_lb_set_cell_size
      module procedure set_cell_size_r8, set_cell_size_r4
   end interface cpl_lb_set_cell_size
   interface cpl_lb_set_complexity
      module procedure set_complexity_r8, set_complexity_r4
   end interface cpl_lb_set_complexity
   interface cpl_lb_set_state_bytes
      module procedure set_state_bytes_r8, set_state_bytes_r4
   end interface cpl_lb_set_state_bytes
   interface cpl_lb_add_output_bytes
      module procedure add_output_bytes_r8, add_output_bytes_r4
   end interface cpl_lb_add_output_bytes
   interface cpl_lb_set_domain
      module procedure set_domain_i8, set_domain_i4
   end interface cpl_lb_set_domain
   interface cpl_lb_set_domain_pieces
      module procedure set_pieces_i8, set_pieces_i4
   end interface cpl_lb_set_domain_pieces
   interface cpl_lb_set_domain_left_out
      module procedure set_left_out_i8, set_left_out_i4
   end interface cpl_lb_set_domain_left_out
   interface cpl_lb_set_domain_points
      module procedure set_points_r8, set_points_r4, set_points_2d_r8, set_points_2d_r4
   end interface cpl_lb_set_domain_points

   interface cpl_lb_watch_meet
      module procedure watch_meet_one, watch_meet_some
   end interface cpl_lb_watch_meet
   interface cpl_lb_manager_gain
      module procedure manager_gain_r8, manager_gain_r4
   end interface cpl_lb_manager_gain

   interface
      integer(c_int) function c_watch_start(component) bind(c, name='cpl_lb_watch_start')
         import :: c_int
         integer(c_int), value :: component
      end function c_watch_start
      integer(c_int) function c_watch_meet(component, n_partners, partners) bind(c, name='cpl_lb_watch_meet')
         import :: c_int
         integer(c_int), value :: component, n_partners
         integer(c_int), intent(in) :: partners(*)
      end function c_watch_meet
      integer(c_int) function c_watch_left(component) bind(c, name='cpl_lb_watch_left')
         import :: c_int
         integer(c_int), value :: component
      end function c_watch_left
      integer(c_int) function c_watch_name(component, name) bind(c, name='cpl_lb_watch_name')
         import :: c_int, c_char
         integer(c_int), value :: component
         character(kind=c_char), intent(in) :: name(*)
      end function c_watch_name
      integer(c_int) function c_watch_stop(component, parts, size) bind(c, name='cpl_lb_watch_stop')
         import :: c_int, c_double
         integer(c_int), value :: component, size
         real(c_double), intent(inout) :: parts(*)
      end function c_watch_stop
      integer(c_int) function c_manager_new(components, processes, search) bind(c, name='cpl_lb_manager_new')
         import :: c_int
         integer(c_int), value :: components, processes, search
      end function c_manager_new
      integer(c_int) function c_manager_allow(manager, component, least, most, block) &
            bind(c, name='cpl_lb_manager_allow')
         import :: c_int
         integer(c_int), value :: manager, component, least, most, block
      end function c_manager_allow
      integer(c_int) function c_manager_gain(manager, least_gain) bind(c, name='cpl_lb_manager_gain')
         import :: c_int, c_double
         integer(c_int), value :: manager
         real(c_double), value :: least_gain
      end function c_manager_gain
      integer(c_int) function c_manager_times(manager, component, parts, n) bind(c, name='cpl_lb_manager_times')
         import :: c_int, c_double
         integer(c_int), value :: manager, component, n
         real(c_double), intent(in) :: parts(*)
      end function c_manager_times
      integer(c_int) function c_manager_next(manager, cycle_s, counts) bind(c, name='cpl_lb_manager_next')
         import :: c_int, c_double
         integer(c_int), value :: manager
         real(c_double), value :: cycle_s
         integer(c_int), intent(inout) :: counts(*)
      end function c_manager_next
      integer(c_int) function c_manager_state(manager, predicted_s, reallocations, undone, woken) &
            bind(c, name='cpl_lb_manager_state')
         import :: c_int, c_double
         integer(c_int), value :: manager
         real(c_double), intent(inout) :: predicted_s
         integer(c_int), intent(inout) :: reallocations, undone, woken
      end function c_manager_state
      integer(c_int) function c_manager_free(manager) bind(c, name='cpl_lb_manager_free')
         import :: c_int
         integer(c_int), value :: manager
      end function c_manager_free
   end interface

   ! The C functions behind the wrappers. Those that end with _f take a communicator as Fortran knows it.
   interface
      integer(c_int) function c_init(comm, component) bind(c, name='cpl_lb_init_f')
         import :: c_int, c_char
         integer(c_int), value :: comm
         character(kind=c_char), intent(in) :: component(*)
      end function c_init
      integer(c_int) function c_field(name, counterpart) bind(c, name='cpl_lb_field')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: name(*), counterpart(*)
      end function c_field
      integer(c_int) function c_field_set(field, name, counterpart) bind(c, name='cpl_lb_field_set')
         import :: c_int, c_char
         integer(c_int), value :: field
         character(kind=c_char), intent(in) :: name(*), counterpart(*)
      end function c_field_set
      integer(c_int) function c_terminate(simulated_seconds) bind(c, name='cpl_lb_terminate')
         import :: c_int, c_double
         real(c_double), value :: simulated_seconds
      end function c_terminate
      integer(c_int) function c_component_begin(component) bind(c, name='cpl_lb_component_begin')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: component(*)
      end function c_component_begin
      integer(c_int) function c_component_end() bind(c, name='cpl_lb_component_end')
         import :: c_int
      end function c_component_end
      integer(c_int) function c_set_length(simulated_seconds) bind(c, name='cpl_lb_set_length')
         import :: c_int, c_double
         real(c_double), value :: simulated_seconds
      end function c_set_length
      integer(c_int) function c_region(name) bind(c, name='cpl_lb_region')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: name(*)
      end function c_region
      integer(c_int) function c_assert_parameter(name, value) bind(c, name='cpl_lb_assert_parameter')
         import :: c_int, c_char, c_double
         character(kind=c_char), intent(in) :: name(*)
         real(c_double), value :: value
      end function c_assert_parameter
      integer(c_int) function c_assert_expression(region, quantity, expression) &
         bind(c, name='cpl_lb_assert_expression')
         import :: c_int, c_char
         integer(c_int), value :: region
         character(kind=c_char), intent(in) :: quantity(*), expression(*)
      end function c_assert_expression
      integer(c_int) function c_set_grid(horizontal_points, levels) bind(c, name='cpl_lb_set_grid')
         import :: c_int, c_long_long
         integer(c_long_long), value :: horizontal_points
         integer(c_int), value :: levels
      end function c_set_grid
      integer(c_int) function c_set_cell_size(dx_km, dz_km) bind(c, name='cpl_lb_set_cell_size')
         import :: c_int, c_double
         real(c_double), value :: dx_km, dz_km
      end function c_set_cell_size
      integer(c_int) function c_set_complexity(prognostic_variables) bind(c, name='cpl_lb_set_complexity')
         import :: c_int, c_double
         real(c_double), value :: prognostic_variables
      end function c_set_complexity
      integer(c_int) function c_set_state_bytes(restart_bytes) bind(c, name='cpl_lb_set_state_bytes')
         import :: c_int, c_double
         real(c_double), value :: restart_bytes
      end function c_set_state_bytes
      integer(c_int) function c_add_output_bytes(bytes) bind(c, name='cpl_lb_add_output_bytes')
         import :: c_int, c_double
         real(c_double), value :: bytes
      end function c_add_output_bytes
      integer(c_int) function c_set_io_server(is_io_server) bind(c, name='cpl_lb_set_io_server')
         import :: c_int
         integer(c_int), value :: is_io_server
      end function c_set_io_server
      integer(c_int) function c_set_domain(size, first, count) bind(c, name='cpl_lb_set_domain')
         import :: c_int, c_long_long
         integer(c_long_long), intent(in) :: size(2), first(2), count(2)
      end function c_set_domain
      integer(c_int) function c_set_domain_pieces(size, pieces, first, count) &
         bind(c, name='cpl_lb_set_domain_pieces')
         import :: c_int, c_long_long
         integer(c_long_long), intent(in) :: size(2)
         integer(c_long_long), value :: pieces
         integer(c_long_long), intent(in) :: first(*), count(*)
      end function c_set_domain_pieces
      integer(c_int) function c_set_domain_left_out(points) bind(c, name='cpl_lb_set_domain_left_out')
         import :: c_int, c_long_long
         integer(c_long_long), value :: points
      end function c_set_domain_left_out
      integer(c_int) function c_set_domain_points(points, longitudes, latitudes) bind(c, name='cpl_lb_set_domain_points')
         import :: c_int, c_long_long, c_double
         integer(c_long_long), value :: points
         real(c_double), intent(in) :: longitudes(*), latitudes(*)
      end function c_set_domain_points
      integer(c_int) function c_balance_here(steps, computing_s, waiting_s, coupling_s, own_s) &
         bind(c, name='cpl_lb_balance_here')
         import :: c_int, c_double
         integer(c_int), value :: steps
         real(c_double), intent(out) :: computing_s, waiting_s, coupling_s, own_s
      end function c_balance_here
      integer(c_int) function c_balance_now(comm, steps, size, components, slow) bind(c, name='cpl_lb_balance_now_f')
         import :: c_int, c_balance
         integer(c_int), value :: comm, steps, size
         type(c_balance), intent(inout) :: components(*)
         integer(c_int), intent(out) :: slow
      end function c_balance_now
      type(c_ptr) function c_version() bind(c, name='cpl_lb_version')
         import :: c_ptr
      end function c_version
      type(c_ptr) function c_strerror(code) bind(c, name='cpl_lb_strerror')
         import :: c_int, c_ptr
         integer(c_int), value :: code
      end function c_strerror
      integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
         import :: c_size_t, c_ptr
         type(c_ptr), value :: text
      end function c_strlen
   end interface

contains

   ! Collective over comm. Processes that give the same name form a component.
   subroutine cpl_lb_init(comm, component, ierror)
      integer(c_int), intent(in) :: comm
      character(len=*), intent(in) :: component
      integer(c_int), intent(out), optional :: ierror
      call give(c_init(comm, trim(component)//c_null_char), ierror)
   end subroutine cpl_lb_init

   ! Id (>= 1) of a coupling field; '' means: not known yet, see cpl_lb_field_set.
   function cpl_lb_field(name, counterpart, ierror) result(field)
      character(len=*), intent(in) :: name, counterpart
      integer(c_int), intent(out), optional :: ierror
      integer(c_int) :: field
      field = c_field(trim(name)//c_null_char, trim(counterpart)//c_null_char)
      call give(min(field, CPL_LB_OK), ierror)
   end function cpl_lb_field

   subroutine cpl_lb_field_set(field, name, counterpart, ierror)
      integer(c_int), intent(in) :: field
      character(len=*), intent(in) :: name, counterpart
      integer(c_int), intent(out), optional :: ierror
      call give(c_field_set(field, trim(name)//c_null_char, trim(counterpart)//c_null_char), ierror)
   end subroutine cpl_lb_field_set

   ! By value, so that the compiler makes a sign extension and a jump of it.
   subroutine date_i4(seconds)
      integer(c_int), value :: seconds
      call date_i8(int(seconds, c_long_long))
   end subroutine date_i4

   ! Collective over the comm of cpl_lb_init.
   subroutine terminate_r8(simulated_seconds, ierror)
      real(c_double), intent(in) :: simulated_seconds
      integer(c_int), intent(out), optional :: ierror
      call give(c_terminate(simulated_seconds), ierror)
   end subroutine terminate_r8

   subroutine terminate_r4(simulated_seconds, ierror)
      real(real32), intent(in) :: simulated_seconds
      integer(c_int), intent(out), optional :: ierror
      call give(c_terminate(real(simulated_seconds, c_double)), ierror)
   end subroutine terminate_r4

   subroutine cpl_lb_component_begin(component, ierror)
      character(len=*), intent(in) :: component
      integer(c_int), intent(out), optional :: ierror
      call give(c_component_begin(trim(component)//c_null_char), ierror)
   end subroutine cpl_lb_component_begin

   subroutine cpl_lb_component_end(ierror)
      integer(c_int), intent(out), optional :: ierror
      call give(c_component_end(), ierror)
   end subroutine cpl_lb_component_end

   subroutine set_length_r8(simulated_seconds, ierror)
      real(c_double), intent(in) :: simulated_seconds
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_length(simulated_seconds), ierror)
   end subroutine set_length_r8

   subroutine set_length_r4(simulated_seconds, ierror)
      real(real32), intent(in) :: simulated_seconds
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_length(real(simulated_seconds, c_double)), ierror)
   end subroutine set_length_r4

   ! Id (>= 1) of a named part of the model's own code.
   function cpl_lb_region(name, ierror) result(region)
      character(len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierror
      integer(c_int) :: region
      region = c_region(trim(name)//c_null_char)
      call give(min(region, CPL_LB_OK), ierror)
   end function cpl_lb_region

   ! A number that expressions depend on.
   subroutine assert_parameter_r8(name, value, ierror)
      character(len=*), intent(in) :: name
      real(c_double), intent(in) :: value
      integer(c_int), intent(out), optional :: ierror
      call give(c_assert_parameter(trim(name)//c_null_char, value), ierror)
   end subroutine assert_parameter_r8

   subroutine assert_parameter_r4(name, value, ierror)
      character(len=*), intent(in) :: name
      real(real32), intent(in) :: value
      integer(c_int), intent(out), optional :: ierror
      call give(c_assert_parameter(trim(name)//c_null_char, real(value, c_double)), ierror)
   end subroutine assert_parameter_r4

   subroutine assert_parameter_i8(name, value, ierror)
      character(len=*), intent(in) :: name
      integer(c_long_long), intent(in) :: value
      integer(c_int), intent(out), optional :: ierror
      call give(c_assert_parameter(trim(name)//c_null_char, real(value, c_double)), ierror)
   end subroutine assert_parameter_i8

   subroutine assert_parameter_i4(name, value, ierror)
      character(len=*), intent(in) :: name
      integer(c_int), intent(in) :: value
      integer(c_int), intent(out), optional :: ierror
      call give(c_assert_parameter(trim(name)//c_null_char, real(value, c_double)), ierror)
   end subroutine assert_parameter_i4

   ! The work of one call of a region; cpl_lb.h has the quantities and what an expression may be.
   subroutine cpl_lb_assert_expression(region, quantity, expression, ierror)
      integer(c_int), intent(in) :: region
      character(len=*), intent(in) :: quantity, expression
      integer(c_int), intent(out), optional :: ierror
      call give(c_assert_expression(region, trim(quantity)//c_null_char, trim(expression)//c_null_char), ierror)
   end subroutine cpl_lb_assert_expression

   subroutine set_grid_i8(horizontal_points, levels, ierror)
      integer(c_long_long), intent(in) :: horizontal_points
      integer(c_int), intent(in) :: levels
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_grid(horizontal_points, levels), ierror)
   end subroutine set_grid_i8

   subroutine set_grid_i4(horizontal_points, levels, ierror)
      integer(c_int), intent(in) :: horizontal_points, levels
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_grid(int(horizontal_points, c_long_long), levels), ierror)
   end subroutine set_grid_i4

   subroutine set_cell_size_r8(dx_km, dz_km, ierror)
      real(c_double), intent(in) :: dx_km, dz_km
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_cell_size(dx_km, dz_km), ierror)
   end subroutine set_cell_size_r8

   subroutine set_cell_size_r4(dx_km, dz_km, ierror)
      real(real32), intent(in) :: dx_km, dz_km
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_cell_size(real(dx_km, c_double), real(dz_km, c_double)), ierror)
   end subroutine set_cell_size_r4

   subroutine set_complexity_r8(prognostic_variables, ierror)
      real(c_double), intent(in) :: prognostic_variables
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_complexity(prognostic_variables), ierror)
   end subroutine set_complexity_r8

   subroutine set_complexity_r4(prognostic_variables, ierror)
      real(real32), intent(in) :: prognostic_variables
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_complexity(real(prognostic_variables, c_double)), ierror)
   end subroutine set_complexity_r4

   subroutine set_state_bytes_r8(restart_bytes, ierror)
      real(c_double), intent(in) :: restart_bytes
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_state_bytes(restart_bytes), ierror)
   end subroutine set_state_bytes_r8

   subroutine set_state_bytes_r4(restart_bytes, ierror)
      real(real32), intent(in) :: restart_bytes
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_state_bytes(real(restart_bytes, c_double)), ierror)
   end subroutine set_state_bytes_r4

   subroutine add_output_bytes_r8(bytes, ierror)
      real(c_double), intent(in) :: bytes
      integer(c_int), intent(out), optional :: ierror
      call give(c_add_output_bytes(bytes), ierror)
   end subroutine add_output_bytes_r8

   subroutine add_output_bytes_r4(bytes, ierror)
      real(real32), intent(in) :: bytes
      integer(c_int), intent(out), optional :: ierror
      call give(c_add_output_bytes(real(bytes, c_double)), ierror)
   end subroutine add_output_bytes_r4

   subroutine cpl_lb_set_io_server(is_io_server, ierror)
      integer(c_int), intent(in) :: is_io_server
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_io_server(is_io_server), ierror)
   end subroutine cpl_lb_set_io_server

   ! A block of the component's grid: in the directions i and j the size of the grid, the first point (from 1) and the
   ! number of points.
   subroutine set_domain_i8(grid, first, count, ierror)
      integer(c_long_long), intent(in) :: grid(2), first(2), count(2)
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_domain(grid, first, count), ierror)
   end subroutine set_domain_i8

   subroutine set_domain_i4(grid, first, count, ierror)
      integer(c_int), intent(in) :: grid(2), first(2), count(2)
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_domain(int(grid, c_long_long), int(first, c_long_long), int(count, c_long_long)), ierror)
   end subroutine set_domain_i4

   ! Points of that grid that no process has, such as land.
   subroutine set_left_out_i8(points, ierror)
      integer(c_long_long), intent(in) :: points
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_domain_left_out(points), ierror)
   end subroutine set_left_out_i8

   subroutine set_left_out_i4(points, ierror)
      integer(c_int), intent(in) :: points
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_domain_left_out(int(points, c_long_long)), ierror)
   end subroutine set_left_out_i4

   ! Several blocks: first(:, n) and count(:, n) are first point and points of piece n, in the directions i and j.
   subroutine set_pieces_i8(grid, first, count, ierror)
      integer(c_long_long), intent(in) :: grid(2), first(:, :), count(:, :)
      integer(c_int), intent(out), optional :: ierror
      call give(c_set_domain_pieces(grid, pieces_of(shape(first), shape(count)), first, count), ierror)
   end subroutine set_pieces_i8

   subroutine set_pieces_i4(grid, first, count, ierror)
      integer(c_int), intent(in) :: grid(2), first(:, :), count(:, :)
      integer(c_int), intent(out), optional :: ierror
      integer(c_long_long), allocatable :: first_8(:, :), count_8(:, :)
      integer(c_long_long) :: pieces, n
      integer :: no_memory
      pieces = pieces_of(shape(first), shape(count))
      allocate (first_8(2, max(pieces, 0_c_long_long)), count_8(2, max(pieces, 0_c_long_long)), stat=no_memory)
      if (no_memory /= 0) then
         call give(CPL_LB_ENOMEM, ierror)
         return
      end if
      do n = 1, pieces
         first_8(:, n) = int(first(:, n), c_long_long)
         count_8(:, n) = int(count(:, n), c_long_long)
      end do
      call give(c_set_domain_pieces(int(grid, c_long_long), pieces, first_8, count_8), ierror)
   end subroutine set_pieces_i4

   ! Negative, which C refuses, if an array has other columns than of i and j, or the other one more columns.
   integer(c_long_long) function pieces_of(of_first, of_count)
      integer, intent(in) :: of_first(2), of_count(2)
      pieces_of = -1
      if (of_first(1) == 2 .and. all(of_first == of_count)) pieces_of = of_first(2)
   end function pieces_of

   ! These do nothing since 0.4.
   subroutine set_points_r8(longitudes, latitudes, ierror)
      real(c_double), intent(in) :: longitudes(:), latitudes(:)
      integer(c_int), intent(out), optional :: ierror
      call ignore(size(longitudes) + size(latitudes), ierror)
   end subroutine set_points_r8

   subroutine set_points_2d_r8(longitudes, latitudes, ierror)
      real(c_double), intent(in) :: longitudes(:, :), latitudes(:, :)
      integer(c_int), intent(out), optional :: ierror
      call ignore(size(longitudes) + size(latitudes), ierror)
   end subroutine set_points_2d_r8

   subroutine set_points_r4(longitudes, latitudes, ierror)
      real(real32), intent(in) :: longitudes(:), latitudes(:)
      integer(c_int), intent(out), optional :: ierror
      call ignore(size(longitudes) + size(latitudes), ierror)
   end subroutine set_points_r4

   subroutine set_points_2d_r4(longitudes, latitudes, ierror)
      real(real32), intent(in) :: longitudes(:, :), latitudes(:, :)
      integer(c_int), intent(out), optional :: ierror
      call ignore(size(longitudes) + size(latitudes), ierror)
   end subroutine set_points_2d_r4

   subroutine ignore(points, ierror)
      integer, intent(in) :: points
      integer(c_int), intent(out), optional :: ierror
      real(c_double) :: none(1)
      none = 0
      call give(c_set_domain_points(int(points, c_long_long), none, none), ierror)
   end subroutine ignore

   function cpl_lb_version() result(version)
      character(len=:), allocatable :: version
      version = text_of(c_version())
   end function cpl_lb_version

   function cpl_lb_strerror(code) result(words)
      integer(c_int), intent(in) :: code
      character(len=:), allocatable :: words
      words = text_of(c_strerror(code))
   end function cpl_lb_strerror

   subroutine cpl_lb_watch_start(component, ierror)
      integer(c_int), intent(in) :: component
      integer(c_int), intent(out), optional :: ierror
      call give(c_watch_start(component), ierror)
   end subroutine cpl_lb_watch_start

   subroutine watch_meet_one(component, partner, ierror)
      integer(c_int), intent(in) :: component, partner
      integer(c_int), intent(out), optional :: ierror
      call give(c_watch_meet(component, 1_c_int, [partner]), ierror)
   end subroutine watch_meet_one

   subroutine watch_meet_some(component, partners, ierror)
      integer(c_int), intent(in) :: component, partners(:)
      integer(c_int), intent(out), optional :: ierror
      call give(c_watch_meet(component, size(partners, kind=c_int), partners), ierror)
   end subroutine watch_meet_some

   subroutine cpl_lb_watch_left(component, ierror)
      integer(c_int), intent(in) :: component
      integer(c_int), intent(out), optional :: ierror
      call give(c_watch_left(component), ierror)
   end subroutine cpl_lb_watch_left

   ! Its name in the counterparts of recorded events: they then tell the meetings.
   subroutine cpl_lb_watch_name(component, name, ierror)
      integer(c_int), intent(in) :: component
      character(len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierror
      call give(c_watch_name(component, trim(name)//c_null_char), ierror)
   end subroutine cpl_lb_watch_name

   ! How many values were written to parts.
   function cpl_lb_watch_stop(component, parts, ierror) result(n)
      integer(c_int), intent(in) :: component
      real(c_double), intent(inout), contiguous :: parts(:)
      integer(c_int), intent(out), optional :: ierror
      integer(c_int) :: n
      n = c_watch_stop(component, parts, size(parts, kind=c_int))
      call give(min(n, CPL_LB_OK), ierror)
   end function cpl_lb_watch_stop

   ! Id (>= 1) of a new manager; search: CPL_LB_DIRECT (CPL_LB_STEPWISE, of versions before 0.4, is the same).
   function cpl_lb_manager_new(components, processes, search, ierror) result(manager)
      integer(c_int), intent(in) :: components, processes, search
      integer(c_int), intent(out), optional :: ierror
      integer(c_int) :: manager
      manager = c_manager_new(components, processes, search)
      call give(min(manager, CPL_LB_OK), ierror)
   end function cpl_lb_manager_new

   subroutine cpl_lb_manager_allow(manager, component, least, most, block, ierror)
      integer(c_int), intent(in) :: manager, component, least, most, block
      integer(c_int), intent(out), optional :: ierror
      call give(c_manager_allow(manager, component, least, most, block), ierror)
   end subroutine cpl_lb_manager_allow

   subroutine manager_gain_r8(manager, least_gain, ierror)
      integer(c_int), intent(in) :: manager
      real(c_double), intent(in) :: least_gain
      integer(c_int), intent(out), optional :: ierror
      call give(c_manager_gain(manager, least_gain), ierror)
   end subroutine manager_gain_r8

   subroutine manager_gain_r4(manager, least_gain, ierror)
      integer(c_int), intent(in) :: manager
      real(real32), intent(in) :: least_gain
      integer(c_int), intent(out), optional :: ierror
      call give(c_manager_gain(manager, real(least_gain, c_double)), ierror)
   end subroutine manager_gain_r4

   ! parts(1:n) as cpl_lb_watch_stop wrote them.
   subroutine cpl_lb_manager_times(manager, component, parts, ierror)
      integer(c_int), intent(in) :: manager, component
      real(c_double), intent(in) :: parts(:)
      integer(c_int), intent(out), optional :: ierror
      call give(c_manager_times(manager, component, parts, size(parts, kind=c_int)), ierror)
   end subroutine cpl_lb_manager_times

   ! counts: run with, and on return to run next. True: they changed.
   function cpl_lb_manager_next(manager, cycle_s, counts, ierror) result(moved)
      integer(c_int), intent(in) :: manager
      real(c_double), intent(in) :: cycle_s
      integer(c_int), intent(inout), contiguous :: counts(:)
      integer(c_int), intent(out), optional :: ierror
      logical :: moved
      integer(c_int) :: code
      code = c_manager_next(manager, cycle_s, counts)
      moved = code == 1
      call give(min(code, CPL_LB_OK), ierror)
   end function cpl_lb_manager_next

   ! True at rest, false searching.
   function cpl_lb_manager_state(manager, predicted_s, reallocations, undone, woken, ierror) result(at_rest)
      integer(c_int), intent(in) :: manager
      real(c_double), intent(out), optional :: predicted_s
      integer(c_int), intent(out), optional :: reallocations, undone, woken, ierror
      logical :: at_rest
      real(c_double) :: seconds
      integer(c_int) :: code, asked, back, woke
      seconds = 0; asked = 0; back = 0; woke = 0
      code = c_manager_state(manager, seconds, asked, back, woke)
      at_rest = code == 1
      if (present(predicted_s)) predicted_s = seconds
      if (present(reallocations)) reallocations = asked
      if (present(undone)) undone = back
      if (present(woken)) woken = woke
      call give(min(code, CPL_LB_OK), ierror)
   end function cpl_lb_manager_state

   subroutine cpl_lb_manager_free(manager, ierror)
      integer(c_int), intent(in) :: manager
      integer(c_int), intent(out), optional :: ierror
      call give(c_manager_free(manager), ierror)
   end subroutine cpl_lb_manager_free

   ! This process's seconds in its last coupling steps; the result: how many steps, 0 if there are none.
   function cpl_lb_balance_here(steps, computing_s, waiting_s, coupling_s, own_s, ierror) result(n)
      integer(c_int), intent(in) :: steps
      real(c_double), intent(out), optional :: computing_s, waiting_s, coupling_s, own_s
      integer(c_int), intent(out), optional :: ierror
      integer(c_int) :: n
      real(c_double) :: computes, waits, couples, own
      n = c_balance_here(steps, computes, waits, couples, own)
      if (present(computing_s)) computing_s = computes
      if (present(waiting_s)) waiting_s = waits
      if (present(coupling_s)) coupling_s = couples
      if (present(own_s)) own_s = own
      call give(min(n, CPL_LB_OK), ierror)
   end function cpl_lb_balance_here

   ! Collective over comm. components: as many as there are and have room; slow: which one of them the others wait for,
   ! 0 for none; the result: how many there are.
   function cpl_lb_balance_now(comm, steps, components, slow, ierror) result(n)
      integer(c_int), intent(in) :: comm, steps
      type(cpl_lb_balance), intent(out) :: components(:)
      integer(c_int), intent(out), optional :: slow, ierror
      integer(c_int) :: n, slow_one, i, room
      type(c_balance), allocatable :: found(:)
      type(c_balance) :: none(1)
      allocate (found(size(components)), stat=i)
      if (i == 0) then
         room = size(found, kind=c_int)
         n = c_balance_now(comm, steps, room, found, slow_one)
      else   ! without memory it takes part all the same, because the others wait for it
         room = 0
         n = c_balance_now(comm, steps, 0_c_int, none, slow_one)
      end if
      do i = 1, min(n, room)
         components(i) = cpl_lb_balance(name_of(found(i)%name), found(i)%processes, found(i)%measured, found(i)%steps, &
                                        found(i)%seconds, found(i)%computing_s, found(i)%waiting_s, &
                                        found(i)%coupling_s, found(i)%own_s, found(i)%waiting_share)
      end do
      if (present(slow)) slow = slow_one
      call give(min(n, CPL_LB_OK), ierror)
   end function cpl_lb_balance_now

   pure function name_of(letters) result(name)
      character(kind=c_char), intent(in) :: letters(:)
      character(len=CPL_LB_NAME) :: name
      integer :: i
      name = ' '
      do i = 1, size(letters)
         if (letters(i) == c_null_char) exit
         name(i:i) = letters(i)
      end do
   end function name_of

   subroutine give(code, ierror)
      integer(c_int), intent(in) :: code
      integer(c_int), intent(out), optional :: ierror
      if (present(ierror)) ierror = code
   end subroutine give

   function text_of(c_text) result(text)
      type(c_ptr), intent(in) :: c_text
      character(len=:), allocatable :: text
      character(kind=c_char), pointer :: letters(:)
      integer :: i, length
      length = int(c_strlen(c_text))
      call c_f_pointer(c_text, letters, [length])
      allocate (character(len=length) :: text)
      do i = 1, length
         text(i:i) = letters(i)
      end do
   end function text_of

end module cpl_lb
