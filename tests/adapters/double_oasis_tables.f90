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

module mod_oasis_part
  implicit none
  ! Of MCT: which points of the grid belong to which process.
  type GlobalSegMap
     integer :: ngseg = 0
     integer, pointer :: start(:) => null(), length(:) => null(), pe_loc(:) => null()
  end type GlobalSegMap
  type prism_part_type
     type(GlobalSegMap) :: gsmap
     integer :: gsize = 0, nx = -1, ny = -1
     character(len=80) :: gridname = 'spval_undef'
  end type prism_part_type
  integer :: prism_npart = 0
  type(prism_part_type) :: prism_part(10)
contains
  ! Serial: one process has a grid of that many points in one row.
  subroutine oasis_def_partition(id, points)
    integer, intent(out) :: id
    integer, intent(in) :: points
    prism_npart = prism_npart + 1
    id = prism_npart
    prism_part(id)%gsize = points
    prism_part(id)%gsmap%ngseg = 1
    allocate(prism_part(id)%gsmap%start(1), prism_part(id)%gsmap%length(1), prism_part(id)%gsmap%pe_loc(1))
    prism_part(id)%gsmap%start = 1
    prism_part(id)%gsmap%length = points
    prism_part(id)%gsmap%pe_loc = 0
  end subroutine oasis_def_partition
end module mod_oasis_part
