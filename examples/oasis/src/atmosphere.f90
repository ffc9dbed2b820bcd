! Atmosphere on OASIS: sends heat and wind stress, receives the sea surface temperature. No line of cpl_lb.
program atmosphere
   use, intrinsic :: iso_fortran_env, only: output_unit
   use components, only: my_rank
   use constants, only: dp, read_run_settings, date_of, nn_steps, rn_step
   use domains, only: gather
   use energy_balance, only: air_t, start_air, step_air, surface_fluxes
   use exchange
   use load, only: read_load, extra_work
   use mod_oasis, only: OASIS_Out, OASIS_In
   implicit none
   integer, parameter :: substeps = 4
   type(air_t) :: a
   real(dp), allocatable :: sea(:, :), whole(:, :)
   integer :: sst, heat, stress, step, substep, date

   call start_component('atmos') ! OASIS3-MCT 3.0 knows names of six letters
   call read_run_settings()
   call read_load('namelist_atmosphere')
   call define_grid('atmo', 20, 14, bands=.true.)
   heat = define_field('HEAT', OASIS_Out)
   stress = define_field('TAUX', OASIS_Out)
   sst = define_field('SSTATM', OASIS_In)
   call end_definition()
   a = start_air(my_domain)
   sea = 0.0_dp*a%flux
   do step = 0, nn_steps - 1
      date = int(date_of(step))
      call put(heat, date, a%flux)
      call put(stress, date, a%stress)
      call get(sst, date, sea)
      do substep = 1, substeps
         call step_air(a, rn_step/substeps)
      end do
      call surface_fluxes(a, sea)
      call extra_work(step)
   end do
   associate (m => my_domain%mine)
      call gather(my_domain, a%t(m%i1:m%i2, m%j1:m%j2), whole)
   end associate
   if (my_rank == 0) write (output_unit, '(a,f8.3,a,2f8.3,1x,z16.16)') 'atmosphere: mean temperature ', &
      sum(whole)/size(whole), ' K, from, to ', minval(whole), maxval(whole), sum(whole)
   call stop_component()
end program atmosphere
