#!/bin/sh
# Runs the coupled model and prints its load balance.
#   run.sh [--mpi openmpi|mpich] [--bin FOLDER] [--np OCEAN ATMOSPHERE IOSERVER] [FOLDER]
# FOLDER is where the run happens (made if missing; default run/coupled). Namelists that are already there are kept:
# change them and run again. --bin: the folder of the executables; without it they are built first. In a copy of this
# folder: CMAKE_PREFIX_PATH=<where cpl_lb is installed> ./run.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpi=openmpi bin='' run=run/coupled ocean=2 atmosphere=2 ioserver=1
while [ $# -gt 0 ]; do
  case $1 in
    --mpi) mpi=$2; shift 2 ;;
    --bin) bin=$2; shift 2 ;;
    --np) ocean=$2 atmosphere=$3 ioserver=$4; shift 4 ;;
    -h|--help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) run=$1; shift ;;
  esac
done

build() {
  suffix=''
  ! command -v "mpif90.$mpi" > /dev/null || suffix=.$mpi   # Debian has several side by side
  if [ -d "$here/../../libcpl_lb" ]; then   # in the source tree of cpl_lb
    mkdir -p "$here/../../build"
    bin="$here/../../build/coupled-$mpi/examples/coupled"
    source="$here/../.." folder="$here/../../build/coupled-$mpi"
  else
    bin="$here/build-$mpi" source=$here folder="$here/build-$mpi"
  fi
  if ! { cmake -S "$source" -B "$folder" -DCPL_LB_TESTS=OFF -DMPI_EXECUTABLE_SUFFIX="$suffix" &&
         cmake --build "$folder" --target coupled_ocean coupled_atmosphere coupled_ioserver; } > "$folder.log" 2>&1; then
    cat "$folder.log" >&2
    exit 1
  fi
}
[ -n "$bin" ] || build
bin=$(cd "$bin" && pwd)

mkdir -p "$run"
cd "$run"
[ -f namelist_cpl_lb ] || cat > namelist_cpl_lb <<'END'
&namcpl_lb
   ln_lb = .true.
   cn_run = 'coupled example'
/
END
[ -f namelist_coupled ] || cat > namelist_coupled <<'END'
&namrun
   nn_steps   = 40      ! coupling steps
   nn_first   = 0       ! first coupling step; > 0: continue from the restarts of that step
   rn_step    = 10800.  ! coupling period [s]
   nn_output  = 8       ! coupling steps between two outputs
   nn_restart = 20      ! coupling steps between two restarts
/
END
[ -f namelist_ocean ] || cat > namelist_ocean <<'END'
&namocean
   nn_nx = 48, nn_ny = 36   ! cells
   nn_substeps = 6          ! ocean steps in a coupling step
/
&namload
   rn_shared = 0.1          ! extra work in a coupling step [s], shared by the processes
   rn_imbalance = 0.2       ! first process 0.8, last process 1.2 times its part
/
END
[ -f namelist_atmosphere ] || cat > namelist_atmosphere <<'END'
&namatmosphere
   nn_nx = 20, nn_ny = 14
   nn_substeps = 4
/
&namload
   rn_shared = 0.3
   rn_imbalance = 0.1
   nn_heavy = 4             ! every fourth coupling step ...
   rn_heavy = 0.02          ! ... 0.02 s more on each process
/
END

launcher=mpirun
command -v "mpirun.$mpi" > /dev/null && launcher="mpirun.$mpi"
case $mpi in
  openmpi)
    # More processes than cores, and root in a container: both are fine here.
    export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe # OpenMPI 4, 5
    export PMIX_MCA_mca_base_param_files=none # else Debian 13's mpirun crashes at the first ":" below (PMIx before 5.0.11)
    [ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ;;
esac
set -- -np "$ocean" "$bin/ocean" : -np "$atmosphere" "$bin/atmosphere"
[ "$ioserver" = 0 ] || set -- "$@" : -np "$ioserver" "$bin/ioserver"
exec "$launcher" "$@"
