#!/bin/sh
# cpl-lb tune runs the coupled model itself, from a bad start: ocean 0.3/p + 0.05 s, atmosphere 0.9/p + 0.025 s of
# sleep in a step, 8 processes. Which counts it tries depends on the machine: tests/simulator/tune_test.cpp has that
# with times made by hand. Here is what holds on any: that the runs are made, read, and written down.
command=$5
. "$(dirname "$0")/coupled_common.sh"

cat > model.sh <<END
#!/bin/sh
# OCEAN ATMOSPHERE FOLDER
set -eu
echo "&namrun nn_steps = 12, nn_first = 0, nn_output = 100, nn_restart = 100 /" > "\$3/namelist_coupled"
echo "&namload rn_load = 0.05, rn_shared = 0.3 /" > "\$3/namelist_ocean"
echo "&namload rn_load = 0.025, rn_shared = 0.9 /" > "\$3/namelist_atmosphere"
echo "&namcpl_lb ln_lb = .false., cn_dir = 'elsewhere' /" > "\$3/namelist_cpl_lb"
exec "$example/run.sh" --bin "$bin" --mpi "$mpi" --np "\$1" "\$2" 0 "\$3"
END
chmod +x model.sh

"$command" tune run --log log.csv --total 8 --start ocean=6,atmosphere=2 --runs 3 -- \
  ./model.sh '{ocean}' '{atmosphere}' '{dir}' > told 2> errors || { cat told errors; fail "cpl-lb tune run"; }
[ ! -s errors ] || { cat errors; fail "something on standard error"; }
grep -q '^Run 1: ocean=6,atmosphere=2; the first run' told || { cat told; fail "the first run"; }
grep -q '^Stop: ' told || { cat told; fail "why it stopped"; }
for n in 1 2; do
  grep -q "^$n,taken,\"$work/log_$n\"," log.csv || { cat log.csv; fail "run $n in the log"; }
  [ -f "log_$n/load_balancing_info.json" ] || fail "results of run $n"
  grep -q '^checksum' "log_$n/output.txt" || fail "what run $n printed"
done
tail -1 log.csv | grep -q ',stop,' || { cat log.csv; fail "the end of the log"; }
# The atmosphere has 0.475 s with 2 processes, and at most 0.325 s with more; a busy machine adds to both.
awk -F'"' '$0 ~ /,taken,/ { split($7, numbers, ","); print numbers[2] }' log.csv > cycles
awk 'NR == 1 { first = $1 } $1 < best || NR == 1 { best = $1 } END { exit !(NR > 1 && best < first) }' cycles ||
  { cat log.csv; fail "no run was faster than the start"; }

# It goes on from its log: nothing is run again.
"$command" tune run --log log.csv --total 8 --runs 2 -- ./model.sh '{ocean}' '{atmosphere}' '{dir}' > again ||
  fail "from the log"
! grep -q '^Run ' again || { cat again; fail "runs again"; }

# A command that fails: twice, then somebody has to look.
status=0
"$command" tune run --log failed.csv --total 8 -- sh -c 'echo {ocean} {atmosphere}; exit 9' > told 2> errors || status=$?
[ "$status" = 1 ] || fail "a model that fails: exit status $status"
grep -q 'run 2: not taken: the command ended with exit status 9' errors || { cat errors; fail "how it ended"; }
grep -q 'two runs in a row gave no usable result' errors || { cat errors; fail "the end after two"; }
grep -qx '4 4' failed_1/output.txt || fail "the start without --start: as many for each"
status=0
"$command" tune run --log killed.csv --total 8 -- sh -c 'kill -9 $$ {ocean}' > told 2> errors || status=$?
grep -q 'was ended by signal 9' errors || { cat errors; fail "a model that is killed"; }
status=0
"$command" tune run --log none.csv --total 8 -- ./is_not_there '{ocean}' > told 2> errors || status=$?
[ "$status" = 1 ] || fail "a command that is not there: exit status $status"
grep -q 'is_not_there: No such file or directory' errors || { cat errors; fail "what is not there"; }
