#!/bin/sh
# Runs the model on OASIS and prints its load balance.
#   run.sh [--bin FOLDER] [--np OCEAN ATMOSPHERE] [--lag FIELD=STEPS] [--every FIELD=STEPS] [FOLDER]
# FOLDER is where the run happens (made if missing; default run/oasis). Files that are already there are kept: change them
# and run again. --bin: the folder of the executables. --every, --lag: SST, HEAT or TAUX is exchanged every so many steps,
# and is what was sent so many steps before (as OASIS wants it, not more than its period); they write a new namcouple.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$here/build run=run/oasis ocean=2 atmosphere=2 lags='' periods=''

# checked FIELD=STEPS LEAST
checked() {
  case ${1#*=} in ''|*[!0-9]*) false ;; *) [ "${1#*=}" -ge "$2" ] ;; esac &&
    case $1 in SST=*|HEAT=*|TAUX=*) ;; *) false ;; esac ||
    { echo "run.sh: $1: SST, HEAT or TAUX and a number of steps from $2" >&2; exit 2; }
}
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$2; shift 2 ;;
    --np) ocean=$2 atmosphere=$3; shift 3 ;;
    --lag) checked "$2" 0; lags="$lags $2"; shift 2 ;;
    --every) checked "$2" 1; periods="$periods $2"; shift 2 ;;
    -h|--help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) run=$1; shift ;;
  esac
done
bin=$(cd "$bin" && pwd)
mkdir -p "$run"
cd "$run"

# set_in_namcouple: periods and lags in seconds, and a restart file for each field with a lag
set_in_namcouple() {
  awk -v lags="$lags" -v periods="$periods" '
    function read_pairs(text, into,    n, i, pairs, pair) {
      n = split(text, pairs, " ")
      for (i = 1; i <= n; ++i) { split(pairs[i], pair, "="); into[pair[1]] = pair[2] }
    }
    BEGIN { read_pairs(lags, lag); read_pairs(periods, period) }
    / EXPORTED$/ {
      field = $1; step = $4
      if (field in period) $4 = period[field] * step
      if (lag[field] * step > $4) { print "run.sh: the lag of " field " is longer than its period" > "/dev/stderr"; exit 2 }
      if (lag[field] > 0) $6 = field ".nc" # OASIS 3.0 reads 8 letters
    }
    / LAG=0$/ && lag[field] > 0 { sub(/LAG=0$/, "LAG=+" lag[field] * step) }
    { print }' "$here/namcouple" > namcouple.new || { rm -f namcouple.new; exit 2; }
  mv namcouple.new namcouple
  rm -f SST.nc HEAT.nc TAUX.nc
  for one in $lags; do
    [ "${one#*=}" = 0 ] || first_values "${one%=*}"
  done
}
# first_values FIELD: what the first step receives, where nobody has sent anything
first_values() {
  value=0 nx=20 ny=14
  [ "$1" != SST ] || value=285 nx=48 ny=36 # K
  { echo "netcdf lag { dimensions: nx = $nx ; ny = $ny ; variables: double $1(ny, nx) ; data: $1 ="
    yes "$value" | head -n $((nx * ny)) | paste -sd,
    echo '; }'; } | ncgen -o "$1.nc" || { echo "run.sh: --lag needs ncgen of netCDF" >&2; exit 1; }
}
[ -f namcouple ] && [ -z "$lags$periods" ] || set_in_namcouple
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
