! Tables of the test double of OASIS3-MCT, see double_oasis.f90. Files of their own, as in the real one: the linker
! wraps calls from one object file to another only.
module mod_oasis_data
  implicit none
  character(len=80) :: prism_modnam(2) = ['model_a', 'model_b']
  integer :: compid = -1, mpi_comm_global = -1, mpi_rank_local = 0
  logical :: oasis_coupled = .false.
end module mod_oasis_data

module mod_oasis_namcouple
  implicit none
  character(len=80), pointer :: namsrcfld(:)
  integer :: namruntim = 0
end module mod_oasis_namcouple

module mod_oasis_var
  implicit none
  type prism_var_type
     character(len=80) :: name = ''
     integer :: ncpl = 0, cpl(3) = 0
  end type prism_var_type
  integer :: prism_nvar = 0
  type(prism_var_type), pointer :: prism_var(:)
contains
  integer function double_var(name)
    character(len=*), intent(in) :: name
    if (prism_nvar == 0) allocate(prism_var(3))
    prism_nvar = prism_nvar + 1
    prism_var(prism_nvar)%name = name
    double_var = prism_nvar
  end function double_var
end module mod_oasis_var

module mod_oasis_coupler
  use m_Router, only: Router
  use m_AttrVect, only: AttrVect
  implicit none
  type prism_router_type
     type(Router) :: router
  end type prism_router_type
  type prism_coupler_type
     type(AttrVect) :: avect1, avect1m
     integer :: nflds = 1
     integer, pointer :: varid(:)
     logical :: valid = .false., sndrcv = .false., output = .false., mapped = .false.
     integer :: namid = 0, routerid = 1, comp = 0, tag = 0, dt = 3600, lag = 0
  end type prism_coupler_type
  type(prism_router_type), pointer :: prism_router(:)
  type(prism_coupler_type), pointer :: prism_coupler_put(:), prism_coupler_get(:)
end module mod_oasis_coupler
