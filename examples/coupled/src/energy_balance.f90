! Atmosphere: one column of air in each cell, heated by the sun, cooled to space (Budyko 1969: outgoing radiation linear
! in temperature), moved by a given wind, mixed, and in contact with the sea surface. Flux form throughout.
module energy_balance
   use constants, only: dp, pi, length_x, length_y, rho_air, air_column_capacity
   use domains, only: domain_t, halo_exchange
   use mpi, only: MPI_PROC_NULL
   implicit none
   private
   public :: air_t, start_air, step_air, surface_fluxes, air_state, set_air_state

   real(dp), parameter :: outgoing_0 = 203.3_dp, outgoing_t = 2.09_dp   ! [W m-2], [W m-2 K-1]
   real(dp), parameter :: mixing = 1.0e6_dp                             ! [m2 s-1]
   real(dp), parameter :: exchange = 20.0_dp                            ! air to sea [W m-2 K-1]
   real(dp), parameter :: drag_coefficient = 1.3e-3_dp
   integer, parameter, public :: air_variables = 3
   character(len=11), parameter, public :: air_names(air_variables) = ['temperature', 'heat_flux  ', 'stress     ']

   type :: air_t
      type(domain_t) :: d
      real(dp), allocatable :: t(:, :)        ! temperature of the column [K]
      real(dp), allocatable :: flux(:, :)     ! heat flux into the ocean [W m-2]
      real(dp), allocatable :: stress(:, :)   ! zonal stress on the ocean [N m-2]
      real(dp), allocatable :: top(:, :)      ! net radiation at the top since the start of the job [J m-2]
   end type air_t

contains

   type(air_t) function start_air(d) result(a)
      type(domain_t), intent(in) :: d
      integer :: j
      a%d = d
      associate (m => d%mine)
         allocate (a%t(m%i1 - 1:m%i2 + 1, m%j1 - 1:m%j2 + 1), source=280.0_dp)
         allocate (a%flux(m%i1:m%i2, m%j1:m%j2), source=0.0_dp)
         allocate (a%stress(m%i1:m%i2, m%j1:m%j2), source=0.0_dp)
         allocate (a%top(m%i1:m%i2, m%j1:m%j2), source=0.0_dp)
         do j = m%j1, m%j2
            a%t(:, j) = 290.0_dp - 20.0_dp*(j - 0.5_dp)*d%dy/length_y
         end do
         call halo_exchange(d, a%t)
         call surface_fluxes(a, a%t(m%i1:m%i2, m%j1:m%j2))
      end associate
   end function start_air

   ! Absorbed sunlight of row j [W m-2].
   pure real(dp) function sunlight(d, j)
      type(domain_t), intent(in) :: d
      integer, intent(in) :: j
      sunlight = 238.0_dp*(1.2_dp - 0.4_dp*(j - 0.5_dp)*d%dy/length_y)
   end function sunlight

   ! One step of `dt` seconds; the surface takes a%flux.
   subroutine step_air(a, dt)
      type(air_t), intent(inout) :: a
      real(dp), intent(in) :: dt
      real(dp) :: east(a%d%mine%i1:a%d%mine%i2 + 1, a%d%mine%j1:a%d%mine%j2)
      real(dp) :: north(a%d%mine%i1:a%d%mine%i2, a%d%mine%j1:a%d%mine%j2 + 1)
      real(dp) :: wind, radiation
      integer :: i, j
      call halo_exchange(a%d, a%t)
      associate (i1 => a%d%mine%i1, i2 => a%d%mine%i2, j1 => a%d%mine%j1, j2 => a%d%mine%j2, dx => a%d%dx, dy => a%d%dy)
         do j = j1, j2
            wind = 10.0_dp + 5.0_dp*sin(pi*(j - 0.5_dp)*dy/length_y)   ! always from the west
            do i = i1, i2 + 1
               east(i, j) = wind*a%t(i - 1, j) - mixing*(a%t(i, j) - a%t(i - 1, j))/dx
            end do
         end do
         do j = j1, j2 + 1
            north(:, j) = -mixing*(a%t(i1:i2, j) - a%t(i1:i2, j - 1))/dy
         end do
         do j = j1, j2
            do i = i1, i2
               radiation = sunlight(a%d, j) - outgoing_0 - outgoing_t*(a%t(i, j) - 273.15_dp)
               a%top(i, j) = a%top(i, j) + dt*radiation
               a%t(i, j) = a%t(i, j) - dt*((east(i + 1, j) - east(i, j))/dx + (north(i, j + 1) - north(i, j))/dy) &
                           + dt*(radiation - a%flux(i, j))/air_column_capacity
            end do
         end do
      end associate
   end subroutine step_air

   ! What the ocean gets during the next coupling step, from the sea surface temperature of this one.
   subroutine surface_fluxes(a, sea_temperature)
      type(air_t), intent(inout) :: a
      real(dp), intent(in) :: sea_temperature(a%d%mine%i1:, a%d%mine%j1:)
      real(dp) :: wind
      integer :: i, j
      call halo_exchange(a%d, a%t)
      do j = a%d%mine%j1, a%d%mine%j2
         do i = a%d%mine%i1, a%d%mine%i2
            a%flux(i, j) = exchange*(a%t(i, j) - sea_temperature(i, j)) + 0.5_dp*(sunlight(a%d, j) - 238.0_dp)
            ! Trades and westerlies, and a thermal wind.
            wind = -8.0_dp*cos(2.0_dp*pi*(j - 0.5_dp)*a%d%dy/length_y) &
                   - 1.0e6_dp*(a%t(i, j + 1) - a%t(i, j - 1))/(2.0_dp*a%d%dy)
            a%stress(i, j) = rho_air*drag_coefficient*abs(wind)*wind
         end do
      end do
   end subroutine surface_fluxes

   ! Everything that the next step needs, in the order of air_names.
   function air_state(a) result(parts)
      type(air_t), intent(in) :: a
      real(dp), allocatable :: parts(:, :, :)
      associate (m => a%d%mine)
         allocate (parts(m%i2 - m%i1 + 1, m%j2 - m%j1 + 1, air_variables))
         parts(:, :, 1) = a%t(m%i1:m%i2, m%j1:m%j2)
         parts(:, :, 2) = a%flux
         parts(:, :, 3) = a%stress
      end associate
   end function air_state

   subroutine set_air_state(a, parts)
      type(air_t), intent(inout) :: a
      real(dp), intent(in) :: parts(:, :, :)
      associate (m => a%d%mine)
         a%t(m%i1:m%i2, m%j1:m%j2) = parts(:, :, 1)
         a%flux(:, :) = parts(:, :, 2)
         a%stress(:, :) = parts(:, :, 3)
      end associate
   end subroutine set_air_state

end module energy_balance
