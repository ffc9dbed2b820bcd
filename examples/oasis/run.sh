#!/bin/sh
# Runs the model on OASIS and prints its load balance.
#   run.sh [--bin FOLDER] [--np OCEAN ATMOSPHERE] [FOLDER]
# FOLDER is where the run happens (made if missing; default run/oasis). Files that are already there are kept: change them
# and run again. --bin: the folder of the executables.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$here/build run=run/oasis ocean=2 atmosphere=2
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$2; shift 2 ;;
    --np) ocean=$2 atmosphere=$3; shift 3 ;;
    -h|--help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) run=$1; shift ;;
  esac
done
bin=$(cd "$bin" && pwd)
mkdir -p "$run"
cd "$run"
[ -f namcouple ] || cp "$here/namcouple" .
[ -f namelist_cpl_lb ] || printf "&namcpl_lb\n   ln_lb = .true.\n   cn_run = 'oasis example'\n/\n" > namelist_cpl_lb
[ -f namelist_coupled ] || printf '&namrun\n   nn_steps = 24      ! of 3 hours each: $RUNTIME of the namcouple\n/\n' > namelist_coupled
[ -f namelist_ocean ] || printf '&namload\n   rn_shared = 0.1    ! work in a coupling step [s], shared by the processes\n/\n' > namelist_ocean
[ -f namelist_atmosphere ] || printf '&namload\n   rn_shared = 0.3\n/\n' > namelist_atmosphere

launcher=mpirun
! command -v mpirun.openmpi > /dev/null || launcher=mpirun.openmpi # Debian's OASIS is built on it
# More processes than cores, and root in a container: both are fine here.
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe # OpenMPI 4, 5
export PMIX_MCA_mca_base_param_files=none # else Debian 13's mpirun crashes at the ":" below (PMIx before 5.0.11)
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec "$launcher" -np "$ocean" "$bin/ocean" : -np "$atmosphere" "$bin/atmosphere"
