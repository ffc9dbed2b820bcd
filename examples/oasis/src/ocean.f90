! Ocean on OASIS: sends its surface temperature, receives heat and wind stress, steps, and so on. No line of cpl_lb.
program ocean
   use, intrinsic :: iso_fortran_env, only: output_unit
   use components, only: my_rank
   use constants, only: dp, read_run_settings, date_of, nn_steps, rn_step
   use domains, only: gather, halo_exchange
   use exchange
   use load, only: read_load, extra_work
   use mod_oasis, only: OASIS_Out, OASIS_In
   use shallow_water, only: ocean_t, start_ocean, step_ocean, surface_temperature
   implicit none
   integer, parameter :: substeps = 6
   type(ocean_t) :: o
   real(dp), allocatable :: whole(:, :)
   integer :: sst, heat, stress, step, substep, date

   call start_component('ocean')
   call read_run_settings()
   call read_load('namelist_ocean')
   call define_grid('ocea', 48, 36, bands=.false.)
   sst = define_field('SST', OASIS_Out)
   heat = define_field('HEATOCN', OASIS_In)
   stress = define_field('TAUXOCN', OASIS_In)
   call end_definition()
   o = start_ocean(my_domain)
   associate (m => my_domain%mine)
      do step = 0, nn_steps - 1
         date = int(date_of(step))
         call put(sst, date, surface_temperature(o))
         call get(heat, date, o%flux(m%i1:m%i2, m%j1:m%j2))
         call get(stress, date, o%stress(m%i1:m%i2, m%j1:m%j2))
         call halo_exchange(my_domain, o%stress)
         do substep = 1, substeps
            call step_ocean(o, rn_step/substeps)
         end do
         call extra_work(step)
      end do
   end associate
   call gather(my_domain, surface_temperature(o), whole)
   if (my_rank == 0) write (output_unit, '(a,f8.3,a,2f8.3,1x,z16.16)') 'ocean: mean surface temperature ', &
      sum(whole)/size(whole), ' K, from, to ', minval(whole), maxval(whole), sum(whole)
   call stop_component()
end program ocean
