! This process in its component, as the modules of examples/coupled ask for it. OASIS has made the communicator.
module components
   implicit none
   private
   public :: set_component
   integer, public, protected :: my_comm = 0, my_rank = 0, my_size = 0
contains
   subroutine set_component(communicator)
      integer, intent(in) :: communicator
      integer :: error
      my_comm = communicator
      call MPI_Comm_rank(my_comm, my_rank, error)
      call MPI_Comm_size(my_comm, my_size, error)
   end subroutine set_component
end module components
