#!/bin/sh
# The atmosphere has three times the ocean's work: the summary says who waits for whom, and how long.
. "$(dirname "$0")/coupled_common.sh"

# 10 steps; ocean 0.1 s, atmosphere 0.3 s of sleep in each. On a machine with nothing else to do the ocean waits 0.2
# of 0.3 s, two thirds of its loop, less what the model itself computes; the bounds leave room for a busy one.
namelists run 10 0 0.1 0.3 0.
balance() {
  model run "$bin" 2 2 1
  cmake -DFILE=run/load_balancing_info.json -P "$(dirname "$0")/coupled_balance.cmake"
}
until_undisturbed balance
