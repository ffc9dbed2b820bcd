#!/bin/sh
# The atmosphere has three times the ocean's work: what the run says of it agrees with the sleeps and with itself. How
# long the ocean then waits depends on what else the machine does: tests/simulator/coupled_example_test.cpp says that of
# the same run with times made by hand.
command=$5
. "$(dirname "$0")/coupled_common.sh"

# 10 steps; ocean 0.1 s, atmosphere 0.3 s of sleep in each.
namelists run 10 0 0.1 0.3 0.
model run "$bin" 2 2 1
"$command" summary run --json > again || fail "cpl-lb summary"
"${PYTHON:-python3}" "$(dirname "$0")/coupled_balance.py" run again
