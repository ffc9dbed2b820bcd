! Outside oracle: gfortran's own namelist reader on the file given as argument. Prints one value on each line, reals as
! the hexadecimal digits of their bits, or "error" and the message of the reader.
program namelist_oracle
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   logical :: ln_lb = .true., ln_timeline = .true., ln_report = .true., ln_print = .true.
   logical :: ln_compress = .false., ln_spool = .false., ln_rss = .true., ln_energy = .true.
   integer(int64) :: nn_date_first = 0, nn_date_last = -1, nn_max_mb = 0, nn_cores = 0, nn_gpus = -1
   real(real64) :: rn_timeout = 600, rn_year_days = 365, rn_sample = 1, rn_analysis = 10
   character(len=1023) :: cn_dir = '.', cn_spool_dir = '/dev/shm', cn_counters = '', cn_submitted = '', cn_run = ''
   character(len=1023) :: cn_components = '', cn_members = ''
   namelist /namcpl_lb/ ln_lb, ln_timeline, ln_report, ln_print, cn_dir, nn_date_first, nn_date_last, nn_max_mb, &
      rn_timeout, rn_analysis, ln_compress, ln_spool, cn_spool_dir, rn_year_days, nn_cores, nn_gpus, ln_rss, ln_energy, &
      rn_sample, cn_counters, cn_submitted, cn_run, cn_components, cn_members
   character(len=1023) :: file, message
   integer :: unit, status

   call get_command_argument(1, file)
   message = ''
   open (newunit=unit, file=trim(file), status='old', action='read', iostat=status, iomsg=message)
   if (status == 0) read (unit, nml=namcpl_lb, iostat=status, iomsg=message)
   if (status /= 0) then
      write (*, '(2a)') 'error ', trim(message)
      stop
   end if
   call put_logical('ln_lb', ln_lb)
   call put_logical('ln_timeline', ln_timeline)
   call put_logical('ln_report', ln_report)
   call put_logical('ln_print', ln_print)
   call put_text('cn_dir', cn_dir)
   call put_integer('nn_date_first', nn_date_first)
   call put_integer('nn_date_last', nn_date_last)
   call put_integer('nn_max_mb', nn_max_mb)
   call put_real('rn_timeout', rn_timeout)
   call put_real('rn_analysis', rn_analysis)
   call put_logical('ln_compress', ln_compress)
   call put_logical('ln_spool', ln_spool)
   call put_text('cn_spool_dir', cn_spool_dir)
   call put_real('rn_year_days', rn_year_days)
   call put_integer('nn_cores', nn_cores)
   call put_integer('nn_gpus', nn_gpus)
   call put_logical('ln_rss', ln_rss)
   call put_logical('ln_energy', ln_energy)
   call put_real('rn_sample', rn_sample)
   call put_text('cn_counters', cn_counters)
   call put_text('cn_submitted', cn_submitted)
   call put_text('cn_run', cn_run)
   call put_text('cn_components', cn_components)
   call put_text('cn_members', cn_members)

contains

   subroutine put_logical(name, value)
      character(len=*), intent(in) :: name
      logical, intent(in) :: value
      write (*, '(3a)') name, ' ', trim(merge('T', 'F', value))
   end subroutine put_logical

   subroutine put_integer(name, value)
      character(len=*), intent(in) :: name
      integer(int64), intent(in) :: value
      write (*, '(2a,i0)') name, ' ', value
   end subroutine put_integer

   subroutine put_real(name, value)
      character(len=*), intent(in) :: name
      real(real64), intent(in) :: value
      write (*, '(2a,z16.16)') name, ' ', transfer(value, 0_int64)
   end subroutine put_real

   subroutine put_text(name, value)
      character(len=*), intent(in) :: name, value
      write (*, '(4a)') name, ' [', trim(value), ']'
   end subroutine put_text

end program namelist_oracle
