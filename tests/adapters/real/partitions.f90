! Four processes on a grid of 12 x 9 points, partitioned for OASIS as the argument says: serial, apple, box, orange, points,
! scattered, or land (points without a corner, of which OASIS is told) and hole (the same, and it is not told). Each puts its rank into its points, and OASIS writes the field and sends it to another program, which is
! started with the argument `sink`. The first process writes what OASIS holds of the partition: a line for each segment,
! with its first point, its points, and its process.
program partitions
  use mod_oasis
  use mod_oasis_part, only: prism_part
  implicit none
  integer, parameter :: nx = 12, ny = 9
  character(len=16) :: kind
  integer :: id, communicator, rank, part, field, error, n, unit
  logical :: is_sink
  integer, allocatable :: owner(:), description(:)
  real(8), allocatable :: values(:)

  call get_command_argument(1, kind)
  is_sink = kind == 'sink'
  call oasis_init_comp(id, merge('sink ', 'parts', is_sink), error)
  call oasis_get_localcomm(communicator, error)
  call MPI_Comm_rank(communicator, rank, error)
  if (.not. is_sink .and. rank == 0) call write_grid()
  owner = [(owner_of(n), n=0, nx*ny - 1)]
  description = described(pack([(n, n=0, nx*ny - 1)], owner == rank))
  if (kind == 'land') then
     call oasis_def_partition(part, description, error, nx*ny)
  else
     call oasis_def_partition(part, description, error)
  end if
  allocate (values(count(owner == rank)))
  call oasis_def_var(field, merge('TAKEN', 'OWNER', is_sink), part, [1, 1], merge(OASIS_In, OASIS_Out, is_sink), &
                     [1, max(size(values), 1)], OASIS_Real, error)
  call oasis_enddef(error)
  if (rank == 0 .and. .not. is_sink) then
     open (newunit=unit, file='segments', action='write')
     associate (map => prism_part(part)%gsmap)
        do n = 1, map%ngseg
           write (unit, '(3i6)') map%start(n), map%length(n), map%pe_loc(n)
        end do
     end associate
     close (unit)
  end if
  values = rank
  do n = 0, 1800*7, 1800
     if (is_sink) call oasis_get(field, n, values, error)
     if (.not. is_sink) call oasis_put(field, n, values, error)
  end do
  call oasis_terminate(error)

contains

  ! All around the globe, from 40 degrees south to 40 north.
  subroutine write_grid()
    real(8) :: longitudes(nx, ny), latitudes(nx, ny)
    integer :: mask(nx, ny), i, j, n, flag
    longitudes = reshape([((30.0d0*(i - 0.5d0), i=1, nx), j=1, ny)], [nx, ny])
    latitudes = reshape([((10.0d0*(j - 5), i=1, nx), j=1, ny)], [nx, ny])
    mask = reshape([(merge(1, 0, owner_of(n) < 0), n=0, nx*ny - 1)], [nx, ny])
    call oasis_start_grids_writing(flag)
    call oasis_write_grid('gpar', nx, ny, longitudes, latitudes)
    call oasis_write_mask('gpar', nx, ny, mask)
    call oasis_terminate_grids_writing()
  end subroutine write_grid

  ! n: a point, from 0, row after row.
  integer function owner_of(n)
    integer, intent(in) :: n
    integer :: i, j
    i = mod(n, nx)
    j = n/nx
    select case (kind)
    case ('serial', 'sink')
       owner_of = 0
    case ('apple') ! a quarter of all, which ends within a row
       owner_of = n/(nx*ny/4)
    case ('box') ! 6 columns of 4 rows, and of 5
       owner_of = i/6 + 2*min(j/4, 1)
    case ('orange') ! a band in the south and one in the north; the middle row with the first
       owner_of = mod(min(j, ny - 1 - j), 4)
    case ('points') ! diagonal bands
       owner_of = mod((i + j)/3, 4)
    case ('land', 'hole') ! the same, without three columns of the lowest two rows and a point in the middle
       owner_of = mod((i + j)/3, 4)
       if (is_land(i, j)) owner_of = -1
    case default ! no two of a process beside each other
       owner_of = mod(i + 2*j, 4)
    end select
  end function owner_of

  logical function is_land(i, j)
    integer, intent(in) :: i, j
    is_land = (i >= 2 .and. i < 5 .and. j < 2) .or. (i == 6 .and. j == 4)
  end function is_land

  function described(mine)
    integer, intent(in) :: mine(:)
    integer, allocatable :: described(:), begins(:), ends(:)
    integer :: k
    select case (kind)
    case ('serial', 'sink')
       described = [0, 0, size(mine)]
    case ('apple')
       described = [1, mine(1), size(mine)]
    case ('box')
       described = [2, mine(1), 6, size(mine)/6, nx]
    case ('orange')
       begins = pack(mine, [.true., mine(2:) /= mine(:size(mine) - 1) + 1])
       ends = pack(mine, [mine(2:) /= mine(:size(mine) - 1) + 1, .true.])
       described = [3, size(begins), (begins(k), ends(k) - begins(k) + 1, k=1, size(begins))]
    case default
       described = [4, size(mine), mine + 1]
    end select
  end function described

end program partitions
