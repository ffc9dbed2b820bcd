! netCDF: whole fields on one process, restarts and time series. A model that cannot write its results stops.
module files
   use constants, only: dp, error_unit
   use mpi, only: MPI_COMM_WORLD
   use netcdf
   implicit none
   private
   public :: create_restart, write_field, read_field, close_file, open_restart, append_record

   character(len=256), allocatable :: created(:)   ! time series begun in this run

contains

   integer function create_restart(path, nx, ny) result(id)
      character(len=*), intent(in) :: path
      integer, intent(in) :: nx, ny
      call create(path, nx, ny, id)
      call check(nf90_enddef(id), path)
   end function create_restart

   integer function open_restart(path) result(id)
      character(len=*), intent(in) :: path
      call check(nf90_open(path, nf90_nowrite, id), path)
   end function open_restart

   subroutine close_file(id)
      integer, intent(in) :: id
      call check(nf90_close(id), 'close')
   end subroutine close_file

   subroutine create(path, nx, ny, id)
      character(len=*), intent(in) :: path
      integer, intent(in) :: nx, ny
      integer, intent(out) :: id
      integer :: dimension_id
      call check(nf90_create(path, nf90_64bit_offset, id), path)
      call check(nf90_def_dim(id, 'x', nx, dimension_id), path)
      call check(nf90_def_dim(id, 'y', ny, dimension_id), path)
   end subroutine create

   subroutine write_field(id, name, field)
      integer, intent(in) :: id
      character(len=*), intent(in) :: name
      real(dp), intent(in) :: field(:, :)
      integer :: variable
      call check(nf90_redef(id), name)
      call check(nf90_def_var(id, name, nf90_double, [1, 2], variable), name)
      call check(nf90_enddef(id), name)
      call check(nf90_put_var(id, variable, field), name)
   end subroutine write_field

   subroutine read_field(id, name, field)
      integer, intent(in) :: id
      character(len=*), intent(in) :: name
      real(dp), intent(out) :: field(:, :)
      integer :: variable
      call check(nf90_inq_varid(id, name, variable), name)
      call check(nf90_get_var(id, variable, field), name)
   end subroutine read_field

   ! One more record of a field in a time series; the first of a run replaces the file.
   subroutine append_record(path, name, record, seconds, field)
      character(len=*), intent(in) :: path, name
      integer, intent(in) :: record
      real(dp), intent(in) :: seconds, field(:, :)
      integer :: id, variable, time
      call open_series(path, size(field, 1), size(field, 2), id)
      if (nf90_inq_varid(id, name, variable) /= nf90_noerr) then
         call check(nf90_redef(id), path)
         call check(nf90_def_var(id, name, nf90_double, [1, 2, 3], variable), name)
         call check(nf90_enddef(id), path)
      end if
      call check(nf90_put_var(id, variable, field, start=[1, 1, record], count=[size(field, 1), size(field, 2), 1]), name)
      call check(nf90_inq_varid(id, 'time', time), path)
      call check(nf90_put_var(id, time, [seconds], start=[record]), path)
      call check(nf90_close(id), path)
   end subroutine append_record

   subroutine open_series(path, nx, ny, id)
      character(len=*), intent(in) :: path
      integer, intent(in) :: nx, ny
      integer, intent(out) :: id
      integer :: dimension_id, time
      if (.not. allocated(created)) allocate (created(0))
      if (any(created == path)) then
         call check(nf90_open(path, nf90_write, id), path)
         return
      end if
      call create(path, nx, ny, id)
      call check(nf90_def_dim(id, 'time', nf90_unlimited, dimension_id), path)
      call check(nf90_def_var(id, 'time', nf90_double, [dimension_id], time), path)
      call check(nf90_put_att(id, time, 'units', 'seconds since 2000-01-01'), path)
      call check(nf90_enddef(id), path)
      created = [character(len=256) :: created, path]
   end subroutine open_series

   subroutine check(status, what)
      integer, intent(in) :: status
      character(len=*), intent(in) :: what
      integer :: error
      if (status == nf90_noerr) return
      write (error_unit, '(4a)') 'netCDF: ', trim(what), ': ', trim(nf90_strerror(status))
      call MPI_Abort(MPI_COMM_WORLD, 1, error)
   end subroutine check

end module files
