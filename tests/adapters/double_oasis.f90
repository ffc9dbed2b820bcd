! A test double of OASIS3-MCT on the double of MCT: modules, procedures, and those parts of the tables that the adapter
! reads, under their real names. Two components of one process each: model_a puts "A_F" to "B_F" with a lag (its first
! send happens inside oasis_enddef), "A_G" to "B_G" and "B_H" (one to many, the second mapped before it is sent), and
! writes "A_G" to a file; partial sums of A_F are written at the end. model_b maps what it gets of A_F.
module mod_oasis_method
  use mod_oasis_advance
  use mod_oasis_coupler
  use mod_oasis_data
  use mod_oasis_namcouple
  use mod_oasis_var
  use m_MCTWorld
  use mpi
  implicit none
contains
  subroutine oasis_init_comp(id, name, kinfo)
    integer, intent(out) :: id
    character(len=*), intent(in) :: name
    integer, intent(inout) :: kinfo
    logical :: there
    call MPI_Initialized(there, kinfo)
    if (.not. there) call MPI_Init(kinfo)
    compid = merge(1, 2, name == prism_modnam(1))
    id = compid
    mpi_comm_global = MPI_COMM_WORLD
    oasis_coupled = .true.
    namruntim = 4 * 3600
    allocate(namsrcfld(3))
    namsrcfld = ['A_F', 'A_G', 'A_G']
  end subroutine oasis_init_comp

  ! Variables of model_a: A_F, A_G; of model_b: B_F, B_G, B_H.
  subroutine oasis_enddef(kinfo)
    integer, intent(out) :: kinfo
    type(prism_coupler_type), pointer :: all(:)
    integer :: n, variable
    kinfo = 0
    call initd_(2, mpi_comm_global, mpi_comm_global, compid)
    allocate(prism_router(1), prism_coupler_put(3), prism_coupler_get(3))
    prism_router(1)%router = Router(compid, 3 - compid, 2 - compid)
    all => prism_coupler_get
    if (compid == 1) all => prism_coupler_put
    do n = 1, 3
       variable = n
       if (compid == 1) variable = min(n, 2)
       all(n)%valid = .true.
       all(n)%sndrcv = .true.
       all(n)%namid = n
       all(n)%comp = 3 - compid
       all(n)%tag = 100 + n
       allocate(all(n)%varid(1))
       all(n)%varid = variable
       all(n)%avect1%values = [1.0d0 * n, 2.0d0]
       all(n)%avect1m%values = [0.0d0, 0.0d0]
       prism_var(variable)%ncpl = prism_var(variable)%ncpl + 1
       prism_var(variable)%cpl(prism_var(variable)%ncpl) = n
    end do
    if (compid == 1) all(1)%lag = 1800
    if (compid == 1) all(2)%output = .true.
    if (compid == 1) all(3)%mapped = .true.
    if (compid == 2) all(1)%mapped = .true.
    call oasis_advance_init()
  end subroutine oasis_enddef

  subroutine oasis_terminate(kinfo)
    integer, intent(out) :: kinfo
    call MPI_Finalize(kinfo)
  end subroutine oasis_terminate
end module mod_oasis_method

module mod_oasis_getput_interface
  use mod_oasis_advance
  implicit none
contains
  subroutine oasis_put(id, msec, values, kinfo)
    integer, intent(in) :: id, msec
    real(8), intent(in) :: values(:)
    integer, intent(inout) :: kinfo
    if (size(values) > 0) call oasis_advance_run(1, id, msec, kinfo)
  end subroutine oasis_put
  subroutine oasis_get(id, msec, values, kinfo)
    integer, intent(in) :: id, msec
    real(8), intent(inout) :: values(:)
    integer, intent(inout) :: kinfo
    call oasis_advance_run(2, id, msec, kinfo)
    values = values + prism_coupler_get(id)%avect1%values
  end subroutine oasis_get
end module mod_oasis_getput_interface
