#!/bin/sh
# The atmosphere has three times the ocean's work: the summary says who waits for whom, and how long.
. "$(dirname "$0")/coupled_common.sh"

# 20 steps; ocean 0.05 s, atmosphere 0.15 s of sleep in each. On a machine with nothing else to do the ocean waits 0.10
# of 0.15 s, two thirds of its loop, less what the model itself computes; the bounds leave room for a busy one.
namelists run 20 0 0.05 0.15 0.
balance() {
  model run "$bin" 2 2 1
  cmake -DFILE=run/load_balancing_info.json -P "$(dirname "$0")/coupled_balance.cmake"
}
until_undisturbed balance
