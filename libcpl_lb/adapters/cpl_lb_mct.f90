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

  ! MCT's numbers of the components that run on this process, at most `size` of them; the result is how many there are.
  integer(c_int) function cpl_lb_mct_my_components(ids, size) bind(C)
    integer(c_int), value :: size
    integer(c_int), intent(out) :: ids(size)
    integer :: id
    cpl_lb_mct_my_components = 0
    ids = 0
    do id = 1, ThisMCTWorld%ncomps
       if (.not. any(ThisMCTWorld%idGprocid(id, 0:ThisMCTWorld%nprocspid(id) - 1) == ThisMCTWorld%myGrank)) cycle
       if (cpl_lb_mct_my_components < size) ids(cpl_lb_mct_my_components + 1) = int(id, c_int)
       cpl_lb_mct_my_components = cpl_lb_mct_my_components + 1_c_int
    end do
  end function cpl_lb_mct_my_components

  ! 1: every process of component `part` is one of component `whole`, too.
  integer(c_int) function cpl_lb_mct_contains(whole, part) bind(C)
    integer(c_int), value :: whole, part
    integer :: n, last
    logical, allocatable :: inside(:)
    associate (world => ThisMCTWorld)
       last = max(maxval(world%idGprocid(whole, 0:world%nprocspid(whole) - 1)), &
            maxval(world%idGprocid(part, 0:world%nprocspid(part) - 1)))
       allocate(inside(0:last))
       inside = .false.
       do n = 0, world%nprocspid(whole) - 1
          inside(world%idGprocid(whole, n)) = .true.
       end do
       cpl_lb_mct_contains = 1
       do n = 0, world%nprocspid(part) - 1
          if (.not. inside(world%idGprocid(part, n))) cpl_lb_mct_contains = 0
       end do
    end associate
  end function cpl_lb_mct_contains

  ! Names of the real (or, without any, the integer) fields, joined by ':'; ended by a zero byte.
  subroutine cpl_lb_mct_field_list(address, list, size) bind(C)
    type(c_ptr), value :: address
    integer(c_int), value :: size
    character(kind=c_char), intent(out) :: list(size)
    type(AttrVect), pointer :: av
    character(len=:), allocatable :: names
    integer :: i, n
    call c_f_pointer(address, av)
    names = ''
    if (nRAttr(av) > 0) then
       names = trim(exportRListToChar(av))
    else if (nIAttr(av) > 0) then
       names = trim(exportIListToChar(av))
    end if
    n = min(len(names), size - 1)
    do i = 1, n
       list(i) = names(i:i)
    end do
    list(n + 1) = c_null_char
  end subroutine cpl_lb_mct_field_list

end module cpl_lb_mct_names
