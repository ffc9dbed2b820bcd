#!/bin/sh
# cpl-lb-record [OPTIONS] PROGRAM [ARGUMENTS]
# Records a coupled run at the level of MPI: no adapter, no new link, no namelist. It stands in front of each executable,
#   mpirun -np 64 cpl-lb-record ./ocean.exe : -np 32 cpl-lb-record ./atmosphere.exe
# and is gone when PROGRAM starts.
#   --component NAME  the component of this executable (else it is named after the executable)
#   --components LIST components by ranks of MPI_COMM_WORLD: ocean:0-95,atmosphere:96-127
#   --dir FOLDER      where results go, seen from the folder where the job was started
#   --run NAME        name of the run, in every file
#   --simulated S     simulated seconds, for SYPD and CHSY
#   --spool           keep the events in files that survive a crash
#   --mpi NAME        openmpi or mpich, where neither PROGRAM nor the command that starts the job tells
# PROGRAM always runs. What cannot be recorded (static, setuid, file capabilities) runs unrecorded, and one line says so.
set -u
fail() {
  echo "cpl-lb-record: $1" >&2
  exit "${2:-2}"
}
cpl_lb_mpi='' # a variable of a plain name may be one of the program's, which would get it changed
while [ $# -gt 0 ]; do
  case $1 in
    --component|--components|--dir|--run|--simulated|--mpi)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
        --component) export CPL_LB_COMPONENT="$2" ;;
        --components) export CPL_LB_COMPONENTS="$2" ;;
        --dir)
          case $2 in
            ''|/*) export CPL_LB_DIR="$2" ;;
            *) export CPL_LB_DIR="$PWD/$2" ;; # the model may go elsewhere before it starts MPI
          esac ;;
        --run) export CPL_LB_RUN="$2" ;;
        --simulated) export CPL_LB_SIMULATED="$2" ;;
        --mpi) cpl_lb_mpi=$2 ;;
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
case $cpl_lb_mpi in
  ''|openmpi|mpich) ;;
  *) fail "--mpi $cpl_lb_mpi: must be openmpi or mpich" ;;
esac
export CPL_LB_ENABLED="${CPL_LB_ENABLED:-true}"

# One process of each executable says it, as far as the command that started the job tells who that is.
is_first() {
  rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-${SLURM_PROCID:-0}}}}
  [ "$rank" != 0 ] || return 0
  first=0
  for count in ${OMPI_APP_CTX_NUM_PROCS:-}; do
    case $count in *[!0-9]*|0*) return 1 ;; esac
    first=$((first + count))
    [ "$rank" != "$first" ] || return 0
  done
  return 1
}

# Says why the program is not recorded, unless nothing is to be recorded.
unrecorded() {
  case $CPL_LB_ENABLED in
    [FfNn0]*|.[Ff]*|[Oo][Ff]*) ;;
    *)
      text="$name is not recorded: $1"
      ! is_first || printf 'cpl_lb: %s\n' "$(printf '%s' "$text" | tr -d '\000-\037\177' 2> /dev/null || echo "$text")" >&2 ;;
  esac
  exit 0
}

# As the system finds it: `command -v` also knows what the shell itself can do.
find_program() {
  program=$1
  case $1 in */*) return ;; esac
  IFS=:
  for folder in $PATH; do
    program=${folder:-.}/$1
    if [ -f "$program" ] && [ -x "$program" ]; then break; fi
  done
  unset IFS
}

has_rights_of_its_own() {
  if [ -u "$1" ] || [ -g "$1" ]; then return 0; fi
  for tool in getcap /usr/sbin/getcap /sbin/getcap; do
    command -v "$tool" > /dev/null || continue
    [ -n "$("$tool" "$1" 2> /dev/null)" ]
    return
  done
  getfattr -n security.capability -- "$1" > /dev/null 2>&1
}

# Sets `needed`. Both MPIs name their library libmpi.so on some systems: the number tells them apart.
look_at_libraries() {
  needed=$(LC_ALL=C ldd "$1" 2>&1)
  case $needed in
    *libmpi.so.40*|*libmpi_mpifh.so*|*libmpi_usempi*) mpi=openmpi ;;
    *libmpich*|*libmpi.so.12*|*libmpifort.so.12*) mpi=mpich ;;
  esac
}

library_for() {
  library=$here/@CPL_LB_RECORD_TO_LIBRARIES@/libcpl_lb_mpi-$1.so.@PROJECT_VERSION_MAJOR@
}

# For a script, an interpreter, `env`: what it starts may stand behind it. Else what starts the job tells, or what is
# installed. A guess that is wrong is noticed in the program (beside.cpp).
guess_mpi() {
  mpi=$cpl_lb_mpi
  files=0
  for word in "$@"; do
    if [ -n "$mpi" ] || [ $files -ge 4 ]; then break; fi
    if [ -f "$word" ] && [ -x "$word" ]; then
      files=$((files + 1))
      look_at_libraries "$word"
    fi
  done
  if [ -n "$mpi" ]; then return; fi
  if [ -n "${OMPI_COMM_WORLD_RANK:-}" ]; then
    mpi=openmpi
  elif [ -n "${MPI_LOCALRANKID:-}" ]; then
    mpi=mpich
  else
    for one in openmpi mpich; do
      library_for $one
      [ ! -f "$library" ] || mpi=$mpi$one
    done
  fi
  case $mpi in
    openmpi|mpich) ;;
    *) unrecorded "its MPI is not known: cpl-lb-record --mpi openmpi, or --mpi mpich" ;;
  esac
}

# The first thing that the system says only if it loads the library into `file`, too.
look_for_trouble() {
  [ -n "$1" ] || return
  loader=$(printf '%s' "$1" | sed -n 's/^[[:blank:]]*\(\/[^ ]*\/ld[^ /]*\) (0x.*/\1/p')
  [ -x "$loader" ] || return
  trouble=$(LC_ALL=C LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=yes LD_PRELOAD="$library" "$loader" "$file" 2>&1 |
    grep -E 'not found|undefined symbol.*libcpl_lb|cannot be preloaded|error while loading' |
    grep -v -x -F -e "$1" | head -n 1)
  [ -z "$trouble" ] || unrecorded "the system cannot load cpl_lb's library into it: $trouble"
}

# Prints the library to be preloaded, or nothing. In a shell of its own: so no variable of the program is changed, and
# whatever goes wrong here ends that shell only.
find_library() {
  name=$1
  unset LD_PRELOAD # it is for the program
  self=$(readlink -f -- "$0" 2> /dev/null || echo "$0")
  here=${self%/*}
  find_program "$1"
  if [ ! -e "$program" ]; then echo "$1: there is no such program"; exit 127; fi
  if [ ! -f "$program" ] || [ ! -x "$program" ]; then echo "$1: not a program that may be started"; exit 126; fi
  shift
  is='it is'
  case $({ od -A n -v -t x1 -N 4 -- "$program" | tr -d ' \n'; } 2> /dev/null) in
    7f454c46) file=$program ;; # ELF
    2321*) # a script
      file=$({ head -c 256 -- "$program" | LC_ALL=C sed -n '1s/^#![[:blank:]]*\([^[:blank:]]*\).*/\1/p'; } 2> /dev/null)
      is="its interpreter $file is" ;;
    *) file='' ;;
  esac
  if [ -n "$file" ] && has_rights_of_its_own "$file"; then
    unrecorded "$is setuid or setgid, or has file capabilities, so the system loads no library of others into it"
  fi
  mpi=''
  needed=''
  if [ -n "$file" ] && command -v ldd > /dev/null; then
    look_at_libraries "$file"
    case $needed in
      *'statically linked'*|*'not a dynamic executable'*)
        # A static shell hands on what it does not need.
        [ "$file" != "$program" ] || unrecorded "it is linked statically, or for another system: link it dynamically" ;;
      ''|*libc.so.6*) ;;
      *) unrecorded "$is linked with another C library than cpl_lb" ;;
    esac
  fi
  needed_by_file=$needed
  [ -n "$mpi" ] || guess_mpi "$@"
  library_for "$mpi"
  case $library in
    *[[:space:]:]*)
      unrecorded "LD_PRELOAD does not work with a blank or a colon in the path: install cpl_lb in another folder than $here" ;;
  esac
  [ -r "$library" ] || unrecorded "cpl_lb was not installed for $mpi, or not for you: $library cannot be read"
  look_for_trouble "$needed_by_file"
  echo "$library"
}

# Where no process can be started, the shell ends here: then the program runs all the same, unless a signal ended it.
trap 'exec "$@"' EXIT
trap 'trap - EXIT; exit 143' HUP INT TERM
cpl_lb_library=$(find_library "$@")
cpl_lb_status=$?
trap - EXIT HUP INT TERM
case $cpl_lb_status in
  126|127) fail "$cpl_lb_library" $cpl_lb_status ;;
esac
if [ -f "$cpl_lb_library" ]; then
  export LD_PRELOAD="$cpl_lb_library${LD_PRELOAD:+:$LD_PRELOAD}"
  # Else AddressSanitizer ends the program, because its own library does not come first.
  export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
fi
exec "$@"
