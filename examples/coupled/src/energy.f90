! The books: what the atmosphere gave to the surface is what the ocean got, to rounding.
module energy
   use, intrinsic :: iso_fortran_env, only: output_unit
   use constants, only: dp
   use components, only: all_components, my_component, my_rank, find_component
   use mpi, only: MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_STATUS_SIZE
   use waiting, only: wait_all
   implicit none
   private
   public :: print_budget, compare_interface

contains

   ! Change of the heat content against what came in, relative to the content. All in J, on the first process.
   subroutine print_budget(before, after, received)
      real(dp), intent(in) :: before, after, received
      if (my_rank > 0) return
      write (output_unit, '(a,a,a,es10.3)') 'energy ', trim(all_components(my_component)%name), &
         ' budget: relative error ', abs(after - before - received)/abs(after)
   end subroutine print_budget

   ! Each side gives the sum over cells and time of flux x area x time [J], and the same of its absolute value.
   subroutine compare_interface(net, gross)
      real(dp), intent(in) :: net, gross
      real(dp), asynchronous :: mine(2), theirs(2)
      integer :: request(1), error, other
      if (my_rank > 0) return
      if (all_components(my_component)%name == 'ocean') then
         mine = [net, gross]
         other = all_components(find_component('atmosphere'))%ranks(1)
         call MPI_Isend(mine, 2, MPI_DOUBLE_PRECISION, other, 91, MPI_COMM_WORLD, request(1), error)
         call wait_all(request)
      else
         other = all_components(find_component('ocean'))%ranks(1)
         call MPI_Irecv(theirs, 2, MPI_DOUBLE_PRECISION, other, 91, MPI_COMM_WORLD, request(1), error)
         call wait_all(request)
         write (output_unit, '(2(a,es23.15),a,es10.3)') 'energy interface: atmosphere gave', net, ' J, ocean got', &
            theirs(1), ' J, relative error ', abs(net - theirs(1))/gross
      end if
   end subroutine compare_interface

end module energy
