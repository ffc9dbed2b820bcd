#!/bin/sh
# The page that a run writes holds all that cpl-lb report makes of the same folder: figures, events, messages.
command=$5
. "$(dirname "$0")/coupled_common.sh"

namelists run 8 0 0.02 0.04 0.
model run "$bin" 2 2 1
"$command" report run -o again.html > /dev/null || fail "cpl-lb report"
"${PYTHON:-python3}" "$(dirname "$0")/coupled_page.py" run/load_balancing_report.html again.html 8
