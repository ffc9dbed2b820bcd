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
   integer :: nn_output = 8            ! coupling steps between two outputs; 0: none
   integer :: nn_balance = 0           ! coupling steps between two lines on who waits; 0: none
   integer :: nn_restart = 20          ! coupling steps between two restarts, and one at the end; 0: none at all

   ! &namcoupling of namelist_coupled: of each field, which of the sent ones is received, and how often it is exchanged.
   integer :: nn_lag_sst = 0, nn_lag_qnet = 0, nn_lag_taux = 0         ! the one sent so many exchanges before
   integer :: nn_every_sst = 1, nn_every_qnet = 1, nn_every_taux = 1   ! every so many coupling steps

contains

   subroutine read_run_settings()
      namelist /namrun/ nn_steps, nn_first, rn_step, nn_output, nn_balance, nn_restart
      namelist /namcoupling/ nn_lag_sst, nn_lag_qnet, nn_lag_taux, nn_every_sst, nn_every_qnet, nn_every_taux
      integer :: unit, status
      open (newunit=unit, file='namelist_coupled', status='old', action='read', iostat=status)
      if (status /= 0) return
      read (unit, nml=namrun, iostat=status)
      if (status > 0) error stop 'namelist_coupled: namrun cannot be read'
      rewind (unit)
      read (unit, nml=namcoupling, iostat=status)
      if (status > 0) error stop 'namelist_coupled: namcoupling cannot be read'
      close (unit)
      if (min(nn_output, nn_balance, nn_restart, nn_lag_sst, nn_lag_qnet, nn_lag_taux) < 0 .or. &
          min(nn_every_sst, nn_every_qnet, nn_every_taux) < 1) &
         error stop 'namelist_coupled: nn_output, nn_balance, nn_restart and lags are 0 or more, &
                    &nn_every_... 1 or more'
   end subroutine read_run_settings

   ! Each step one side takes what the other sends in it: only then the heat of the two sides is the same.
   pure logical function same_step()
      same_step = nn_lag_qnet == 0 .and. nn_every_qnet == 1
   end function same_step

   pure logical function restart_is_due(step)
      integer, intent(in) :: step
      restart_is_due = .false.
      if (nn_restart > 0) restart_is_due = mod(step + 1, nn_restart) == 0 .or. step == nn_first + nn_steps - 1
   end function restart_is_due

   ! Simulated seconds at the start of a coupling step.
   pure integer(int64) function date_of(step)
      integer, intent(in) :: step
      date_of = nint(step*rn_step, int64)
   end function date_of

end module constants
