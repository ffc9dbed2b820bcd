subroutine triad(n, a, b, c, s)
   integer, intent(in) :: n
   real(8), intent(in) :: b(n), c(n), s
   real(8), intent(out) :: a(n)
   integer :: i
   do i = 1, n
      a(i) = b(i) + s*c(i)
   end do
end subroutine triad

subroutine recurrence(n, a)
   integer, intent(in) :: n
   real(8), intent(inout) :: a(n)
   integer :: i
   do i = 2, n
      a(i) = 0.5d0*a(i - 1) + 1/(1 + a(i))
   end do
end subroutine recurrence
