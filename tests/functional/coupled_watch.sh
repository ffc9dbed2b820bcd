#!/bin/sh
# cpl-lb watch on a run that is going: who waits, how far it is, what is left; and the run does not notice. A run
# from which nothing comes is told as silent.
command=$5
. "$(dirname "$0")/coupled_common.sh"

mkdir spools
namelists live 30 0 0.05 0.1 0.
echo "&namcpl_lb ln_lb = .true., ln_spool = .true., cn_spool_dir = '$work/spools', cn_run = 'live run' /" > live/namelist_cpl_lb
model live "$bin" 1 1 0 &
run=$!
# The atmosphere's load is twice the ocean's, and both take 30 steps of 10800 s: 3.75 days.
seen=no
for _ in $(seq 100); do
  if "$command" watch spools --once > seen 2> why && grep -q ' left$' seen && grep -q 'is the bottleneck' seen; then
    seen=yes
    break
  fi
  kill -0 $run 2> /dev/null || break
  sleep 0.1
done
# Spools in which nothing moves any more, as a killed run leaves them. The first look has nothing to compare with; after
# three more that saw nothing new the run is silent, long before ten seconds without an event tell it.
cp -r spools frozen
"$command" watch frozen --summary --every 0.1 2> why | head -5 > lines
[ "$(wc -l < lines)" = 5 ] || { cat lines why; fail "one line for each look"; }
[ "$(tail -2 lines | grep -c '^live run: .*\. Silent: the last event came [0-9]* s ago\.$')" = 2 ] ||
  { cat lines; fail "three looks without news are silence"; }
wait $run || fail "the run that was watched"
[ $seen = yes ] || { cat seen why; fail "nothing to see while the run was going"; }
grep -q '^live run: 2 processes, .* days simulated of 3\.75, .* SYPD, about .* left$' seen || { cat seen; fail "headline"; }
grep -q '^atmosphere is the bottleneck: ocean spends' seen || { cat seen; fail "bottleneck"; }
grep -Eq '^ocean +=+\.+ waits [0-9.]+ %, most for atmosphere$' seen || { cat seen; fail "bars"; }
! grep -q "$(printf '\033')" seen || fail "colour in a file"
[ -s live/load_balancing_report.html ] || fail "the page of the run"
! "$command" watch spools --once > gone 2>&1 || fail "watching nothing"
grep -q '^cpl-lb: .*no spool files' gone || { cat gone; fail "one line for a folder without spools"; }
echo "a run that goes on can be seen, and one that is silent is told"
