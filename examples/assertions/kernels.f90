! Two kernels of an ocean that say what they do: the triad streams through memory, the recurrence waits for its own
! last result. cpl-lb compares what is said with what was measured, and predicts the time on other machines.
program kernels
   use mpi, only: MPI_COMM_WORLD
   use cpl_lb
   implicit none
   integer, parameter :: steps = 20
   integer :: n, step, stream, chain, i, error
   real(8), allocatable :: a(:), b(:), c(:)
   character(len=20) :: argument

   n = 2000000
   call get_command_argument(1, argument)
   if (argument /= '') read (argument, *) n
   allocate (a(n), b(n), c(n), source=1.0d0)

   call MPI_Init(error)
   call cpl_lb_init(MPI_COMM_WORLD, 'ocean')
   step = cpl_lb_region('step')
   stream = cpl_lb_region('triad')
   chain = cpl_lb_region('recurrence')

   call cpl_lb_assert_parameter('n', n)                          ! what the work depends on
   call cpl_lb_assert_parameter('steps', steps)
   call cpl_lb_assert_expression(step, 'calls', 'steps')
   call cpl_lb_assert_expression(stream, 'flops', '2*n')         ! of one call
   call cpl_lb_assert_expression(stream, 'loads', '2*n')
   call cpl_lb_assert_expression(stream, 'stores', 'n')
   call cpl_lb_assert_expression(stream, 'mv', '01')             ! one thread, vectorised: the compiler's report says so
   call cpl_lb_assert_expression(stream, 'sl', '2')              ! neighbours in memory
   call cpl_lb_assert_expression(stream, 'tl', '0')              ! no number is used twice
   call cpl_lb_assert_expression(chain, 'flops', '2*(n - 1)')
   call cpl_lb_assert_expression(chain, 'loads', 'n - 1')        ! the last result is at hand
   call cpl_lb_assert_expression(chain, 'stores', 'n - 1')
   call cpl_lb_assert_expression(chain, 'mv', '00')
   call cpl_lb_assert_expression(chain, 'sl', '2')
   call cpl_lb_assert_expression(chain, 'tl', '0')

   do i = 1, steps
      call cpl_lb_region_begin(step)
      call cpl_lb_region_begin(stream)
      call triad(a, b, c, 0.5d0)
      call cpl_lb_region_end(stream)
      call cpl_lb_region_begin(chain)
      call recurrence(a)
      call cpl_lb_region_end(chain)
      call cpl_lb_region_end(step)
   end do
   if (.not. a(n) > 0) error stop 1                              ! the results are used
   call cpl_lb_terminate(0.0d0)
   call MPI_Finalize(error)

contains

   subroutine triad(a, b, c, s)
      real(8), intent(out) :: a(:)
      real(8), intent(in) :: b(:), c(:), s
      integer :: i
      do i = 1, size(a)
         a(i) = b(i) + s*c(i)
      end do
   end subroutine triad

   subroutine recurrence(a)
      real(8), intent(inout) :: a(:)
      integer :: i
      do i = 2, size(a)
         a(i) = 0.5d0*a(i - 1) + a(i)
      end do
   end subroutine recurrence

end program kernels
