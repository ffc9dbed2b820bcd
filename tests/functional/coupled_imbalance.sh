#!/bin/sh
# One process of the atmosphere of three is late by known sleeps: always, then in one of four steps only. What the run
# says of its imbalance agrees with the sleeps, and the command finds the same.
command=$5
. "$(dirname "$0")/coupled_common.sh"

# 26 steps, 24 of them in the loop.
for case in always now_and_then; do
  every=1
  [ $case = always ] || every=4
  namelists $case 26 0 0. 0.01 0.
  echo "&namload rn_load = 0.01, rn_late = 0.12, nn_late_first = 1, nn_late_last = 1, nn_late_every = $every /" > $case/namelist_atmosphere
  model $case "$bin" 1 3 0
  mv $case/load_balancing_info.json $case/told.json
  "$command" summary $case --json > $case/again.json || fail "cpl-lb summary"
done
"${PYTHON:-python3}" "$(dirname "$0")/coupled_imbalance.py" always now_and_then
