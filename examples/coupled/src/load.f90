! Extra work for each coupling step, so that any load imbalance can be made: &namload of namelist_<component>.
module load
   use constants, only: dp
   use components, only: my_rank, my_size
   use waiting, only: nap, compute_for
   implicit none
   private
   public :: read_load, dynamics_work, extra_work

   real(dp) :: rn_load = 0.0_dp        ! [s] in each coupling step on every process, however many there are ...
   real(dp) :: rn_shared = 0.0_dp      ! ... and so many seconds shared by them: a/p + k with a = rn_shared, k = rn_load
   real(dp) :: rn_imbalance = 0.0_dp   ! the first process does 1 - rn_imbalance times that, the last 1 + rn_imbalance
   integer :: nn_heavy = 0             ! every so many coupling steps (0: never) ...
   real(dp) :: rn_heavy = 0.0_dp       ! ... so many seconds more on every process (radiation, say)
   real(dp) :: rn_late = 0.0_dp        ! so many seconds more ...
   integer :: nn_late_first = 0        ! ... on the processes from this one ...
   integer :: nn_late_last = 0         ! ... to this one (from 0) ...
   integer :: nn_late_every = 1        ! ... in each so many coupling steps ...
   integer :: nn_late_steps = 1        ! ... in so many of them: a piece of the day
   real(dp) :: rn_dynamics = 0.0_dp    ! so many seconds in the dynamics, shared by the processes
   real(dp) :: rn_faster = 1.0_dp      ! all that goes so many times faster: a port, another compiler ...
   real(dp) :: rn_faster_dynamics = 1.0_dp, rn_faster_physics = 1.0_dp   ! ... or one region of it
   logical :: ln_busy = .false.        ! keep the processor busy instead of sleeping

contains

   subroutine read_load(file)
      character(len=*), intent(in) :: file
      namelist /namload/ rn_load, rn_shared, rn_imbalance, nn_heavy, rn_heavy, ln_busy, &
         rn_late, nn_late_first, nn_late_last, nn_late_every, nn_late_steps, &
         rn_dynamics, rn_faster, rn_faster_dynamics, rn_faster_physics
      integer :: unit, status
      open (newunit=unit, file=file, status='old', action='read', iostat=status)
      if (status /= 0) return
      read (unit, nml=namload, iostat=status)
      if (status > 0) error stop 'namload cannot be read'
      close (unit)
      if (min(rn_faster, rn_faster_dynamics, rn_faster_physics) <= 0.0_dp) error stop 'namload: rn_faster... are above 0'
   end subroutine read_load

   ! In the region of the dynamics.
   subroutine dynamics_work()
      if (rn_dynamics > 0.0_dp) call work_for(rn_dynamics/my_size/(rn_faster*rn_faster_dynamics))
   end subroutine dynamics_work

   ! In the region of the physics.

   subroutine extra_work(step)
      integer, intent(in) :: step
      real(dp) :: seconds
      seconds = rn_load + rn_shared/my_size
      if (my_size > 1) seconds = seconds*(1.0_dp + rn_imbalance*(2.0_dp*my_rank/(my_size - 1) - 1.0_dp))
      if (nn_heavy > 0) then
         if (mod(step + 1, nn_heavy) == 0) seconds = seconds + rn_heavy
      end if
      if (my_rank >= nn_late_first .and. my_rank <= nn_late_last) then
         if (mod(step, max(nn_late_every, 1)) < nn_late_steps) seconds = seconds + rn_late
      end if
      call work_for(seconds/(rn_faster*rn_faster_physics))
   end subroutine extra_work

   subroutine work_for(seconds)
      real(dp), intent(in) :: seconds
      if (ln_busy) then
         call compute_for(seconds)
      else
         call nap(seconds)
      end if
   end subroutine work_for

end module load
