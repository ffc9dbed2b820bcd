! What every component does with its state: restarts, checksums, sums, and output to the I/O server.
module state
   use, intrinsic :: iso_fortran_env, only: int64, output_unit
   use constants, only: dp, date_of, nn_output
   use components, only: all_components, my_component, my_rank, find_component
   use domains, only: domain_t, gather, scatter
   use files, only: create_restart, open_restart, close_file, write_field, read_field, append_record
   use mpi, only: MPI_COMM_WORLD, MPI_DOUBLE_PRECISION
   use waiting, only: wait_all
   use cpl_lb
   implicit none
   private
   public :: write_restart, read_restart, print_checksum, write_output, finish_output, total

   integer, parameter, public :: header_length = 24, output_tag = 90
   real(dp), allocatable, asynchronous :: outgoing(:)   ! last message to the I/O server
   integer, allocatable :: output_request(:)

contains

   function restart_file(step) result(path)
      integer, intent(in) :: step
      character(len=:), allocatable :: path
      character(len=8) :: digits
      write (digits, '(i8.8)') step
      path = 'restart_'//trim(all_components(my_component)%name)//'_'//digits//'.nc'
   end function restart_file

   ! State at the start of coupling step `step`.
   subroutine write_restart(d, step, names, parts)
      type(domain_t), intent(in) :: d
      integer, intent(in) :: step
      character(len=*), intent(in) :: names(:)
      real(dp), intent(in) :: parts(:, :, :)
      real(dp), allocatable :: whole(:, :)
      integer :: id, n
      call cpl_lb_begin(CPL_LB_RST, 0)
      id = -1
      if (my_rank == 0) id = create_restart(restart_file(step), d%nx, d%ny)
      do n = 1, size(names)
         call gather(d, parts(:, :, n), whole)
         if (my_rank == 0) call write_field(id, names(n), whole)
      end do
      if (my_rank == 0) call close_file(id)
      call cpl_lb_end(CPL_LB_RST, 0)
   end subroutine write_restart

   subroutine read_restart(d, step, names, parts)
      type(domain_t), intent(in) :: d
      integer, intent(in) :: step
      character(len=*), intent(in) :: names(:)
      real(dp), intent(out) :: parts(:, :, :)
      real(dp) :: whole(d%nx, d%ny)
      integer :: id, n
      call cpl_lb_begin(CPL_LB_READ, 0)
      whole = 0.0_dp
      id = -1
      if (my_rank == 0) id = open_restart(restart_file(step))
      do n = 1, size(names)
         if (my_rank == 0) call read_field(id, names(n), whole)
         call scatter(d, whole, parts(:, :, n))
      end do
      if (my_rank == 0) call close_file(id)
      call cpl_lb_end(CPL_LB_READ, 0)
   end subroutine read_restart

   ! 64 bits that change with any bit of the state.
   subroutine print_checksum(d, parts)
      type(domain_t), intent(in) :: d
      real(dp), intent(in) :: parts(:, :, :)
      real(dp), allocatable :: whole(:, :)
      integer(int64) :: sum
      integer :: i, j, n
      sum = 0
      do n = 1, size(parts, 3)
         call gather(d, parts(:, :, n), whole)
         do j = 1, size(whole, 2)
            do i = 1, size(whole, 1)
               sum = ieor(ishftc(sum, 7), transfer(whole(i, j), sum))
            end do
         end do
      end do
      if (my_rank == 0) write (output_unit, '(a,a,1x,z16.16)') 'checksum ', trim(all_components(my_component)%name), sum
   end subroutine print_checksum

   ! Sum over the cells, on the component's first process, in the order of the grid.
   real(dp) function total(d, part)
      type(domain_t), intent(in) :: d
      real(dp), intent(in) :: part(:, :)
      real(dp), allocatable :: whole(:, :)
      call gather(d, part, whole)
      total = sum(whole)
   end function total

   ! To the I/O server, all fields in one message, or to a file where the job has none.
   subroutine write_output(d, step, names, parts)
      type(domain_t), intent(in) :: d
      integer, intent(in) :: step
      character(len=*), intent(in) :: names(:)
      real(dp), intent(in) :: parts(:, :, :)
      real(dp), allocatable :: whole(:, :), message(:)
      integer, save :: record = 0
      integer :: n, field
      if (nn_output == 0) return
      if (mod(step + 1, nn_output) /= 0) return
      record = record + 1
      allocate (message(0))
      do n = 1, size(names)
         field = cpl_lb_field(names(n), 'ioserver')
         call cpl_lb_begin(CPL_LB_OUT, field)
         call gather(d, parts(:, :, n), whole)
         if (my_rank == 0) call deliver(names(n), record, real(date_of(step + 1), dp), whole, message)
         call cpl_lb_end(CPL_LB_OUT, field)
      end do
      if (my_rank == 0 .and. has_server()) call send_to_server(message)
   end subroutine write_output

   logical function has_server()
      has_server = find_component('ioserver') > 0
   end function has_server

   ! To the file, or to the end of the message.
   subroutine deliver(name, record, seconds, field, message)
      character(len=*), intent(in) :: name
      integer, intent(in) :: record
      real(dp), intent(in) :: seconds, field(:, :)
      real(dp), allocatable, intent(inout) :: message(:)
      real(dp) :: header(header_length)
      if (has_server()) then
         header(1:5) = [real(size(field, 1), dp), real(size(field, 2), dp), real(record, dp), seconds, &
                        real(my_component, dp)]
         header(6:) = letters(name, header_length - 5)
         message = [message, header, reshape(field, [size(field)])]
      else
         call append_record('output_'//trim(all_components(my_component)%name)//'.nc', name, record, seconds, field)
         call cpl_lb_add_output_bytes(8.0_dp*size(field))
      end if
   end subroutine deliver

   ! The last message has left.
   subroutine finish_output()
      if (allocated(output_request)) call wait_all(output_request)
   end subroutine finish_output

   ! Buffered: waits for the last message, not for this one. What the server makes its clients wait is in this PUT.
   subroutine send_to_server(message)
      real(dp), intent(in) :: message(:)
      integer :: field, error
      field = cpl_lb_field('output', 'ioserver')
      call cpl_lb_begin(CPL_LB_PUT, field)
      if (.not. allocated(output_request)) allocate (output_request(0))
      call wait_all(output_request)
      output_request = [0]
      outgoing = message
      associate (server => all_components(find_component('ioserver')))
         call MPI_Isend(outgoing, size(outgoing), MPI_DOUBLE_PRECISION, &
                        server%ranks(1 + mod(my_component, size(server%ranks))), output_tag, MPI_COMM_WORLD, &
                        output_request(1), error)
      end associate
      call cpl_lb_end(CPL_LB_PUT, field)
   end subroutine send_to_server

   pure function letters(name, n) result(codes)
      character(len=*), intent(in) :: name
      integer, intent(in) :: n
      real(dp) :: codes(n)
      integer :: i
      codes = real(iachar(' '), dp)
      do i = 1, min(len(name), n)
         codes(i) = real(iachar(name(i:i)), dp)
      end do
   end function letters

end module state
