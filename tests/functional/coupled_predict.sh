#!/bin/sh
# Predicts processor splits of the coupled model from one run and from two, runs them, and compares.
# Both components sleep a/p + k in each coupling step: ocean 0.6/p + 0.1 s, atmosphere 0.9/p + 0.05 s, so two cores
# are enough and the answer is known. Arguments of coupled_common.sh, cpl-lb, and `all` for the table of
# docs/predict.md: three splits, 40 steps; else one split, 12 steps, from two runs.
. "$(dirname "$0")/coupled_common.sh"
cpl_lb=$5 steps=12 splits='6,6'
[ "${6:-}" != all ] || steps=40 splits='3,6 6,3 4,4'

# split OCEAN,ATMOSPHERE: runs it in a folder of that name
split() {
  namelists "$1" "$steps" 0 0.1 0.05 0.
  echo '&namload rn_load = 0.1, rn_shared = 0.6 /' > "$1/namelist_ocean"
  echo '&namload rn_load = 0.05, rn_shared = 0.9 /' > "$1/namelist_atmosphere"
  model "$1" "$bin" "${1%,*}" "${1#*,}" 0
}
# figure NAME FILE: one number of the json
figure() { sed -n "s/^ *\"$1\": \([0-9.e-]*\),\{0,1\}\$/\1/p" "$2"; }
# predicted SPLIT OUTPUT FOLDER|OPTION...: seconds of a coupling cycle
predicted() {
  pes="ocean=${1%,*},atmosphere=${1#*,}" output=$2
  shift 2
  "$cpl_lb" predict "$@" --pes "$pes" --json > "$output"
  figure cycle_mean_s "$output"
}

# What does not shrink of the measured times with 2 and 2: 0.1 of 0.6 / 2 + 0.1 s, 0.05 of 0.9 / 2 + 0.05 s.
serial=ocean=0.25,atmosphere=0.1
prediction() {
  split 2,2
  split 8,8
  echo "ocean,atmosphere  measured [s]  from 2,2 [s]  error [%]  and --serial [s]  error [%]  from 2,2 and 8,8 [s]  error [%]"
  for s in $splits; do
    split "$s"
    "$cpl_lb" predict "$s" --json > "$s/measured"
    echo "$s $(figure measured_mean_s "$s/measured") $(predicted "$s" "$s/one" 2,2)" \
      "$(predicted "$s" "$s/serial" 2,2 --serial $serial) $(predicted "$s" "$s/two" 2,2 8,8)"
  done | awk '
    { for (n = 3; n <= 5; ++n) e[n] = $2 > 0 && $n > 0 ? 100 * ($n / $2 - 1) : 999
      printf "%16s  %12.4f  %12.4f  %9.1f  %16.4f  %9.1f  %20.4f  %9.1f\n", $1, $2, $3, e[3], $4, e[4], $5, e[5]
      for (n = 4; n <= 5; ++n) if (e[n] < -10 || e[n] > 10) wrong = 1 }
    # One run knows no k and takes ideal scaling, which is a bound: it may not say more than was measured.
    { if (e[3] > 10) wrong = 1 }
    END { exit wrong || NR == 0 }' || { echo "a run and --serial, and two runs, must predict to 10 %"; return 1; }
}
until_undisturbed prediction
