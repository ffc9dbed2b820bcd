#!/bin/sh
# 20 steps in one go, and 10 and 10 with a restart between them on other numbers of processes and without I/O server:
# the same bits. So the recording of a run does not depend on where the run began, either.
. "$(dirname "$0")/coupled_common.sh"

namelists whole 20 0 0. 0. 0.
model whole "$bin" 2 2 1
namelists parts 10 0 0. 0. 0.
model parts "$bin" 3 1 0
energy parts
namelists parts 10 10 0. 0. 0.
model parts "$bin" 1 2 1
energy parts
grep '^checksum' whole/results > whole/sums
grep '^checksum' parts/results | cmp - whole/sums || fail "checksums after a restart"
for component in ocean atmosphere; do
  cmp whole/restart_${component}_00000020.nc parts/restart_${component}_00000020.nc || fail "restart of $component"
done
echo "a restarted run continues to the same bits"
