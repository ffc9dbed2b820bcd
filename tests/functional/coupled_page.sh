#!/bin/sh
# The page that a run writes holds all that cpl-lb report makes of the same folder: figures, events, messages.
command=$5
. "$(dirname "$0")/coupled_common.sh"

namelists run 8 0 0.02 0.04 0.
model run "$bin" 2 2 1
"$command" report run -o again.html > /dev/null || fail "cpl-lb report"
"${PYTHON:-python3}" "$(dirname "$0")/coupled_page.py" run/load_balancing_report.html again.html 8

# The I/O server has a colour of its own in the pictures of the scripts, too: idle, and nothing is orange.
"$command" report run --scripts > written
grep -q '/timeline_idle.spk$' written || fail "colours of I/O servers for Ferret"
grep -q "^idle_files = \['timeline_ioserver.nc', \]" run/timeline.py || fail "which files are I/O servers'"
for script in timeline_ocean timeline_ioserver; do
  grep -A8 "^use \"./$script.nc\"" run/timeline.jnl | grep -o 'palette="[^"]*"'
done > palettes
printf 'palette="./timeline"\npalette="./timeline_idle"\n' | cmp - palettes || { cat palettes; fail "palettes"; }
"${PYTHON:-python3}" run/timeline.py || fail "timeline.py"
