! I/O server: receives the output of the other components and writes it; exchanges no coupling field.
program ioserver
   use constants, only: dp, read_run_settings, nn_steps, rn_step
   use components, only: all_components, my_component, my_rank, my_size, start_components, stop_components
   use coupler, only: coupling_field_t, end_definition
   use files, only: append_record
   use state, only: header_length, output_tag
   use waiting, only: nap
   use mpi, only: MPI_ANY_SOURCE, MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_SOURCE, MPI_STATUS_SIZE
   use cpl_lb
   implicit none
   type(coupling_field_t) :: none(0)
   integer :: sender, left, code, data_id

   call start_components('ioserver')
   call read_run_settings()
   call cpl_lb_init(MPI_COMM_WORLD, 'ioserver')
   call cpl_lb_set_io_server(1)
   data_id = cpl_lb_field('output data', '')   ! from anybody: its waiting for them is idle time
   call end_definition(none)
   left = 0
   do sender = 1, size(all_components)
      if (sender /= my_component .and. mod(sender, my_size) == my_rank) left = left + 1
   end do
   do while (left > 0)
      call receive(code)
      if (code == 0) left = left - 1
   end do
   call cpl_lb_terminate(nn_steps*rn_step)
   call stop_components()

contains

   ! One message; code 0: the last of its sender.
   subroutine receive(code)
      integer, intent(out) :: code
      real(dp), allocatable :: message(:)
      integer :: status(MPI_STATUS_SIZE), length, error
      logical :: there
      call cpl_lb_begin(CPL_LB_GET, data_id)
      there = .false.
      do while (.not. there)
         call MPI_Iprobe(MPI_ANY_SOURCE, output_tag, MPI_COMM_WORLD, there, status, error)
         if (.not. there) call nap(5.0e-4_dp)
      end do
      call MPI_Get_count(status, MPI_DOUBLE_PRECISION, length, error)
      allocate (message(length))
      call MPI_Recv(message, length, MPI_DOUBLE_PRECISION, status(MPI_SOURCE), output_tag, MPI_COMM_WORLD, status, error)
      call cpl_lb_end(CPL_LB_GET, data_id)
      code = nint(message(1))
      if (code == 1) call write_message(message)
   end subroutine receive

   subroutine write_message(message)
      real(dp), intent(in) :: message(:)
      character(len=header_length - 6) :: name
      character(len=16) :: component
      integer :: n, field, nx, ny
      do n = 1, len(name)
         name(n:n) = achar(nint(message(6 + n)))
      end do
      nx = nint(message(2))
      ny = nint(message(3))
      component = all_components(nint(message(6)))%name
      field = cpl_lb_field(name, component)
      call cpl_lb_begin(CPL_LB_OUT, field)
      call append_record('output_'//trim(component)//'.nc', trim(name), nint(message(4)), message(5), &
                         reshape(message(header_length + 1:), [nx, ny]))
      call cpl_lb_end(CPL_LB_OUT, field)
      call cpl_lb_add_output_bytes(8.0_dp*nx*ny)
   end subroutine write_message

end program ioserver
