#!/bin/sh
# cpl-lb tune runs the coupled model itself, from a bad start: ocean 0.3/p + 0.05 s, atmosphere 0.9/p + 0.025 s of
# sleep in a step, 8 processes. Which counts it tries depends on the machine: tests/simulator/tune_test.cpp has that
# with times made by hand, and runs that fail. Here is what holds on any: that the runs are made, read, and told.
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

"$command" tune --log log.txt --total 8 --start ocean=6,atmosphere=2 --runs 2 -- \
  ./model.sh '{ocean}' '{atmosphere}' '{dir}' > told 2> errors || { cat told errors; fail "cpl-lb tune"; }
[ ! -s errors ] || { cat errors; fail "something on standard error"; }
grep -q '^Run 1: atmosphere=2,ocean=6\.$' told || { cat told; fail "the first run"; }
grep -q '^Stop: ' told || { cat told; fail "why it stopped"; }
cmp -s told log.txt || { cat log.txt; fail "the log"; }
for n in 1 2; do
  [ -f "log_$n/load_balancing_info.json" ] || fail "results of run $n"
  grep -q '^checksum' "log_$n/output.txt" || fail "what run $n printed"
done
# The atmosphere has 0.475 s with 2 processes, and at most 0.325 s with more; a busy machine adds to both.
grep -q '^The best is run 2 ' told || { cat told; fail "the second run was not faster than the start"; }

# It goes on from the folders of its runs: nothing is run again.
"$command" tune --log log.txt --total 8 --runs 2 -- ./model.sh '{ocean}' '{atmosphere}' '{dir}' > again ||
  fail "from the folders"
! grep -q '^Run ' again || { cat again; fail "runs again"; }
