! I/O server: receives the output of the other components in turn and writes it; takes no part in the coupling.
program ioserver
   use constants, only: dp, read_run_settings, nn_first, nn_steps, nn_output, rn_step
   use components, only: all_components, my_component, my_rank, my_size, start_components, stop_components
   use coupler, only: coupling_field_t, end_definition
   use files, only: append_record
   use state, only: header_length, output_tag
   use waiting, only: nap
   use mpi, only: MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_STATUS_SIZE
   use cpl_lb
   implicit none
   type(coupling_field_t) :: none(0)
   integer :: sender, output

   call start_components('ioserver')
   call read_run_settings()
   call cpl_lb_init(MPI_COMM_WORLD, 'ioserver')
   call cpl_lb_set_io_server(1)   ! its waiting for data is idle time
   call end_definition(none)
   do output = 1, number_of_outputs()
      do sender = 1, size(all_components)
         if (sender /= my_component .and. mod(sender, my_size) == my_rank) call receive(sender)
      end do
   end do
   call cpl_lb_terminate(nn_steps*rn_step)
   call stop_components()

contains

   pure integer function number_of_outputs()
      number_of_outputs = 0
      if (nn_output > 0) number_of_outputs = (nn_first + nn_steps)/nn_output - nn_first/nn_output
   end function number_of_outputs

   ! What one component sends of one date.
   subroutine receive(sender)
      integer, intent(in) :: sender
      real(dp), allocatable :: message(:)
      integer :: status(MPI_STATUS_SIZE), rank, length, error, field
      logical :: there
      rank = all_components(sender)%ranks(1)
      field = cpl_lb_field('output', all_components(sender)%name)
      call cpl_lb_begin(CPL_LB_GET, field)
      there = .false.
      do while (.not. there)
         call MPI_Iprobe(rank, output_tag, MPI_COMM_WORLD, there, status, error)
         if (.not. there) call nap(5.0e-4_dp)
      end do
      call MPI_Get_count(status, MPI_DOUBLE_PRECISION, length, error)
      allocate (message(length))
      call MPI_Recv(message, length, MPI_DOUBLE_PRECISION, rank, output_tag, MPI_COMM_WORLD, status, error)
      call cpl_lb_end(CPL_LB_GET, field)
      call write_message(message)
   end subroutine receive

   ! One field after the other: a header, then its cells.
   subroutine write_message(message)
      real(dp), intent(in) :: message(:)
      integer :: at, cells
      at = 1
      do while (at <= size(message))
         cells = nint(message(at))*nint(message(at + 1))
         call write_field(message(at:at + header_length - 1), message(at + header_length:at + header_length + cells - 1))
         at = at + header_length + cells
      end do
   end subroutine write_message

   subroutine write_field(header, cells)
      real(dp), intent(in) :: header(header_length), cells(:)
      character(len=header_length - 5) :: name
      character(len=16) :: component
      integer :: n, field
      do n = 1, len(name)
         name(n:n) = achar(nint(header(5 + n)))
      end do
      component = all_components(nint(header(5)))%name
      field = cpl_lb_field(name, component)
      call cpl_lb_begin(CPL_LB_OUT, field)
      call append_record('output_'//trim(component)//'.nc', trim(name), nint(header(3)), header(4), &
                         reshape(cells, [nint(header(1)), nint(header(2))]))
      call cpl_lb_end(CPL_LB_OUT, field)
      call cpl_lb_add_output_bytes(8.0_dp*size(cells))
   end subroutine write_field

end program ioserver
