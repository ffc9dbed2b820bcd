! First-order conservative interpolation between two uniform grids of the same domain: a target cell gets the mean of
! the source cells it overlaps, weighted by the areas of the overlaps (Jones 1999, doi
! 10.1175/1520-0493(1999)127<2204:FASOCR>2.0.CO;2, section 3, for the general case). The overlaps are products of two
! lengths, which are integers in units of 1 / (cells of the source x cells of the target): nothing is lost in them.
module remapping
   use constants, only: dp
   use domains, only: rectangle_t
   implicit none
   private
   public :: footprint_of, remap

contains

   ! Source cells (of nx times ny) that the target cells of a rectangle (in a grid of mx times my) overlap.
   pure type(rectangle_t) function footprint_of(target_cells, mx, my, nx, ny) result(r)
      type(rectangle_t), intent(in) :: target_cells
      integer, intent(in) :: mx, my, nx, ny
      r%i1 = (target_cells%i1 - 1)*nx/mx + 1
      r%i2 = (target_cells%i2*nx + mx - 1)/mx
      r%j1 = (target_cells%j1 - 1)*ny/my + 1
      r%j2 = (target_cells%j2*ny + my - 1)/my
   end function footprint_of

   ! Fraction of target cell k (of m) that source cell i (of n) covers.
   pure real(dp) function overlap(i, n, k, m)
      integer, intent(in) :: i, n, k, m
      overlap = real(max(0, min(i*m, k*n) - max((i - 1)*m, (k - 1)*n)), dp)/real(n, dp)
   end function overlap

   ! `source` holds the footprint of `target_cells`. The order of the sum is that of the source grid, so the result is
   ! the same for any decomposition.
   pure function remap(source, footprint, nx, ny, target_cells, mx, my) result(field)
      type(rectangle_t), intent(in) :: footprint, target_cells
      real(dp), intent(in) :: source(footprint%i1:, footprint%j1:)
      integer, intent(in) :: nx, ny, mx, my
      real(dp) :: field(target_cells%i1:target_cells%i2, target_cells%j1:target_cells%j2)
      type(rectangle_t) :: cell
      integer :: i, j, k, l
      do l = target_cells%j1, target_cells%j2
         do k = target_cells%i1, target_cells%i2
            cell = footprint_of(rectangle_t(k, k, l, l), mx, my, nx, ny)
            field(k, l) = 0.0_dp
            do j = cell%j1, cell%j2
               do i = cell%i1, cell%i2
                  field(k, l) = field(k, l) + overlap(i, nx, k, mx)*overlap(j, ny, l, my)*source(i, j)
               end do
            end do
         end do
      end do
   end function remap

end module remapping
