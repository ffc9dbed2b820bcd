#!/bin/sh
# cpl-lb-record [OPTIONS] PROGRAM [ARGUMENTS]
# Records a coupled run at the level of MPI: no adapter, no new link, no namelist. It stands in front of each executable,
#   mpirun -np 64 cpl-lb-record ./ocean.exe : -np 32 cpl-lb-record ./atmosphere.exe
# and is gone when PROGRAM starts.
#   --component NAME  the component of this executable (else it is named after the executable)
#   --components LIST components by ranks of MPI_COMM_WORLD: ocean:0-95,atmosphere:96-127
#   --dir FOLDER      where results go
#   --spool           keep the events in files that survive a crash
#   --mpi NAME        openmpi or mpich, where PROGRAM does not tell: a script, or an interpreter such as python3
set -u
fail() {
  echo "cpl-lb-record: $1" >&2
  exit 2
}
mpi=''
while [ $# -gt 0 ]; do
  case $1 in
    --component|--components|--dir|--mpi)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
        --component) export CPL_LB_COMPONENT="$2" ;;
        --components) export CPL_LB_COMPONENTS="$2" ;;
        --dir) export CPL_LB_DIR="$2" ;;
        --mpi) mpi=$2 ;;
      esac
      shift 2 ;;
    --spool) export CPL_LB_SPOOL=true; shift ;;
    -h|--help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
    --version) echo "cpl-lb-record @PROJECT_VERSION@"; exit 0 ;;
    --) shift; break ;;
    -*) fail "unknown option $1" ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || fail "no program is given: see cpl-lb-record --help"
program=$(command -v -- "$1") || fail "$1: there is no such program"
[ -f "$program" ] || fail "$1: not a program"
if [ -u "$program" ] || [ -g "$program" ]; then
  fail "$1: a setuid or setgid program: the system does not allow LD_PRELOAD for it"
fi

needed=$(ldd "$program" 2> /dev/null)
is_elf() {
  head -c 4 -- "$program" | LC_ALL=C grep -q ELF
}
case $needed in
  ''|*'statically linked'*) ! is_elf || fail "$1: linked statically, or not an executable of this system: cpl-lb-record cannot record it" ;;
esac
case $mpi in
  openmpi|mpich) ;;
  '')
    # Both MPIs name their library libmpi.so on some systems: the number tells them apart.
    case $needed in
      *libmpi.so.40*|*libmpi_mpifh.so*|*libmpi_usempi*) mpi=openmpi ;;
      *libmpich*|*libmpi.so.12*|*libmpifort.so.12*) mpi=mpich ;;
      '') fail "$1: a script, or not an executable of this system: name the MPI of a script with --mpi openmpi or --mpi mpich" ;;
      *) fail "$1: cpl-lb-record does not find OpenMPI or MPICH among its libraries: name its MPI with --mpi openmpi or --mpi mpich" ;;
    esac ;;
  *) fail "--mpi $mpi: must be openmpi or mpich" ;;
esac

here=$(dirname -- "$(readlink -f -- "$0")")
library=$here/@CPL_LB_RECORD_TO_LIBRARIES@/libcpl_lb_mpi-$mpi.so.@PROJECT_VERSION_MAJOR@
case $library in
  *[[:space:]:]*) fail "LD_PRELOAD does not work with a blank or a colon in the path: install cpl_lb in another folder than $library" ;;
esac
[ -f "$library" ] || fail "cpl_lb was not installed for $mpi: there is no $library"
export LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}"
export CPL_LB_ENABLED="${CPL_LB_ENABLED:-true}"
exec "$@"
