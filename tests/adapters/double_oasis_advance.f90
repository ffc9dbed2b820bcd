! What a put or a get does in the test double of OASIS3-MCT, see double_oasis.f90.
module mod_oasis_advance
  use mod_oasis_coupler
  use mod_oasis_io
  use mod_oasis_namcouple, only: namruntim
  use mod_oasis_var, only: prism_var
  use m_Transfer
  use m_MatAttrVectMul
  implicit none
contains
  ! The lagged field from its restart file, at once.
  subroutine oasis_advance_init()
    integer :: n
    do n = 1, size(prism_coupler_put)
       if (.not. prism_coupler_put(n)%valid .or. prism_coupler_put(n)%lag == 0) cycle
       call oasis_io_read_avfile('rst.nc')
       call put_one(prism_coupler_put(n))
    end do
  end subroutine oasis_advance_init

  ! As many arguments as the real one has in front.
  subroutine oasis_advance_run(mop, varid, msec, kinfo)
    integer, intent(in) :: mop, varid, msec
    integer, intent(inout) :: kinfo
    integer :: n, id
    kinfo = 0
    do n = 1, prism_var(varid)%ncpl
       id = prism_var(varid)%cpl(n)
       if (mop == 1) then
          call advance_put(prism_coupler_put(id), msec)
       else
          call advance_get(prism_coupler_get(id), msec)
       end if
    end do
  end subroutine oasis_advance_run

  subroutine advance_put(c, msec)
    type(prism_coupler_type), intent(inout) :: c
    integer, intent(in) :: msec
    if (mod(msec + c%lag, c%dt) == 0) then
       if (msec + c%lag >= namruntim) then
          call oasis_io_write_avfile('rst.nc')
       else if (c%sndrcv) then
          call put_one(c)
       end if
       if (c%output) call oasis_io_write_avfbf('out.nc')
    end if
    if (msec + c%lag >= namruntim .and. c%lag > 0) then
       call oasis_io_write_array('rst.nc')
       call oasis_io_write_avfile('rst.nc')
    end if
  end subroutine advance_put

  subroutine put_one(c)
    type(prism_coupler_type), intent(inout) :: c
    c%avect1m%values = c%avect1%values
    if (c%mapped) call smatavmult_smplus_(c%avect1, 2.0d0, c%avect1m)
    call waitsend_(prism_router(c%routerid)%router)
    call isend_(c%avect1m, prism_router(c%routerid)%router, c%tag)
  end subroutine put_one

  subroutine advance_get(c, msec)
    type(prism_coupler_type), intent(inout) :: c
    integer, intent(in) :: msec
    if (mod(msec, c%dt) /= 0) return
    call recv_(c%avect1m, prism_router(c%routerid)%router, c%tag)
    c%avect1%values = c%avect1m%values
    if (c%mapped) call smatavmult_smplus_(c%avect1m, 3.0d0, c%avect1)
  end subroutine advance_get
end module mod_oasis_advance
