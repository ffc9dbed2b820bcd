! A test double of MCT: the module, procedure and component names of the real one, and no more than that. A router leads
! to one process; a transfer is one message.
module m_AttrVect
  implicit none
  type AttrVect
     character(len=80) :: reals = ''
     real(8), allocatable :: values(:)
  end type AttrVect
contains
  integer function nRAttr(av)
    type(AttrVect), intent(in) :: av
    nRAttr = merge(1, 0, len_trim(av%reals) > 0)
  end function nRAttr
  integer function nIAttr(av)
    type(AttrVect), intent(in) :: av
    nIAttr = 0 * size(av%values)
  end function nIAttr
  function exportRListToChar(av) result(list)
    type(AttrVect), intent(in) :: av
    character(len=80) :: list
    list = av%reals
  end function exportRListToChar
  function exportIListToChar(av) result(list)
    type(AttrVect), intent(in) :: av
    character(len=80) :: list
    list = av%reals(1:0)
  end function exportIListToChar
end module m_AttrVect

module m_Router
  implicit none
  type Router
     integer :: comp1id = 0, comp2id = 0, peer = 0, request = 0, nprocs = 0
     integer, pointer :: pe_list(:) => null()
     logical :: sending = .false.
  end type Router
contains
  ! The other component runs on the process before its number.
  subroutine initd_(othercomp, gsmap, mycomm, rout)
    integer, intent(in) :: othercomp, gsmap, mycomm
    type(Router), intent(out) :: rout
    rout%comp1id = gsmap + 0 * mycomm
    rout%comp2id = othercomp
    rout%peer = othercomp - 1
  end subroutine initd_
end module m_Router

module m_Transfer
  use m_AttrVect, only: AttrVect
  use m_Router, only: Router
  use mpi
  implicit none
contains
  subroutine isend_(av, rout, tag)
    type(AttrVect), target, intent(in) :: av
    type(Router), intent(inout) :: rout
    integer, optional, intent(in) :: tag
    integer :: error, mytag
    mytag = 600
    if (present(tag)) mytag = tag
    call MPI_Isend(av%values, size(av%values), MPI_DOUBLE_PRECISION, rout%peer, mytag, MPI_COMM_WORLD, rout%request, &
         error)
    rout%sending = .true.
  end subroutine isend_
  subroutine waitsend_(rout)
    type(Router), intent(inout) :: rout
    integer :: error
    if (rout%sending) call MPI_Wait(rout%request, MPI_STATUS_IGNORE, error)
    rout%sending = .false.
  end subroutine waitsend_
  subroutine send_(av, rout, tag)
    type(AttrVect), target, intent(in) :: av
    type(Router), intent(inout) :: rout
    integer, optional, intent(in) :: tag
    call isend_(av, rout, tag)
    call waitsend_(rout)
  end subroutine send_
  subroutine irecv_(av, rout, tag)
    type(AttrVect), target, intent(inout) :: av
    type(Router), intent(inout) :: rout
    integer, optional, intent(in) :: tag
    integer :: error, mytag
    mytag = 600
    if (present(tag)) mytag = tag
    call MPI_Irecv(av%values, size(av%values), MPI_DOUBLE_PRECISION, rout%peer, mytag, MPI_COMM_WORLD, rout%request, &
         error)
  end subroutine irecv_
  subroutine waitrecv_(av, rout, sum)
    type(AttrVect), target, intent(inout) :: av
    type(Router), intent(inout) :: rout
    logical, optional, intent(in) :: sum
    integer :: error
    call MPI_Wait(rout%request, MPI_STATUS_IGNORE, error)
    if (present(sum)) av%values = av%values + 0
  end subroutine waitrecv_
  subroutine recv_(av, rout, tag, sum)
    type(AttrVect), target, intent(inout) :: av
    type(Router), intent(inout) :: rout
    integer, optional, intent(in) :: tag
    logical, optional, intent(in) :: sum
    call irecv_(av, rout, tag)
    call waitrecv_(av, rout, sum)
  end subroutine recv_
end module m_Transfer

! From the processes that have peers in SendRouter to those of RecvRouter, at most one for each.
module m_Rearranger
  use m_AttrVect, only: AttrVect
  use m_Router, only: Router
  use mpi
  implicit none
  type Rearranger
     type(Router) :: SendRouter, RecvRouter
  end type Rearranger
contains
  subroutine rearrange_(source, target, rearr, tag)
    type(AttrVect), intent(in) :: source
    type(AttrVect), intent(inout) :: target
    type(Rearranger), intent(in) :: rearr
    integer, optional, intent(in) :: tag
    integer :: error, mytag
    mytag = 500
    if (present(tag)) mytag = tag
    if (rearr%SendRouter%nprocs > 0) call MPI_Send(source%values, size(source%values), MPI_DOUBLE_PRECISION, &
         rearr%SendRouter%pe_list(1), mytag, MPI_COMM_WORLD, error)
    if (rearr%RecvRouter%nprocs > 0) call MPI_Recv(target%values, size(target%values), MPI_DOUBLE_PRECISION, &
         rearr%RecvRouter%pe_list(1), mytag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine rearrange_
end module m_Rearranger

module m_MatAttrVectMul
  use m_AttrVect, only: AttrVect
  implicit none
contains
  subroutine smatavmult_smplus_(from, factor, to)
    type(AttrVect), intent(in) :: from
    real(8), intent(in) :: factor
    type(AttrVect), intent(inout) :: to
    to%values = factor * from%values
  end subroutine smatavmult_smplus_
  subroutine smatavmult_datalocal_(from, factor, to)
    type(AttrVect), intent(in) :: from
    real(8), intent(in) :: factor
    type(AttrVect), intent(inout) :: to
    to%values = factor * from%values
  end subroutine smatavmult_datalocal_
end module m_MatAttrVectMul

module m_MCTWorld
  use mpi
  implicit none
  type MCTWorld
     integer :: ncomps = 0, mygrank = 0
     integer, pointer :: nprocspid(:), idgprocid(:, :)
  end type MCTWorld
  type(MCTWorld), pointer :: ThisMCTWorld
contains
  ! Component n runs on rank n - 1.
  subroutine initd_(ncomps, globalcomm, mycomm, myid, myids)
    integer, intent(in) :: ncomps, globalcomm, mycomm
    integer, optional, intent(in) :: myid
    integer, dimension(:), optional, intent(in) :: myids
    integer :: n, error
    allocate(ThisMCTWorld)
    allocate(ThisMCTWorld%nprocspid(ncomps), ThisMCTWorld%idgprocid(ncomps, 0:0))
    ThisMCTWorld%ncomps = ncomps + 0 * mycomm
    if (present(myid) .or. present(myids)) call MPI_Comm_rank(globalcomm, ThisMCTWorld%mygrank, error)
    ThisMCTWorld%nprocspid = 1
    do n = 1, ncomps
       ThisMCTWorld%idgprocid(n, 0) = n - 1
    end do
  end subroutine initd_
  ! A process has several components: each with its communicator, of which the processes tell each other.
  subroutine initm_(ncomps, globalcomm, mycomms, myids)
    integer, intent(in) :: ncomps, globalcomm
    integer, dimension(:), intent(in) :: mycomms, myids
    integer :: n, i, processes, error
    integer, allocatable :: mine(:), all(:, :)
    call MPI_Comm_size(globalcomm, processes, error)
    allocate(ThisMCTWorld)
    allocate(ThisMCTWorld%nprocspid(ncomps), ThisMCTWorld%idgprocid(ncomps, 0:processes - 1))
    ThisMCTWorld%ncomps = ncomps + 0 * size(mycomms)
    call MPI_Comm_rank(globalcomm, ThisMCTWorld%mygrank, error)
    allocate(mine(ncomps), all(ncomps, 0:processes - 1))
    mine = 0
    mine(myids) = 1
    call MPI_Allgather(mine, ncomps, MPI_INTEGER, all, ncomps, MPI_INTEGER, globalcomm, error)
    ThisMCTWorld%nprocspid = 0
    do i = 0, processes - 1
       do n = 1, ncomps
          if (all(n, i) == 0) cycle
          ThisMCTWorld%idgprocid(n, ThisMCTWorld%nprocspid(n)) = i
          ThisMCTWorld%nprocspid(n) = ThisMCTWorld%nprocspid(n) + 1
       end do
    end do
  end subroutine initm_
  subroutine clean_()
    deallocate(ThisMCTWorld)
  end subroutine clean_
end module m_MCTWorld
