! The ocean component: shallow water, two-dimensional decomposition.
program ocean
   use constants, only: dp, length_x, rho_water, heat_capacity_water, read_run_settings, date_of, &
                        nn_steps, nn_first, rn_step, nn_lag_sst, nn_every_sst, nn_lag_qnet, nn_every_qnet, &
                        nn_lag_taux, nn_every_taux, same_step, restart_is_due
   use components, only: start_components, stop_components
   use coupler, only: coupling_field_t, my_domain, define_partition, define_field, end_definition, put, get, finish_get, &
                      finish_put, tell_balance
   use domains, only: halo_exchange
   use energy, only: print_budget, compare_interface
   use load, only: read_load, dynamics_work, extra_work
   use shallow_water
   use state
   use mpi, only: MPI_COMM_WORLD
   use cpl_lb
   implicit none
   integer, parameter :: sst = 1, heat = 2, stress = 3
   integer :: nn_nx = 48, nn_ny = 36, nn_substeps = 6   ! cells; ocean steps in a coupling step
   type(coupling_field_t) :: fields(3)
   type(ocean_t) :: o
   real(dp), allocatable :: received(:, :), gross(:, :)   ! since the start of the job [J m-2]
   real(dp) :: content
   integer :: step, dynamics, physics

   call start_components('ocean')
   call read_run_settings()
   call read_settings()
   call cpl_lb_init(MPI_COMM_WORLD, 'ocean')
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
      namelist /namocean/ nn_nx, nn_ny, nn_substeps
      integer :: unit, status
      open (newunit=unit, file='namelist_ocean', status='old', action='read', iostat=status)
      if (status == 0) then
         read (unit, nml=namocean, iostat=status)
         if (status > 0) error stop 'namelist_ocean: namocean cannot be read'
         close (unit)
      end if
      call read_load('namelist_ocean')
   end subroutine read_settings

   ! What cpl_lb and the coupler need to know, once.
   subroutine define()
      call cpl_lb_set_grid(nn_nx*nn_ny, 1)
      call cpl_lb_set_cell_size(1.0e-3_dp*length_x/nn_nx, 0.1_dp)
      call cpl_lb_set_complexity(real(ocean_variables, dp))
      call cpl_lb_set_state_bytes(8.0_dp*ocean_variables*nn_nx*nn_ny)
      call cpl_lb_set_length(nn_steps*rn_step)
      dynamics = cpl_lb_region('ocean dynamics')
      physics = cpl_lb_region('ocean physics')
      call define_partition(nn_nx, nn_ny, bands=.false.)
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
      o = start_ocean(my_domain)
      if (nn_first > 0) then
         parts = ocean_state(o)
         call read_restart(my_domain, nn_first, ocean_names, parts)
         call set_ocean_state(o, parts)
      end if
      received = 0.0_dp*surface_temperature(o)
      gross = received
      content = heat_content()
   end subroutine start

   ! The heat in the ocean [J], on the first process.
   real(dp) function heat_content()
      associate (m => my_domain%mine)
         heat_content = rho_water*heat_capacity_water*my_domain%dx*my_domain%dy &
                        *total(my_domain, o%heat(m%i1:m%i2, m%j1:m%j2))
      end associate
   end function heat_content

   subroutine exchange()
      call put(fields(sst), step, surface_temperature(o))
      associate (m => my_domain%mine)
         call get(fields(heat), step, o%flux(m%i1:m%i2, m%j1:m%j2))
         call get(fields(stress), step, o%stress(m%i1:m%i2, m%j1:m%j2))
         received = received + rn_step*o%flux(m%i1:m%i2, m%j1:m%j2)
         gross = gross + rn_step*abs(o%flux(m%i1:m%i2, m%j1:m%j2))
      end associate
   end subroutine exchange

   subroutine advance()
      integer :: substep
      call cpl_lb_region_begin(dynamics)
      call halo_exchange(my_domain, o%stress)
      do substep = 1, nn_substeps
         call step_ocean(o, rn_step/nn_substeps)
      end do
      call dynamics_work()
      call cpl_lb_region_end(dynamics)
      call cpl_lb_region_begin(physics)
      call extra_work(step)
      call cpl_lb_region_end(physics)
   end subroutine advance

   subroutine save_results()
      call write_output(my_domain, step, ocean_names, ocean_state(o))
      if (restart_is_due(step)) call write_restart(my_domain, step + 1, ocean_names, ocean_state(o))
   end subroutine save_results

   subroutine finish()
      real(dp) :: area
      call finish_get(fields(heat))
      call finish_get(fields(stress))
      call finish_put(fields(sst))
      call finish_output()
      area = my_domain%dx*my_domain%dy
      call print_budget(content, heat_content(), area*total(my_domain, received))
      if (same_step()) call compare_interface(area*total(my_domain, received), area*total(my_domain, gross))
      call print_checksum(my_domain, ocean_state(o))
   end subroutine finish

end program ocean
