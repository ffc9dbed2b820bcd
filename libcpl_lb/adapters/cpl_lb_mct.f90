! Adapter for MCT: what the C++ part asks about MCT's own types. Compiled against the user's MCT modules.
module cpl_lb_mct_names

  use, intrinsic :: iso_c_binding, only: c_ptr, c_int, c_char, c_null_char, c_f_pointer
  use m_AttrVect, only: AttrVect, exportRListToChar, exportIListToChar, nRAttr, nIAttr
  use m_MCTWorld, only: ThisMCTWorld
  use m_Router, only: Router

  implicit none
  private

contains

  ! MCT's numbers of the components at the two ends.
  subroutine cpl_lb_mct_router_components(address, mine, other) bind(C)
    type(c_ptr), value :: address
    integer(c_int), intent(out) :: mine, other
    type(Router), pointer :: r
    call c_f_pointer(address, r)
    mine = int(r%comp1id, c_int)
    other = int(r%comp2id, c_int)
  end subroutine cpl_lb_mct_router_components

  ! How many components (numbers) there are, and this process's rank among all.
  subroutine cpl_lb_mct_world(components, rank) bind(C)
    integer(c_int), intent(out) :: components, rank
    components = int(ThisMCTWorld%ncomps, c_int)
    rank = int(ThisMCTWorld%myGrank, c_int)
  end subroutine cpl_lb_mct_world

  ! How many processes component `id` has; at most `size` of their ranks go to `ranks`.
  integer(c_int) function cpl_lb_mct_processes(id, ranks, size) bind(C)
    integer(c_int), value :: id, size
    integer(c_int), intent(out) :: ranks(size)
    integer :: n
    cpl_lb_mct_processes = int(ThisMCTWorld%nprocspid(id), c_int)
    do n = 1, min(int(size), int(cpl_lb_mct_processes))
       ranks(n) = int(ThisMCTWorld%idGprocid(id, n - 1), c_int)
    end do
  end function cpl_lb_mct_processes

  ! A rearranger begins with two routers: how it sends, and how it receives. They are private, so they are found by their
  ! place. `receives` = 0: the first. Its number of peers; at most `size` of their ranks go to `ranks`.
  integer(c_int) function cpl_lb_mct_rearranger_peers(address, receives, ranks, size) bind(C)
    type(c_ptr), value :: address
    integer(c_int), value :: receives, size
    integer(c_int), intent(out) :: ranks(size)
    type(Router), pointer :: routers(:)
    integer :: n
    call c_f_pointer(address, routers, [2])
    associate (r => routers(1 + min(1, int(receives))))
       cpl_lb_mct_rearranger_peers = int(r%nprocs, c_int)
       do n = 1, min(int(size), int(r%nprocs))
          ranks(n) = int(r%pe_list(n), c_int)
       end do
    end associate
  end function cpl_lb_mct_rearranger_peers

  ! Names of the real (or, without any, the integer) fields, joined by ':', not ended by anything; the result is their
  ! length, of which at most `size` bytes go to `list`.
  integer(c_int) function cpl_lb_mct_field_list(address, list, size) bind(C)
    type(c_ptr), value :: address
    integer(c_int), value :: size
    character(kind=c_char), intent(out) :: list(size)
    type(AttrVect), pointer :: av
    character(len=:), allocatable :: names
    integer :: i
    call c_f_pointer(address, av)
    names = ''
    if (nRAttr(av) > 0) then
       names = trim(exportRListToChar(av))
    else if (nIAttr(av) > 0) then
       names = trim(exportIListToChar(av))
    end if
    cpl_lb_mct_field_list = int(len(names), c_int)
    do i = 1, min(len(names), int(size))
       list(i) = names(i:i)
    end do
  end function cpl_lb_mct_field_list

end module cpl_lb_mct_names
