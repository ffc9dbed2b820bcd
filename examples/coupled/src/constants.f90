! Kinds, physical constants and the settings that all components share.
module constants
   use, intrinsic :: iso_fortran_env, only: real64, int64, error_unit
   implicit none
   public
   integer, parameter :: dp = real64
   real(dp), parameter :: length_x = 8.0e6_dp, length_y = 6.0e6_dp   ! the common domain [m], periodic in x
   real(dp), parameter :: pi = acos(-1.0_dp)
   real(dp), parameter :: rho_water = 1025.0_dp                      ! [kg m-3]
   real(dp), parameter :: heat_capacity_water = 3990.0_dp            ! [J kg-1 K-1]
   real(dp), parameter :: rho_air = 1.2_dp                           ! [kg m-3]
   real(dp), parameter :: air_column_capacity = 1.0e7_dp             ! [J m-2 K-1]

   ! &namrun of namelist_coupled.
   integer :: nn_steps = 40            ! coupling steps of this job
   integer :: nn_first = 0             ! first coupling step; > 0: read the restarts of that step
   real(dp) :: rn_step = 10800.0_dp    ! coupling period [s]
   integer :: nn_output = 8            ! coupling steps between two outputs
   integer :: nn_restart = 20          ! coupling steps between two restarts; one is always written at the end

contains

   subroutine read_run_settings()
      namelist /namrun/ nn_steps, nn_first, rn_step, nn_output, nn_restart
      integer :: unit, status
      open (newunit=unit, file='namelist_coupled', status='old', action='read', iostat=status)
      if (status /= 0) return
      read (unit, nml=namrun, iostat=status)
      if (status > 0) error stop 'namelist_coupled: namrun cannot be read'
      close (unit)
   end subroutine read_run_settings

   ! Simulated seconds at the start of a coupling step.
   pure integer(int64) function date_of(step)
      integer, intent(in) :: step
      date_of = nint(step*rn_step, int64)
   end function date_of

end module constants
