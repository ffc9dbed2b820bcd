! A model of the pattern of CESM's and E3SM's driver on the real MCT, that knows nothing of cpl_lb: five processes; coupler
! and land on 0 and 1, atmosphere on 2 and 3, ocean on 4; one set more for each component and the coupler together. All
! exchanges are rearrangements on such a joint set: three steps of atmosphere to coupler and back, and ocean (40 fields)
! to coupler; land and coupler rearrange on their own processes.
program driver
  use m_AttrVect, only: AttrVect, AttrVect_init => init
  use m_GlobalSegMap, only: GlobalSegMap, GlobalSegMap_init => init
  use m_MCTWorld, only: MCTWorld_init => init
  use m_Rearranger, only: Rearranger, Rearranger_init => init, Rearrange
  implicit none
  include 'mpif.h'
  integer, parameter :: cpl = 2, atm = 3, ocn = 4, lnd = 5, cplatm = 6, cplocn = 7, cpllnd = 8, points = 12
  logical, parameter :: on(0:4, 8) = reshape([ &
       .true., .true., .true., .true., .true., &
       .true., .true., .false., .false., .false., &
       .false., .false., .true., .true., .false., &
       .false., .false., .false., .false., .true., &
       .true., .true., .false., .false., .false., &
       .true., .true., .true., .true., .false., &
       .true., .true., .false., .false., .true., &
       .true., .true., .false., .false., .false.], [5, 8])
  type exchange
     type(Rearranger) :: how
     type(AttrVect) :: from, to
  end type exchange
  type(exchange) :: a2x, x2a, o2x, l2x
  integer :: rank, error, id, step, n
  integer, pointer :: comms(:), my_ids(:), my_comms(:)
  real(8) :: sums
  character(len=800) :: many
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  allocate(comms(8))
  do id = 1, 8
     call MPI_Comm_split(MPI_COMM_WORLD, merge(1, MPI_UNDEFINED, on(rank, id)), rank, comms(id), error)
  end do
  n = count(on(rank, :))
  allocate(my_ids(n), my_comms(n))
  my_ids = pack([(id, id=1, 8)], on(rank, :))
  my_comms = comms(my_ids)
  call MCTWorld_init(8, MPI_COMM_WORLD, my_comms, my_ids)
  many = 'So_field_01'
  do n = 2, 40
     write(many, '(a,a,i2.2)') trim(many), ':So_field_', n
  end do
  ! Starts of two halves, and their owners in the joint communicator: coupler 0 and 1, the component behind them.
  if (on(rank, cplatm)) call define(a2x, cplatm, 'Sa_t:Sa_u', [2, 3], [0, 1])
  if (on(rank, cplatm)) call define(x2a, cplatm, 'Sx_t', [1, 0], [2, 3])
  if (on(rank, cplocn)) call define(o2x, cplocn, trim(many), [2, 2], [0, 1])
  if (on(rank, cpllnd)) call define(l2x, cpllnd, 'Sl_t', [0, 1], [1, 0])
  do step = 1, 3
     if (on(rank, cplatm)) call move(a2x)
     if (on(rank, cpllnd)) call move(l2x)
     if (on(rank, cplocn)) call move(o2x)
     if (on(rank, cplatm)) call move(x2a)
  end do
  sums = 0
  if (on(rank, cplatm)) sums = sums + sum(a2x%to%rAttr) + 3 * sum(x2a%to%rAttr)
  if (on(rank, cplocn)) sums = sums + 5 * sum(o2x%to%rAttr)
  if (on(rank, cpllnd)) sums = sums + 7 * sum(l2x%to%rAttr)
  call MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) write(*, '(a,z18.16)') 'result ', sums
  call MPI_Finalize(error)
contains
  subroutine define(e, id, fields, sources, targets)
    type(exchange), intent(inout) :: e
    integer, intent(in) :: id, sources(2), targets(2)
    character(len=*), intent(in) :: fields
    type(GlobalSegMap) :: from, to
    integer :: joint
    call MPI_Comm_rank(comms(id), joint, error)
    call GlobalSegMap_init(from, id, 2, points, [1, points / 2 + 1], [points / 2, points / 2], sources)
    call GlobalSegMap_init(to, id, 2, points, [1, points / 2 + 1], [points / 2, points / 2], targets)
    call Rearranger_init(from, to, comms(id), e%how)
    call AttrVect_init(e%from, rList=fields, lsize=count(sources == joint) * (points / 2))
    call AttrVect_init(e%to, rList=fields, lsize=count(targets == joint) * (points / 2))
    e%from%rAttr = rank + 1
    e%to%rAttr = 0
  end subroutine define
  subroutine move(e)
    type(exchange), intent(inout) :: e
    e%from%rAttr = e%from%rAttr * 1.1d0
    call Rearrange(e%from, e%to, e%how, tag=2000)
  end subroutine move
end program driver
