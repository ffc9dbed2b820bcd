! Adapter for OASIS3-MCT: what the C++ part asks about OASIS's own tables. Compiled against the user's OASIS modules.
! Couplers are numbered as in prism_coupler_put and prism_coupler_get.
module cpl_lb_oasis_names

  use, intrinsic :: iso_c_binding, only: c_int, c_char, c_double, c_ptr, c_loc, c_associated, c_null_char
  use mod_oasis_data, only: prism_modnam, compid, mpi_comm_global, mpi_rank_local, oasis_coupled
  use mod_oasis_var, only: prism_var, prism_nvar
  use mod_oasis_coupler, only: prism_coupler_put, prism_coupler_get, prism_coupler_type, prism_router
  use mod_oasis_namcouple, only: namsrcfld, namruntim
  use mod_oasis_part, only: prism_npart, prism_part

  implicit none
  private

contains

  ! This process's component, communicator and rank in its component; 0: it takes no part in the coupling.
  integer(c_int) function cpl_lb_oasis_component(name, size, communicator, rank) bind(C)
    integer(c_int), value :: size
    character(kind=c_char), intent(out) :: name(size)
    integer(c_int), intent(out) :: communicator, rank
    cpl_lb_oasis_component = 0
    communicator = 0
    rank = int(mpi_rank_local, c_int)
    call to_c('', name)
    if (.not. oasis_coupled .or. compid < 1) return
    call to_c(prism_modnam(compid), name)
    communicator = int(mpi_comm_global, c_int)
    cpl_lb_oasis_component = 1
  end function cpl_lb_oasis_component

  ! The coupler with that tag on the sending (puts /= 0) or receiving side; 0: none.
  integer(c_int) function cpl_lb_oasis_by_tag(puts, tag) bind(C)
    integer(c_int), value :: puts, tag
    integer :: n
    type(prism_coupler_type), pointer :: all(:)
    cpl_lb_oasis_by_tag = 0
    call couplers(puts, all)
    if (.not. associated(all)) return
    do n = 1, size(all)
       if (.not. all(n)%valid .or. .not. all(n)%sndrcv) cycle
       if (all(n)%tag /= tag) cycle
       cpl_lb_oasis_by_tag = int(n, c_int)
       return
    end do
  end function cpl_lb_oasis_by_tag

  ! The first coupler after `after` that variable varid is put to and that sends over this router (over any, if it is
  ! null); 0: none.
  integer(c_int) function cpl_lb_oasis_next_put(varid, after, router) bind(C)
    integer(c_int), value :: varid, after
    type(c_ptr), value :: router
    integer :: n, id
    cpl_lb_oasis_next_put = 0
    if (varid < 1 .or. varid > prism_nvar) return
    do n = 1, prism_var(varid)%ncpl
       id = prism_var(varid)%cpl(n)
       if (id <= after) cycle
       if (id < 1 .or. id > size(prism_coupler_put)) cycle
       if (.not. prism_coupler_put(id)%valid .or. .not. prism_coupler_put(id)%sndrcv) cycle
       if (c_associated(router)) then
          if (.not. c_associated(c_loc(prism_router(prism_coupler_put(id)%routerid)%router%comp1id), router)) cycle
       end if
       cpl_lb_oasis_next_put = int(id, c_int)
       return
    end do
  end function cpl_lb_oasis_next_put

  ! Name of the exchange, the same on both sides, and of the component at the other end. A coupler without another end
  ! (only written to or read from a file) has an empty one.
  subroutine cpl_lb_oasis_coupler(puts, id, field, counterpart, size) bind(C)
    integer(c_int), value :: puts, id, size
    character(kind=c_char), intent(out) :: field(size), counterpart(size)
    type(prism_coupler_type), pointer :: all(:)
    call couplers(puts, all)
    call to_c(namsrcfld(all(id)%namid), field)
    if (all(id)%sndrcv .and. all(id)%comp >= 1) then
       call to_c(prism_modnam(all(id)%comp), counterpart)
    else
       call to_c('', counterpart)
    end if
  end subroutine cpl_lb_oasis_coupler

  ! The first coupler of a variable on the side that it is on; 0: none.
  integer(c_int) function cpl_lb_oasis_of_variable(varid, puts) bind(C)
    integer(c_int), value :: varid
    integer(c_int), intent(out) :: puts
    type(prism_coupler_type), pointer :: all(:)
    integer :: side, n, id
    cpl_lb_oasis_of_variable = 0
    puts = 0
    if (varid < 1 .or. varid > prism_nvar) return
    do side = 0, 1
       call couplers(int(side, c_int), all)
       if (.not. associated(all)) cycle
       do n = 1, prism_var(varid)%ncpl
          id = prism_var(varid)%cpl(n)
          if (id < 1 .or. id > size(all)) cycle
          if (.not. all(id)%valid) cycle
          if (.not. any(all(id)%varid(1:all(id)%nflds) == varid)) cycle
          puts = int(side, c_int)
          cpl_lb_oasis_of_variable = int(id, c_int)
          return
       end do
    end do
  end function cpl_lb_oasis_of_variable

  include 'cpl_lb_oasis_part.inc'

  subroutine couplers(puts, all)
    integer(c_int), intent(in) :: puts
    type(prism_coupler_type), pointer, intent(out) :: all(:)
    if (puts /= 0) then
       all => prism_coupler_put
    else
       all => prism_coupler_get
    end if
  end subroutine couplers

end module cpl_lb_oasis_names
