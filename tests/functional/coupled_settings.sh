#!/bin/sh
# The settings for what `cpl-lb predict` can change: lag and period of a field, speed of a component or region, output.
# Each is a run of its own; what it recorded has the change, and nothing else has changed.
command=$5
. "$(dirname "$0")/coupled_common.sh"

# run NAME COUPLING OCEAN ATMOSPHERE RUN: 12 steps; the ocean sleeps 0.02 s in its physics, the atmosphere 0.04 s in its
# dynamics and 0.04 s in its physics. The four are more lines of their groups.
run() {
  mkdir -p "$1"
  printf '&namrun nn_steps = 12, nn_first = 0, nn_output = 4, nn_restart = 6 %s /\n&namcoupling %s /\n' "$5" "$2" > "$1/namelist_coupled"
  echo "&namload rn_shared = 0.04 $3 /" > "$1/namelist_ocean"
  echo "&namload rn_shared = 0.08, rn_dynamics = 0.08 $4 /" > "$1/namelist_atmosphere"
  echo "&namcpl_lb ln_lb = .true. /" > "$1/namelist_cpl_lb"
  model "$1" "$bin" 2 2 1
  "$command" predict "$1" --json > "$1/predicted.json" || fail "cpl-lb predict of $1"
}
run base '' '' '' ''
run lag 'nn_lag_qnet = 1' '' '' ''
run far 'nn_lag_qnet = 3, nn_lag_sst = 2' '' '' ''
run every 'nn_every_sst = 2, nn_every_taux = 3' '' '' ''
run both 'nn_every_qnet = 2, nn_lag_qnet = 1' '' '' ''
run faster '' '' ', rn_faster = 2.' ''
run region '' '' ', rn_faster_dynamics = 4.' ''
run quiet '' '' '' ', nn_output = 0, nn_restart = 0'
"${PYTHON:-python3}" "$(dirname "$0")/coupled_settings.py" base lag far every both faster region quiet

# While it runs the model tells who waits, three times; nothing else changes. On a busy machine anybody may wait: that the
# figures are right is tested in balance_now_model.c.
run balance '' '' '' ', nn_balance = 4'
cmp base/results balance/results || fail "asking for the balance changes the results"
awk '/^waiting until step [0-9]+: ocean +[0-9.]+ %, atmosphere +[0-9.]+ %$/ { n++; if ($4 + 0 != 4 * n || $6 > 100 || $9 > 100) bad = 1 }
     END { exit !(n == 3 && !bad) }' balance/printed || { cat balance/printed; fail "who waits"; }
! grep -q '^waiting until' base/printed || fail "unasked: who waits"

# The lag changes what the ocean gets, so its bits; without settings they are as before (coupled_bits.sh).
! cmp -s base/results lag/results || fail "a lag that changes nothing"
[ -s base/output_ocean.nc ] && [ -s base/restart_ocean_00000012.nc ] || fail "output of base"
for file in quiet/output_* quiet/restart_*; do [ ! -e "$file" ] || fail "no output, but there is $file"; done

# Wrong settings: one line, and the run ends.
for wrong in 'nn_lag_sst = -1' 'nn_every_qnet = 0'; do
  echo "&namrun nn_steps = 2 / &namcoupling $wrong /" > base/namelist_coupled
  ! "$example/run.sh" --bin "$bin" --mpi "$mpi" --np 1 1 0 base > wrong.txt 2>&1 || fail "$wrong"
  grep -q 'namelist_coupled: nn_output, nn_balance, nn_restart and lags are 0 or more' wrong.txt || { cat wrong.txt; fail "$wrong"; }
done
echo "the settings do what they say"
