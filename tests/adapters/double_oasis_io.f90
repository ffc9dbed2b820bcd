! Files of the test double of OASIS3-MCT: calls without a file.
module mod_oasis_io
  implicit none
  integer :: files = 0
contains
  subroutine oasis_io_write_avfbf(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_write_avfbf
  subroutine oasis_io_read_avfbf(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_read_avfbf
  subroutine oasis_io_write_avfile(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_write_avfile
  subroutine oasis_io_read_avfile(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_read_avfile
  subroutine oasis_io_write_array(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_write_array
  subroutine oasis_io_read_array(name)
    character(len=*), intent(in) :: name
    files = files + len_trim(name)
  end subroutine oasis_io_read_array
end module mod_oasis_io
