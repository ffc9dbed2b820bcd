! The coupling layer: a field goes from the processes of one component to those of another that need it, and is
! interpolated there. This module is where a coupled model calls cpl_lb: around every coupling operation.
module coupler
   use constants, only: dp, nn_balance
   use components, only: component_t, all_components, my_component, find_component, describe_grid, model_comm
   use domains, only: domain_t, rectangle_t, rectangle_of, split_domain
   use remapping, only: footprint_of, remap
   use waiting, only: wait_all
   use mpi, only: MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_REQUEST_NULL
   use cpl_lb
   implicit none
   private
   public :: coupling_field_t, define_partition, define_field, end_definition, put, get, finish_get, finish_put, tell_balance

   ! What one process exchanges with one process of the other component.
   type :: message_t
      integer :: rank = 0                         ! in MPI_COMM_WORLD
      type(rectangle_t) :: cells                  ! in the source grid
      real(dp), allocatable :: values(:, :)       ! one column for each put that is on its way
   end type message_t

   type :: coupling_field_t
      character(len=16) :: name = '', source_name = '', goal_name = ''
      logical :: is_put = .false.
      integer :: id = 0                           ! for cpl_lb
      integer :: tag = 0
      integer :: lag = 0                          ! exchange e receives what exchange e - lag sent
      integer :: every = 1                        ! exchanged in each so many coupling steps
      integer :: exchanges = 0                    ! so far
      type(component_t) :: source, goal
      type(rectangle_t) :: mine, footprint
      type(message_t), allocatable :: messages(:)
      integer, allocatable :: requests(:, :)      ! of the last puts
   end type coupling_field_t

   type(domain_t), public, protected :: my_domain
   integer :: defined_fields = 0

contains

   ! This process's part of the component's grid.
   subroutine define_partition(nx, ny, bands)
      integer, intent(in) :: nx, ny
      logical, intent(in) :: bands
      call cpl_lb_begin(CPL_LB_PART, 0)
      my_domain = split_domain(nx, ny, bands)
      call cpl_lb_end(CPL_LB_PART, 0)
   end subroutine define_partition

   ! The two components define their common fields in the same order: it makes the tags.
   type(coupling_field_t) function define_field(name, source, goal, lag, every) result(f)
      character(len=*), intent(in) :: name, source, goal
      integer, intent(in) :: lag, every
      f%lag = lag
      f%every = every
      f%name = name
      f%source_name = source
      f%goal_name = goal
      f%is_put = all_components(my_component)%name == source
      f%id = cpl_lb_field(name, merge(f%goal_name, f%source_name, f%is_put))
      defined_fields = defined_fields + 1
      f%tag = 100 + defined_fields
   end function define_field

   ! Collective over the job: only now is it known who needs which cells of whom.
   subroutine end_definition(fields)
      type(coupling_field_t), intent(inout) :: fields(:)
      integer :: n
      call cpl_lb_begin(CPL_LB_ENDF, 0)
      call describe_grid(my_domain%nx, my_domain%ny, my_domain%px, my_domain%py)
      do n = 1, size(fields)
         fields(n)%source = all_components(find_component(fields(n)%source_name))
         fields(n)%goal = all_components(find_component(fields(n)%goal_name))
         fields(n)%mine = my_domain%mine
         allocate (fields(n)%messages(0))
         if (fields(n)%is_put) then
            call plan_put(fields(n))
         else
            call plan_get(fields(n))
         end if
         allocate (fields(n)%requests(size(fields(n)%messages), 0:fields(n)%lag), source=MPI_REQUEST_NULL)
      end do
      call cpl_lb_end(CPL_LB_ENDF, 0)
   end subroutine end_definition

   subroutine plan_put(f)
      type(coupling_field_t), intent(inout) :: f
      type(rectangle_t) :: cells, needed
      integer :: q
      do q = 0, size(f%goal%ranks) - 1
         cells = rectangle_of(q, f%goal%nx, f%goal%ny, f%goal%px, f%goal%py)
         needed = footprint_of(cells, f%goal%nx, f%goal%ny, f%source%nx, f%source%ny)
         call add_message(f%messages, f%goal%ranks(q + 1), common(f%mine, needed), f%lag)
      end do
   end subroutine plan_put

   subroutine plan_get(f)
      type(coupling_field_t), intent(inout) :: f
      type(rectangle_t) :: cells
      integer :: p
      f%footprint = footprint_of(f%mine, f%goal%nx, f%goal%ny, f%source%nx, f%source%ny)
      do p = 0, size(f%source%ranks) - 1
         cells = rectangle_of(p, f%source%nx, f%source%ny, f%source%px, f%source%py)
         call add_message(f%messages, f%source%ranks(p + 1), common(f%footprint, cells), f%lag)
      end do
   end subroutine plan_get

   subroutine add_message(messages, rank, cells, lag)
      type(message_t), allocatable, intent(inout) :: messages(:)
      integer, intent(in) :: rank, lag
      type(rectangle_t), intent(in) :: cells
      type(message_t) :: m
      if (cells%i2 < cells%i1 .or. cells%j2 < cells%j1) return
      m%rank = rank
      m%cells = cells
      allocate (m%values((cells%i2 - cells%i1 + 1)*(cells%j2 - cells%j1 + 1), 0:lag))
      messages = [messages, m]
   end subroutine add_message

   pure type(rectangle_t) function common(a, b)
      type(rectangle_t), intent(in) :: a, b
      common = rectangle_t(max(a%i1, b%i1), min(a%i2, b%i2), max(a%j1, b%j1), min(a%j2, b%j2))
   end function common

   ! In the coupling steps between, nothing happens to the field: no event either.
   pure logical function is_due(f, step)
      type(coupling_field_t), intent(in) :: f
      integer, intent(in) :: step
      is_due = mod(step, f%every) == 0
   end function is_due

   ! Buffered: waits for the messages of the put whose buffer it needs, the last one if there is no lag, not for these.
   subroutine put(f, step, field)
      type(coupling_field_t), intent(inout), asynchronous :: f
      integer, intent(in) :: step
      real(dp), intent(in) :: field(f%mine%i1:, f%mine%j1:)
      integer :: m, error, slot
      if (.not. is_due(f, step)) return
      call cpl_lb_begin(CPL_LB_PUT, f%id)
      slot = mod(f%exchanges, f%lag + 1)
      f%exchanges = f%exchanges + 1
      call wait_all(f%requests(:, slot))
      do m = 1, size(f%messages)
         associate (c => f%messages(m)%cells, values => f%messages(m)%values)
            values(:, slot) = reshape(field(c%i1:c%i2, c%j1:c%j2), [size(values, 1)])
            call MPI_Isend(values(1, slot), size(values, 1), MPI_DOUBLE_PRECISION, f%messages(m)%rank, f%tag, &
                           MPI_COMM_WORLD, f%requests(m, slot), error)
         end associate
      end do
      call cpl_lb_end(CPL_LB_PUT, f%id)
   end subroutine put

   ! Its messages have left: to be called before the end of the run.
   subroutine finish_put(f)
      type(coupling_field_t), intent(inout), asynchronous :: f
      integer :: slot
      do slot = 0, f%lag
         call wait_all(f%requests(:, slot))
      end do
   end subroutine finish_put

   ! Receives and interpolates: the mapping is an event inside the receive. With a lag the first ones keep the field as
   ! it is: an event as the others, but nobody has sent what it would receive.
   subroutine get(f, step, field)
      type(coupling_field_t), intent(inout), asynchronous :: f
      integer, intent(in) :: step
      real(dp), intent(inout) :: field(f%mine%i1:, f%mine%j1:)
      real(dp) :: window(f%footprint%i1:f%footprint%i2, f%footprint%j1:f%footprint%j2)
      integer :: m
      if (.not. is_due(f, step)) return
      call cpl_lb_begin(CPL_LB_GET, f%id)
      f%exchanges = f%exchanges + 1
      if (f%exchanges > f%lag) then
         call receive(f)
         do m = 1, size(f%messages)
            associate (c => f%messages(m)%cells)
               window(c%i1:c%i2, c%j1:c%j2) = reshape(f%messages(m)%values(:, 0), [c%i2 - c%i1 + 1, c%j2 - c%j1 + 1])
            end associate
         end do
         call cpl_lb_begin(CPL_LB_MAP, f%id)
         field = remap(window, f%footprint, f%source%nx, f%source%ny, f%mine, f%goal%nx, f%goal%ny)
         call cpl_lb_end(CPL_LB_MAP, f%id)
      end if
      call cpl_lb_end(CPL_LB_GET, f%id)
   end subroutine get

   subroutine receive(f)
      type(coupling_field_t), intent(inout), asynchronous :: f
      integer :: requests(size(f%messages)), m, error
      do m = 1, size(f%messages)
         associate (values => f%messages(m)%values)
            call MPI_Irecv(values(1, 0), size(values, 1), MPI_DOUBLE_PRECISION, f%messages(m)%rank, f%tag, &
                           MPI_COMM_WORLD, requests(m), error)
         end associate
      end do
      call wait_all(requests)
   end subroutine receive

   ! What a lag has left on its way: to be called after the last get, before any finish_put.
   subroutine finish_get(f)
      type(coupling_field_t), intent(inout), asynchronous :: f
      integer :: n
      do n = 1, min(f%lag, f%exchanges)
         call receive(f)
      end do
   end subroutine finish_get

   ! At the end of a coupling step, on all processes of the model: how long who waited in the last nn_balance steps. A model that
   ! can change its threads would do it here.
   subroutine tell_balance(step)
      integer, intent(in) :: step
      type(cpl_lb_balance) :: found(2)
      integer :: n, i, slow, rank, error
      if (nn_balance == 0) return
      if (mod(step + 1, nn_balance) /= 0) return
      n = cpl_lb_balance_now(model_comm, min(nn_balance, CPL_LB_STEPS), found, slow)
      call MPI_Comm_rank(model_comm, rank, error)
      n = min(n, size(found))
      if (rank /= 0 .or. n <= 0) return
      if (any(found(:n)%waiting_share < 0)) return   ! before the second step
      write (*, '(a, i0, 2(2a, f6.1, a))') 'waiting until step ', step + 1, &
         (merge(': ', ', ', i == 1), trim(found(i)%name), 100*found(i)%waiting_share, ' %', i=1, n)
      if (slow > 0) print '(2a)', 'the others wait for ', trim(found(slow)%name)
   end subroutine tell_balance

end module coupler
