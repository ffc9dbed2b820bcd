! A model on the double of OASIS that knows nothing of cpl_lb: `oasis_model model_a` or `oasis_model model_b`. Its
! result is one line, the same bits with and without the adapter.
program oasis_model
  use mod_oasis_getput_interface
  use mod_oasis_method
  use mod_oasis_part
  use mod_oasis_var
  implicit none
  character(len=80) :: name
  integer :: id, part, error, t, f, g, h
  real(8) :: values(2)
  call get_command_argument(1, name)
  error = 0
  values = 0
  call oasis_init_comp(id, trim(name), error)
  call oasis_def_partition(part, 2)
  if (id == 1) then
     f = double_var('A_F')
     g = double_var('A_G')
  else
     f = double_var('B_F')
     g = double_var('B_G')
     h = double_var('B_H')
  end if
  call oasis_enddef(error)
  do t = 0, 4 * 3600 - 1800, 1800
     if (id == 1) then
        call oasis_put(f, t, values, error)
        call oasis_put(g, t, values, error)
     else
        call oasis_get(f, t, values, error)
        call oasis_get(g, t, values, error)
        call oasis_get(h, t, values, error)
     end if
  end do
  if (id == 2) write(*, '(a,2z18.16)') 'result ', values
  call oasis_terminate(error)
end program oasis_model
