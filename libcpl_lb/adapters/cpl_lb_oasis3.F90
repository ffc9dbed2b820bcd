! Adapter for OASIS3-MCT 3.0: as cpl_lb_oasis.F90, for the tables of that version: one list of couplers for both sides
! (prism_coupler, numbered as there), of which the first prism_ncoupler are in use, and every component is coupled.
module cpl_lb_oasis_names

  use, intrinsic :: iso_c_binding, only: c_int, c_char, c_double, c_ptr, c_loc, c_associated, c_null_char
  use mod_oasis_data, only: prism_var, compid, mpi_comm_global, mpi_rank_local
  use mod_oasis_var, only: prism_nvar
  use mod_oasis_coupler, only: prism_coupler, prism_ncoupler, prism_router
  use mod_oasis_namcouple, only: prism_modnam, namsrcfld, namruntim
  use mod_oasis_parameters, only: OASIS3_PUT
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
    if (compid < 1) return
    call to_c(prism_modnam(compid), name)
    communicator = int(mpi_comm_global, c_int)
    cpl_lb_oasis_component = 1
  end function cpl_lb_oasis_component

  ! The coupler with that tag on the sending (puts /= 0) or receiving side; 0: none.
  integer(c_int) function cpl_lb_oasis_by_tag(puts, tag) bind(C)
    integer(c_int), value :: puts, tag
    integer :: n
    cpl_lb_oasis_by_tag = 0
    do n = 1, prism_ncoupler
       if (is_put(n) .neqv. puts /= 0) cycle
       if (.not. prism_coupler(n)%sndrcv .or. prism_coupler(n)%tag /= tag) cycle
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
       if (id <= after .or. id < 1 .or. id > prism_ncoupler) cycle
       if (.not. is_put(id) .or. .not. prism_coupler(id)%sndrcv) cycle
       if (c_associated(router)) then
          if (.not. c_associated(c_loc(prism_router(prism_coupler(id)%routerid)%router%comp1id), router)) cycle
       end if
       cpl_lb_oasis_next_put = int(id, c_int)
       return
    end do
  end function cpl_lb_oasis_next_put

  ! Name of the exchange, the same on both sides, and of the component at the other end. A coupler without another end
  ! (only written to or read from a file) has an empty one. `puts` is known from the coupler here.
  subroutine cpl_lb_oasis_coupler(puts, id, field, counterpart, size) bind(C)
    integer(c_int), value :: puts, id, size
    character(kind=c_char), intent(out) :: field(size), counterpart(size)
    call to_c(namsrcfld(prism_coupler(id)%namid), field)
    call to_c('', counterpart)
    if (is_put(int(id)) .neqv. puts /= 0) return
    if (prism_coupler(id)%sndrcv .and. prism_coupler(id)%comp >= 1) &
         call to_c(prism_modnam(prism_coupler(id)%comp), counterpart)
  end subroutine cpl_lb_oasis_coupler

  ! The first coupler of a variable; 0: none.
  integer(c_int) function cpl_lb_oasis_of_variable(varid, puts) bind(C)
    integer(c_int), value :: varid
    integer(c_int), intent(out) :: puts
    integer :: n, id
    cpl_lb_oasis_of_variable = 0
    puts = 0
    if (varid < 1 .or. varid > prism_nvar) return
    do n = 1, prism_var(varid)%ncpl
       id = prism_var(varid)%cpl(n)
       if (id < 1 .or. id > prism_ncoupler) cycle
       if (is_put(id)) puts = 1
       cpl_lb_oasis_of_variable = int(id, c_int)
       return
    end do
  end function cpl_lb_oasis_of_variable

  include 'cpl_lb_oasis_part.inc'

  logical function is_put(coupler)
    integer, intent(in) :: coupler
    is_put = prism_coupler(coupler)%getput == OASIS3_PUT
  end function is_put

end module cpl_lb_oasis_names
