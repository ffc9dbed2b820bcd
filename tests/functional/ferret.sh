#!/bin/sh
# The timelines of three components in Ferret's Python edition, drawn by the paper's own script (appendix 2).
# Usage: ferret.sh MPIEXEC SCENARIOS SCRIPT
set -eu
mpiexec=$1 scenarios=$2 script=$3
command -v pyferret3 > /dev/null || { echo "there is no pyferret3 (Debian: python3-ferret)"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
CPL_LB_ENABLED=1 $mpiexec 6 "$scenarios" paper > /dev/null
# shellcheck disable=SC1091
. /usr/share/ferret-vis/bin/ferret_paths
export FER_PALETTE=". $FER_PALETTE" FER_DATA=". $FER_DATA"
PATH=/usr/bin:$PATH # Ferret belongs to the system's Python, whatever else is first in the path
for egg in /usr/lib/python3/dist-packages/p*-*.egg; do # Debian 13's python3-ferret does not find its own modules
  [ ! -e "$egg" ] || export PYTHONPATH="$egg${PYTHONPATH:+:$PYTHONPATH}"
done
pyferret3 -nojnl -nodisplay -script "$script" > ferret.log 2>&1 || { cat ferret.log; exit 1; }
if grep -iE 'err|abort' ferret.log || ! test -s timeline.png; then
  cat ferret.log
  exit 1
fi
# What Ferret takes for the first start is what ncdump shows.
earliest=$(for c in pam_ pim_ poum; do ncdump -v timer_strt "timeline_$c.nc" | sed -n '/timer_strt =/,$p' |
  tr -c '0-9.e+-' '\n' | grep -E '^[0-9.]+(e-?[0-9]+)?$'; done | sort -g | head -1)
echo "earliest start by ncdump: $earliest"
seen=$(sed -n 's/^ *I \/ \*: *\([0-9.]*\) .*/\1/p' ferret.log)
echo "earliest start by Ferret: $seen"
awk -v a="$earliest" -v b="$seen" 'BEGIN { d = a - b; exit !(d < 1e-6 && d > -1e-6) }'
if [ $# -gt 3 ]; then cp timeline.png "$4"; fi
