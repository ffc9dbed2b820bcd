! Waiting and working: several processes share a core here, so nobody spins.
module waiting
   use, intrinsic :: iso_c_binding, only: c_int
   use constants, only: dp, int64
   use mpi, only: MPI_STATUSES_IGNORE
   implicit none
   private
   public :: nap, compute_for, wait_all

   interface
      integer(c_int) function c_usleep(microseconds) bind(c, name='usleep')
         import :: c_int
         integer(c_int), value :: microseconds
      end function c_usleep
   end interface

contains

   subroutine nap(seconds)
      real(dp), intent(in) :: seconds
      real(dp) :: left
      integer(c_int) :: ignored
      left = seconds
      do while (left > 0.0_dp)   ! usleep takes less than a second
         ignored = c_usleep(int(1.0e6_dp*min(left, 0.5_dp), c_int))
         left = left - 0.5_dp
      end do
   end subroutine nap

   ! Keeps the processor busy, so that a share of a core counts.
   subroutine compute_for(seconds)
      real(dp), intent(in) :: seconds
      integer(int64) :: start, now, rate
      call system_clock(start, rate)
      do
         call system_clock(now)
         if (real(now - start, dp) >= seconds*real(rate, dp)) exit
      end do
   end subroutine compute_for

   ! MPI_Waitall that sleeps: the buffers of the requests must have the asynchronous attribute at the caller.
   subroutine wait_all(requests)
      integer, intent(inout) :: requests(:)
      logical :: done
      integer :: error, tests
      tests = 0
      do
         call MPI_Testall(size(requests), requests, done, MPI_STATUSES_IGNORE, error)
         if (done) exit
         tests = tests + 1
         if (tests > 10) call nap(2.0e-5_dp)
      end do
   end subroutine wait_all

end module waiting
