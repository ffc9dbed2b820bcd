! Who is who: the executables of one MPMD job, told apart by name. All integer traffic of the set-up is here.
module components
   use mpi, only: MPI_COMM_WORLD, MPI_INTEGER
   implicit none
   private
   public :: component_t, start_components, describe_grid, find_component, stop_components

   integer, parameter :: name_length = 16

   ! One component as every process of the job sees it.
   type :: component_t
      character(len=name_length) :: name = ''
      integer, allocatable :: ranks(:)      ! in MPI_COMM_WORLD, ascending
      integer :: nx = 0, ny = 0             ! cells of its grid
      integer :: px = 1, py = 1             ! its processes in x and y
   end type component_t

   type(component_t), allocatable, public, protected :: all_components(:)
   integer, public, protected :: my_component = 0, my_comm = 0, my_rank = 0, my_size = 0, world_rank = 0
   integer, public, protected :: model_comm = 0   ! of all components but the I/O server, which has no coupling steps

contains

   subroutine start_components(name)
      character(len=*), intent(in) :: name
      integer :: error, world_size, color, rank
      integer :: letters(name_length)
      integer, allocatable :: all_letters(:)
      character(len=name_length), allocatable :: names(:)

      call MPI_Init(error)
      call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, error)
      call MPI_Comm_size(MPI_COMM_WORLD, world_size, error)
      letters = codes_of(name)
      allocate (all_letters(name_length*world_size), names(0:world_size - 1))
      call MPI_Allgather(letters, name_length, MPI_INTEGER, all_letters, name_length, MPI_INTEGER, MPI_COMM_WORLD, error)
      do rank = 0, world_size - 1
         names(rank) = text_of(all_letters(rank*name_length + 1:(rank + 1)*name_length))
      end do
      call list_components(names)
      color = find_component(name)
      my_component = color
      call MPI_Comm_split(MPI_COMM_WORLD, color, world_rank, my_comm, error)
      call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, name == 'ioserver'), world_rank, model_comm, error)
      call MPI_Comm_rank(my_comm, my_rank, error)
      call MPI_Comm_size(my_comm, my_size, error)
   end subroutine start_components

   ! Components are numbered in the order of their lowest rank.
   subroutine list_components(names)
      character(len=*), intent(in) :: names(0:)
      integer :: rank
      allocate (all_components(0))
      do rank = 0, size(names) - 1
         if (find_component(names(rank)) > 0) cycle
         all_components = [all_components, component_t(names(rank), ranks_of(names, names(rank)))]
      end do
   end subroutine list_components

   pure function ranks_of(names, name) result(ranks)
      character(len=*), intent(in) :: names(0:), name
      integer, allocatable :: ranks(:)
      integer :: rank
      ranks = pack([(rank, rank=0, size(names) - 1)], names == name)
   end function ranks_of

   ! 0: no process of that component in this job.
   pure integer function find_component(name)
      character(len=*), intent(in) :: name
      integer :: c
      find_component = 0
      do c = 1, size(all_components)
         if (all_components(c)%name == name) find_component = c
      end do
   end function find_component

   ! Collective over the job: each component tells the others its grid and decomposition.
   subroutine describe_grid(nx, ny, px, py)
      integer, intent(in) :: nx, ny, px, py
      integer, allocatable :: shapes(:)
      integer :: mine(4), error, world_size, c, first
      mine = [nx, ny, px, py]
      call MPI_Comm_size(MPI_COMM_WORLD, world_size, error)
      allocate (shapes(4*world_size))
      call MPI_Allgather(mine, 4, MPI_INTEGER, shapes, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
      do c = 1, size(all_components)
         first = 4*all_components(c)%ranks(1)
         all_components(c)%nx = shapes(first + 1)
         all_components(c)%ny = shapes(first + 2)
         all_components(c)%px = shapes(first + 3)
         all_components(c)%py = shapes(first + 4)
      end do
   end subroutine describe_grid

   subroutine stop_components()
      integer :: error
      call MPI_Finalize(error)
   end subroutine stop_components

   pure function codes_of(text) result(codes)
      character(len=*), intent(in) :: text
      integer :: codes(name_length), i
      codes = iachar(' ')
      do i = 1, min(len(text), name_length)
         codes(i) = iachar(text(i:i))
      end do
   end function codes_of

   pure function text_of(codes) result(text)
      integer, intent(in) :: codes(:)
      character(len=name_length) :: text
      integer :: i
      do i = 1, name_length
         text(i:i) = achar(codes(i))
      end do
   end function text_of

end module components
