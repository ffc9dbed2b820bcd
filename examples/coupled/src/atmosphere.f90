! The atmosphere component: energy balance and winds on a coarser grid, decomposed into latitude bands.
program atmosphere
   use constants, only: dp, length_x, air_column_capacity, read_run_settings, date_of, nn_steps, nn_first, rn_step, &
                        nn_lag_sst, nn_every_sst, nn_lag_qnet, nn_every_qnet, nn_lag_taux, nn_every_taux, same_step, &
                        restart_is_due
   use components, only: start_components, stop_components
   use coupler, only: coupling_field_t, my_domain, define_partition, define_field, end_definition, put, get, finish_get, &
                      finish_put, tell_balance
   use energy, only: print_budget, compare_interface
   use energy_balance
   use load, only: read_load, dynamics_work, extra_work
   use state
   use mpi, only: MPI_COMM_WORLD
   use cpl_lb
   implicit none
   integer, parameter :: sst = 1, heat = 2, stress = 3
   integer :: nn_nx = 20, nn_ny = 14, nn_substeps = 4   ! cells; atmosphere steps in a coupling step
   type(coupling_field_t) :: fields(3)
   type(air_t) :: a
   real(dp), allocatable :: sea_temperature(:, :)
   real(dp), allocatable :: given(:, :), gross(:, :)   ! to the ocean since the start of the job [J m-2]
   real(dp) :: content
   integer :: step, dynamics, physics

   call start_components('atmosphere')
   call read_run_settings()
   call read_settings()
   call cpl_lb_init(MPI_COMM_WORLD, 'atmosphere')
   call define()
   call start()
   do step = nn_first, nn_first + nn_steps - 1
      call cpl_lb_date(date_of(step))
      call exchange()
      call advance()
      call save_results()
      call tell_balance(step)
   end do
   call finish()
   call cpl_lb_terminate(nn_steps*rn_step)
   call stop_components()

contains

   subroutine read_settings()
      namelist /namatmosphere/ nn_nx, nn_ny, nn_substeps
      integer :: unit, status
      open (newunit=unit, file='namelist_atmosphere', status='old', action='read', iostat=status)
      if (status == 0) then
         read (unit, nml=namatmosphere, iostat=status)
         if (status > 0) error stop 'namelist_atmosphere: namatmosphere cannot be read'
         close (unit)
      end if
      call read_load('namelist_atmosphere')
   end subroutine read_settings

   ! What cpl_lb and the coupler need to know, once.
   subroutine define()
      call cpl_lb_set_grid(nn_nx*nn_ny, 1)
      call cpl_lb_set_cell_size(1.0e-3_dp*length_x/nn_nx, 10.0_dp)
      call cpl_lb_set_complexity(real(air_variables, dp))
      call cpl_lb_set_state_bytes(8.0_dp*air_variables*nn_nx*nn_ny)
      call cpl_lb_set_length(nn_steps*rn_step)
      dynamics = cpl_lb_region('atmosphere dynamics')
      physics = cpl_lb_region('atmosphere physics')
      call define_partition(nn_nx, nn_ny, bands=.true.)
      associate (m => my_domain%mine)   ! for the map of the computing time
         call cpl_lb_set_domain([my_domain%nx, my_domain%ny], [m%i1, m%j1], [m%i2 - m%i1 + 1, m%j2 - m%j1 + 1])
      end associate
      fields(sst) = define_field('SST', 'ocean', 'atmosphere', nn_lag_sst, nn_every_sst)
      fields(heat) = define_field('QNET', 'atmosphere', 'ocean', nn_lag_qnet, nn_every_qnet)
      fields(stress) = define_field('TAUX', 'atmosphere', 'ocean', nn_lag_taux, nn_every_taux)
      call end_definition(fields)
   end subroutine define

   subroutine start()
      real(dp), allocatable :: parts(:, :, :)
      a = start_air(my_domain)
      if (nn_first > 0) then
         parts = air_state(a)
         call read_restart(my_domain, nn_first, air_names, parts)
         call set_air_state(a, parts)
      end if
      given = 0.0_dp*a%flux
      gross = given
      associate (m => my_domain%mine)   ! with a lag, until the first one comes: no heat flux but of the sun
         sea_temperature = a%t(m%i1:m%i2, m%j1:m%j2)
      end associate
      content = heat_content()
   end subroutine start

   ! The heat in the air [J], on the first process.
   real(dp) function heat_content()
      associate (m => my_domain%mine)
         heat_content = air_column_capacity*my_domain%dx*my_domain%dy*total(my_domain, a%t(m%i1:m%i2, m%j1:m%j2))
      end associate
   end function heat_content

   subroutine exchange()
      call put(fields(heat), step, a%flux)
      call put(fields(stress), step, a%stress)
      call get(fields(sst), step, sea_temperature)
      given = given + rn_step*a%flux
      gross = gross + rn_step*abs(a%flux)
   end subroutine exchange

   subroutine advance()
      integer :: substep
      call cpl_lb_region_begin(dynamics)
      do substep = 1, nn_substeps
         call step_air(a, rn_step/nn_substeps)
      end do
      call surface_fluxes(a, sea_temperature)
      call dynamics_work()
      call cpl_lb_region_end(dynamics)
      call cpl_lb_region_begin(physics)
      call extra_work(step)
      call cpl_lb_region_end(physics)
   end subroutine advance

   subroutine save_results()
      call write_output(my_domain, step, air_names, air_state(a))
      if (restart_is_due(step)) call write_restart(my_domain, step + 1, air_names, air_state(a))
   end subroutine save_results

   subroutine finish()
      real(dp) :: area, sum_given
      call finish_get(fields(sst))
      call finish_put(fields(heat))
      call finish_put(fields(stress))
      call finish_output()
      area = my_domain%dx*my_domain%dy
      sum_given = area*total(my_domain, given)
      call print_budget(content, heat_content(), area*total(my_domain, a%top) - sum_given)
      if (same_step()) call compare_interface(sum_given, area*total(my_domain, gross))
      call print_checksum(my_domain, air_state(a))
   end subroutine finish

end program atmosphere
