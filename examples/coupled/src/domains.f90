! A process's part of a component's grid, its halo of one cell, and gathering on the component's first process.
module domains
   use constants, only: dp, length_x, length_y
   use components, only: my_comm, my_rank, my_size
   use mpi, only: MPI_DOUBLE_PRECISION, MPI_PROC_NULL, MPI_REQUEST_NULL
   use waiting, only: wait_all
   implicit none
   private
   public :: rectangle_t, domain_t, split_domain, rectangle_of, halo_exchange, gather, scatter

   type :: rectangle_t
      integer :: i1 = 1, i2 = 0, j1 = 1, j2 = 0   ! cells, in the component's whole grid
   end type rectangle_t

   type :: domain_t
      integer :: nx = 0, ny = 0, px = 1, py = 1
      type(rectangle_t) :: mine
      integer :: west = MPI_PROC_NULL, east = MPI_PROC_NULL, south = MPI_PROC_NULL, north = MPI_PROC_NULL
      real(dp) :: dx = 0.0_dp, dy = 0.0_dp   ! [m]
   end type domain_t

contains

   ! Cells of process `rank` of px times py.
   pure type(rectangle_t) function rectangle_of(rank, nx, ny, px, py)
      integer, intent(in) :: rank, nx, ny, px, py
      integer :: column, row
      column = mod(rank, px)
      row = rank/px
      rectangle_of = rectangle_t(column*nx/px + 1, (column + 1)*nx/px, row*ny/py + 1, (row + 1)*ny/py)
   end function rectangle_of

   ! Bands: latitude bands; else as near to squares as the number of processes allows.
   type(domain_t) function split_domain(nx, ny, bands) result(d)
      integer, intent(in) :: nx, ny
      logical, intent(in) :: bands
      integer :: column, row
      d%nx = nx
      d%ny = ny
      d%dx = length_x/nx
      d%dy = length_y/ny
      d%px = 1
      if (.not. bands) d%px = nearest_divisor(my_size)
      d%py = my_size/d%px
      d%mine = rectangle_of(my_rank, nx, ny, d%px, d%py)
      column = mod(my_rank, d%px)
      row = my_rank/d%px
      d%west = row*d%px + modulo(column - 1, d%px)
      d%east = row*d%px + modulo(column + 1, d%px)
      if (row > 0) d%south = my_rank - d%px
      if (row < d%py - 1) d%north = my_rank + d%px
   end function split_domain

   ! The smallest divisor of n that is not below its square root.
   pure integer function nearest_divisor(n)
      integer, intent(in) :: n
      nearest_divisor = ceiling(sqrt(real(n, dp)))
      do while (mod(n, nearest_divisor) /= 0)
         nearest_divisor = nearest_divisor + 1
      end do
   end function nearest_divisor

   ! Fills the halo of a; at the walls it takes the value inside (no gradient).
   subroutine halo_exchange(d, a)
      type(domain_t), intent(in) :: d
      real(dp), intent(inout) :: a(d%mine%i1 - 1:, d%mine%j1 - 1:)
      associate (i1 => d%mine%i1, i2 => d%mine%i2, j1 => d%mine%j1, j2 => d%mine%j2)
         call swap(d%west, d%east, a(i1, j1:j2), a(i2, j1:j2), a(i1 - 1, j1:j2), a(i2 + 1, j1:j2))
         call swap(d%south, d%north, a(:, j1), a(:, j2), a(:, j1 - 1), a(:, j2 + 1))
         if (d%south == MPI_PROC_NULL) a(:, j1 - 1) = a(:, j1)
         if (d%north == MPI_PROC_NULL) a(:, j2 + 1) = a(:, j2)
      end associate
   end subroutine halo_exchange

   ! Sends `low` to the process below and `high` to the one above, and receives what they send.
   subroutine swap(below, above, low, high, halo_low, halo_high)
      integer, intent(in) :: below, above
      real(dp), intent(in) :: low(:), high(:)
      real(dp), intent(inout) :: halo_low(:), halo_high(:)
      real(dp), asynchronous :: to_below(size(low)), to_above(size(high)), from_below(size(low)), from_above(size(high))
      integer :: requests(4), n, error
      n = size(low)
      to_below = low
      to_above = high
      call MPI_Irecv(from_below, n, MPI_DOUBLE_PRECISION, below, 1, my_comm, requests(1), error)
      call MPI_Irecv(from_above, n, MPI_DOUBLE_PRECISION, above, 2, my_comm, requests(2), error)
      call MPI_Isend(to_above, n, MPI_DOUBLE_PRECISION, above, 1, my_comm, requests(3), error)
      call MPI_Isend(to_below, n, MPI_DOUBLE_PRECISION, below, 2, my_comm, requests(4), error)
      call wait_all(requests)
      if (below /= MPI_PROC_NULL) halo_low = from_below
      if (above /= MPI_PROC_NULL) halo_high = from_above
   end subroutine swap

   ! The whole field on the component's first process, in the order of the grid: what is computed from it does not
   ! depend on the decomposition.
   subroutine gather(d, part, whole)
      type(domain_t), intent(in) :: d
      real(dp), intent(in) :: part(:, :)
      real(dp), allocatable, intent(out) :: whole(:, :)
      real(dp), allocatable, asynchronous :: buffer(:)
      integer :: request(1), error, rank, n
      type(rectangle_t) :: r
      if (my_rank > 0) then
         allocate (whole(0, 0))
         buffer = reshape(part, [size(part)])
         call MPI_Isend(buffer, size(buffer), MPI_DOUBLE_PRECISION, 0, 3, my_comm, request(1), error)
         call wait_all(request)
         return
      end if
      allocate (whole(d%nx, d%ny))
      whole(d%mine%i1:d%mine%i2, d%mine%j1:d%mine%j2) = part
      do rank = 1, my_size - 1
         r = rectangle_of(rank, d%nx, d%ny, d%px, d%py)
         n = (r%i2 - r%i1 + 1)*(r%j2 - r%j1 + 1)
         if (allocated(buffer)) deallocate (buffer)
         allocate (buffer(n))
         call MPI_Irecv(buffer, n, MPI_DOUBLE_PRECISION, rank, 3, my_comm, request(1), error)
         call wait_all(request)
         whole(r%i1:r%i2, r%j1:r%j2) = reshape(buffer, [r%i2 - r%i1 + 1, r%j2 - r%j1 + 1])
      end do
   end subroutine gather

   ! The way back: `whole` counts on the first process only.
   subroutine scatter(d, whole, part)
      type(domain_t), intent(in) :: d
      real(dp), intent(in) :: whole(:, :)
      real(dp), intent(out) :: part(:, :)
      real(dp), allocatable, asynchronous :: buffer(:)
      integer :: request(1), error, rank
      type(rectangle_t) :: r
      request = MPI_REQUEST_NULL
      if (my_rank > 0) then
         allocate (buffer(size(part)))
         call MPI_Irecv(buffer, size(buffer), MPI_DOUBLE_PRECISION, 0, 4, my_comm, request(1), error)
         call wait_all(request)
         part = reshape(buffer, shape(part))
         return
      end if
      part = whole(d%mine%i1:d%mine%i2, d%mine%j1:d%mine%j2)
      do rank = 1, my_size - 1
         r = rectangle_of(rank, d%nx, d%ny, d%px, d%py)
         buffer = reshape(whole(r%i1:r%i2, r%j1:r%j2), [(r%i2 - r%i1 + 1)*(r%j2 - r%j1 + 1)])
         call MPI_Isend(buffer, size(buffer), MPI_DOUBLE_PRECISION, rank, 4, my_comm, request(1), error)
         call wait_all(request)
      end do
   end subroutine scatter

end module domains
