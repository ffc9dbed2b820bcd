! Ocean: one layer of water over a resting deep ocean (reduced gravity) on a beta plane, C grid, forward-backward in
! time. Mass and heat are in flux form: what leaves a cell enters its neighbour.
module shallow_water
   use constants, only: dp, pi, length_x, length_y, rho_water, heat_capacity_water
   use domains, only: domain_t, rectangle_t, halo_exchange
   use mpi, only: MPI_PROC_NULL
   implicit none
   private
   public :: ocean_t, start_ocean, step_ocean, surface_temperature, ocean_state, set_ocean_state

   real(dp), parameter :: reduced_gravity = 0.05_dp, rest_depth = 100.0_dp   ! [m s-2], [m]
   real(dp), parameter :: coriolis = 1.0e-4_dp, beta = 1.5e-11_dp            ! [s-1], [m-1 s-1]
   real(dp), parameter :: drag = 5.0e-7_dp                                   ! [s-1]
   real(dp), parameter :: viscosity = 5.0e3_dp, diffusivity = 1.0e3_dp       ! [m2 s-1]
   integer, parameter, public :: ocean_variables = 4
   character(len=4), parameter, public :: ocean_names(ocean_variables) = ['h   ', 'heat', 'u   ', 'v   ']

   type :: ocean_t
      type(domain_t) :: d
      real(dp), allocatable :: h(:, :)       ! layer thickness [m]
      real(dp), allocatable :: heat(:, :)    ! thickness x temperature [m K]
      real(dp), allocatable :: u(:, :)       ! velocity through the western face [m s-1]
      real(dp), allocatable :: v(:, :)       ! velocity through the southern face [m s-1]
      real(dp), allocatable :: flux(:, :)    ! heat flux into the ocean [W m-2]
      real(dp), allocatable :: stress(:, :)  ! zonal wind stress [N m-2]
   end type ocean_t

contains

   type(ocean_t) function start_ocean(d) result(o)
      type(domain_t), intent(in) :: d
      integer :: i, j
      real(dp) :: x, y
      o%d = d
      associate (m => d%mine)
         call allocate_zero(o%h, m)
         call allocate_zero(o%heat, m)
         call allocate_zero(o%u, m)
         call allocate_zero(o%v, m)
         call allocate_zero(o%flux, m)
         call allocate_zero(o%stress, m)
         do j = m%j1, m%j2
            do i = m%i1, m%i2
               x = (i - 0.5_dp)*d%dx/length_x
               y = (j - 0.5_dp)*d%dy/length_y
               o%h(i, j) = rest_depth + 10.0_dp*exp(-50.0_dp*((x - 0.5_dp)**2 + (y - 0.5_dp)**2))
               o%heat(i, j) = o%h(i, j)*(293.0_dp - 15.0_dp*y + 2.0_dp*sin(2.0_dp*pi*x)*sin(pi*y))
            end do
         end do
      end associate
      call fill_halos(o)
   end function start_ocean

   subroutine allocate_zero(field, m)
      real(dp), allocatable, intent(out) :: field(:, :)
      type(rectangle_t), intent(in) :: m
      allocate (field(m%i1 - 1:m%i2 + 1, m%j1 - 1:m%j2 + 1), source=0.0_dp)
   end subroutine allocate_zero

   subroutine fill_halos(o)
      type(ocean_t), intent(inout) :: o
      call halo_exchange(o%d, o%h)
      call halo_exchange(o%d, o%heat)
      call halo_exchange(o%d, o%u)
      call exchange_v(o)
   end subroutine fill_halos

   ! No flow through the walls.
   subroutine exchange_v(o)
      type(ocean_t), intent(inout) :: o
      if (o%d%south == MPI_PROC_NULL) o%v(:, o%d%mine%j1) = 0.0_dp
      call halo_exchange(o%d, o%v)
      if (o%d%north == MPI_PROC_NULL) o%v(:, o%d%mine%j2 + 1) = 0.0_dp
   end subroutine exchange_v

   ! One step of `dt` seconds with o%flux and o%stress.
   subroutine step_ocean(o, dt)
      type(ocean_t), intent(inout) :: o
      real(dp), intent(in) :: dt
      call move_mass_and_heat(o, dt)
      call halo_exchange(o%d, o%h)
      call halo_exchange(o%d, o%heat)
      call accelerate_u(o, dt)
      call halo_exchange(o%d, o%u)
      call accelerate_v(o, dt)
      call exchange_v(o)
   end subroutine step_ocean

   subroutine move_mass_and_heat(o, dt)
      type(ocean_t), intent(inout) :: o
      real(dp), intent(in) :: dt
      real(dp), dimension(o%d%mine%i1:o%d%mine%i2 + 1, o%d%mine%j1:o%d%mine%j2 + 1) :: mass_x, mass_y, heat_x, heat_y
      integer :: i, j
      associate (i1 => o%d%mine%i1, i2 => o%d%mine%i2, j1 => o%d%mine%j1, j2 => o%d%mine%j2, dx => o%d%dx, dy => o%d%dy)
         do j = j1, j2 + 1
            do i = i1, i2 + 1
               call face(o%u(i, j), o%h(i - 1, j), o%h(i, j), o%heat(i - 1, j), o%heat(i, j), dx, mass_x(i, j), heat_x(i, j))
               call face(o%v(i, j), o%h(i, j - 1), o%h(i, j), o%heat(i, j - 1), o%heat(i, j), dy, mass_y(i, j), heat_y(i, j))
            end do
         end do
         do j = j1, j2
            do i = i1, i2
               o%h(i, j) = o%h(i, j) - dt*((mass_x(i + 1, j) - mass_x(i, j))/dx + (mass_y(i, j + 1) - mass_y(i, j))/dy)
               o%heat(i, j) = o%heat(i, j) - dt*((heat_x(i + 1, j) - heat_x(i, j))/dx &
                                                 + (heat_y(i, j + 1) - heat_y(i, j))/dy) &
                              + dt*o%flux(i, j)/(rho_water*heat_capacity_water)
            end do
         end do
      end associate
   end subroutine move_mass_and_heat

   ! Fluxes through one face: upwind advection and diffusion. No gradient across the walls, so no flux either.
   pure subroutine face(velocity, h_low, h_high, heat_low, heat_high, distance, mass, heat)
      real(dp), intent(in) :: velocity, h_low, h_high, heat_low, heat_high, distance
      real(dp), intent(out) :: mass, heat
      real(dp) :: thickness, t_low, t_high
      thickness = 0.5_dp*(h_low + h_high)
      t_low = heat_low/h_low
      t_high = heat_high/h_high
      mass = velocity*thickness
      heat = max(mass, 0.0_dp)*t_low + min(mass, 0.0_dp)*t_high - diffusivity*thickness*(t_high - t_low)/distance
   end subroutine face

   subroutine accelerate_u(o, dt)
      type(ocean_t), intent(inout) :: o
      real(dp), intent(in) :: dt
      real(dp), dimension(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) :: change
      real(dp) :: f, thickness
      integer :: i, j
      associate (dx => o%d%dx, dy => o%d%dy, u => o%u, v => o%v, h => o%h)
         do j = o%d%mine%j1, o%d%mine%j2
            f = coriolis + beta*((j - 0.5_dp)*dy - 0.5_dp*length_y)
            do i = o%d%mine%i1, o%d%mine%i2
               thickness = 0.5_dp*(h(i - 1, j) + h(i, j))
               change(i, j) = 0.25_dp*f*(v(i - 1, j) + v(i, j) + v(i - 1, j + 1) + v(i, j + 1)) &
                              - reduced_gravity*(h(i, j) - h(i - 1, j))/dx - drag*u(i, j) &
                              + 0.5_dp*(o%stress(i - 1, j) + o%stress(i, j))/(rho_water*thickness) &
                              + viscosity*((u(i - 1, j) - 2.0_dp*u(i, j) + u(i + 1, j))/dx**2 &
                                           + (u(i, j - 1) - 2.0_dp*u(i, j) + u(i, j + 1))/dy**2)
            end do
         end do
         u(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) = &
            u(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) + dt*change
      end associate
   end subroutine accelerate_u

   subroutine accelerate_v(o, dt)
      type(ocean_t), intent(inout) :: o
      real(dp), intent(in) :: dt
      real(dp), dimension(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) :: change
      real(dp) :: f
      integer :: i, j
      associate (dx => o%d%dx, dy => o%d%dy, u => o%u, v => o%v, h => o%h)
         do j = o%d%mine%j1, o%d%mine%j2
            f = coriolis + beta*((j - 1)*dy - 0.5_dp*length_y)
            do i = o%d%mine%i1, o%d%mine%i2
               change(i, j) = -0.25_dp*f*(u(i, j - 1) + u(i + 1, j - 1) + u(i, j) + u(i + 1, j)) &
                              - reduced_gravity*(h(i, j) - h(i, j - 1))/dy - drag*v(i, j) &
                              + viscosity*((v(i - 1, j) - 2.0_dp*v(i, j) + v(i + 1, j))/dx**2 &
                                           + (v(i, j - 1) - 2.0_dp*v(i, j) + v(i, j + 1))/dy**2)
            end do
         end do
         v(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) = &
            v(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2) + dt*change
      end associate
   end subroutine accelerate_v

   ! [K]
   function surface_temperature(o) result(t)
      type(ocean_t), intent(in) :: o
      real(dp) :: t(o%d%mine%i1:o%d%mine%i2, o%d%mine%j1:o%d%mine%j2)
      associate (m => o%d%mine)
         t = o%heat(m%i1:m%i2, m%j1:m%j2)/o%h(m%i1:m%i2, m%j1:m%j2)
      end associate
   end function surface_temperature

   ! Everything that the next step needs, in the order of ocean_names.
   function ocean_state(o) result(parts)
      type(ocean_t), intent(in) :: o
      real(dp), allocatable :: parts(:, :, :)
      associate (m => o%d%mine)
         allocate (parts(m%i2 - m%i1 + 1, m%j2 - m%j1 + 1, ocean_variables))
         parts(:, :, 1) = o%h(m%i1:m%i2, m%j1:m%j2)
         parts(:, :, 2) = o%heat(m%i1:m%i2, m%j1:m%j2)
         parts(:, :, 3) = o%u(m%i1:m%i2, m%j1:m%j2)
         parts(:, :, 4) = o%v(m%i1:m%i2, m%j1:m%j2)
      end associate
   end function ocean_state

   subroutine set_ocean_state(o, parts)
      type(ocean_t), intent(inout) :: o
      real(dp), intent(in) :: parts(:, :, :)
      associate (m => o%d%mine)
         o%h(m%i1:m%i2, m%j1:m%j2) = parts(:, :, 1)
         o%heat(m%i1:m%i2, m%j1:m%j2) = parts(:, :, 2)
         o%u(m%i1:m%i2, m%j1:m%j2) = parts(:, :, 3)
         o%v(m%i1:m%i2, m%j1:m%j2) = parts(:, :, 4)
      end associate
      call fill_halos(o)
   end subroutine set_ocean_state

end module shallow_water
