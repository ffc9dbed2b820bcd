#!/bin/sh
# Shared by the tests of the coupled model; sourced. Arguments: example's folder, executables, MPI, folder to run in.
set -eu
example=$1 bin=$2 mpi=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"
unset CPL_LB_ENABLED CPL_LB_NAMELIST

fail() { echo "FAILED: $*" >&2; exit 1; }

# namelists FOLDER STEPS FIRST OCEAN_LOAD ATMOSPHERE_LOAD IMBALANCE: of a small run
namelists() {
  mkdir -p "$1"
  echo "&namrun nn_steps = $2, nn_first = $3, nn_output = 4, nn_restart = 10 /" > "$1/namelist_coupled"
  echo "&namload rn_load = $4, rn_imbalance = $6 /" > "$1/namelist_ocean"
  echo "&namload rn_load = $5 /" > "$1/namelist_atmosphere"
  [ -f "$1/namelist_cpl_lb" ] || echo "&namcpl_lb ln_lb = .true. /" > "$1/namelist_cpl_lb"
}

# model FOLDER BIN OCEAN ATMOSPHERE IOSERVER: runs it; what it printed goes to FOLDER/printed and FOLDER/errors
model() {
  "$example/run.sh" --bin "$2" --mpi "$mpi" --np "$3" "$4" "$5" "$1" > "$1/printed" 2> "$1/errors" ||
    { cat "$1/printed" "$1/errors"; fail "run in $1"; }
  grep -E '^(checksum|energy)' "$1/printed" | sort > "$1/results" || :
  [ "$(grep -c '^checksum' "$1/results")" = 2 ] || { cat "$1/printed" "$1/errors"; fail "no checksums in $1"; }
}

# energy FOLDER: three budgets, each closed to 1e-13. Rounding is 2^-53 = 1.1e-16 relative for an addition; sums of a
# few thousand cells and steps stay below a thousand times that.
energy() {
  awk '/^energy/ { n++; if (!($NF < 1e-13)) bad = 1; if ($NF == "NaN") bad = 1 }
       END { exit !(n == 3 && !bad) }' "$1/results" || { cat "$1/results"; fail "energy in $1"; }
}
