! What a component says to OASIS: who it is, its grid and partition, its fields; then put and get.
module exchange
   use components, only: set_component, my_rank
   use constants, only: dp
   use domains, only: domain_t, split_domain
   use mod_oasis
   implicit none
   private
   public :: start_component, define_grid, define_field, end_definition, put, get, stop_component

   integer :: component = 0, part = 0
   type(domain_t), public, protected :: my_domain

contains

   subroutine start_component(name)
      character(len=*), intent(in) :: name
      integer :: communicator, error
      call oasis_init_comp(component, name, error)
      if (error /= 0) call oasis_abort(component, name, 'oasis_init_comp')
      call oasis_get_localcomm(communicator, error)
      call set_component(communicator)
   end subroutine start_component

   ! The grid (for OASIS once around the globe, from 30 South to 30 North) and this process's part of it.
   subroutine define_grid(grid, nx, ny, bands)
      character(len=4), intent(in) :: grid
      integer, intent(in) :: nx, ny
      logical, intent(in) :: bands
      integer :: error
      my_domain = split_domain(nx, ny, bands)
      if (my_rank == 0) call write_grid(grid, nx, ny)
      associate (m => my_domain%mine) ! a box: its first cell, its width and height, the width of the whole grid
         call oasis_def_partition(part, [2, (m%j1 - 1)*nx + m%i1 - 1, m%i2 - m%i1 + 1, m%j2 - m%j1 + 1, nx], error)
      end associate
   end subroutine define_grid

   subroutine write_grid(grid, nx, ny)
      character(len=4), intent(in) :: grid
      integer, intent(in) :: nx, ny
      real(dp) :: lon(nx, ny), lat(nx, ny)
      integer :: mask(nx, ny), i, j, flag
      do j = 1, ny
         do i = 1, nx
            lon(i, j) = 360.0_dp*(i - 0.5_dp)/nx
            lat(i, j) = -30.0_dp + 60.0_dp*(j - 0.5_dp)/ny
         end do
      end do
      mask = 0 ! sea everywhere
      call oasis_start_grids_writing(flag)
      call oasis_write_grid(grid, nx, ny, lon, lat)
      call oasis_write_mask(grid, nx, ny, mask)
      call oasis_terminate_grids_writing()
   end subroutine write_grid

   integer function define_field(name, direction) result(id)
      character(len=*), intent(in) :: name
      integer, intent(in) :: direction ! OASIS_Out or OASIS_In
      integer :: error
      associate (m => my_domain%mine)
         call oasis_def_var(id, name, part, [2, 1], direction, [1, m%i2 - m%i1 + 1, 1, m%j2 - m%j1 + 1], OASIS_Real, error)
      end associate
      if (error /= 0) call oasis_abort(component, name, 'oasis_def_var')
   end function define_field

   subroutine end_definition()
      integer :: error
      call oasis_enddef(error)
   end subroutine end_definition

   subroutine put(id, date, field)
      integer, intent(in) :: id, date
      real(dp), intent(in) :: field(:, :)
      real(dp) :: sent(size(field, 1), size(field, 2))
      integer :: info
      sent = field
      call oasis_put(id, date, sent, info)
   end subroutine put

   subroutine get(id, date, field)
      integer, intent(in) :: id, date
      real(dp), intent(inout) :: field(:, :)
      real(dp) :: got(size(field, 1), size(field, 2))
      integer :: info
      got = field
      call oasis_get(id, date, got, info)
      field = got
   end subroutine get

   subroutine stop_component()
      integer :: error
      call oasis_terminate(error)
   end subroutine stop_component

end module exchange
