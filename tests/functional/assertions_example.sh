#!/bin/sh
# The example of modelling assertions: C and Fortran say the same of the same kernels, and cpl-lb machine assert reads it.
#   assertions_example.sh COMMAND MPIEXEC FLAG C_PROGRAM FORTRAN_PROGRAM
set -eu
command=$1 mpiexec=$2 flag=$3 c=$4 fortran=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run FOLDER PROGRAM [PROCESSES]: 20 steps on 1000 numbers, two processes
  mkdir "$work/$1"
  (cd "$work/$1" && CPL_LB_ENABLED=1 CPL_LB_PRINT=0 "$mpiexec" "$flag" "${3:-2}" "$2" 1000) || {
    echo "FAILED: $2"
    exit 1
  }
  "$command" machine assert "$work/$1" --machine cray_x1e --json > "$work/$1.json"
  grep -E '"(expression|value|n|steps|times|from|region)":' "$work/$1.json" > "$work/$1.said"
}
run c "$c"
run fortran "$fortran"
diff "$work/c.said" "$work/fortran.said" || { echo "FAILED: C and Fortran differ"; exit 1; }
# 20 calls of 2 x 1000 flops, and of 2 x 999.
grep -q '"value": 40000.0' "$work/c.said" || { cat "$work/c.said"; echo "FAILED: flops of the triad"; exit 1; }
grep -q '"value": 39960.0' "$work/c.said" || { cat "$work/c.said"; echo "FAILED: flops of the recurrence"; exit 1; }

# Runs with one process and with two feed the model of loops: two values of threads, and what each kernel did.
run c1 "$c" 1
cat > "$work/m.toml" << 'END'
name = 'm'
source = 'by hand'
[[flop_rate]]
threads = [1, 2]
GFLOP_per_s = [10, 20]
[[bandwidth]]
level = 'DRAM'
threads = [1, 2]
GB_per_s = [10, 12]
END
"$command" machine fit "$work/c1" "$work/c" --machine "$work/m.toml" --json > "$work/fit.json"
for said in '"loop": "ocean: triad"' '"threads": 2' '"flops": 40000.0' '"flops": 80000.0' '"bytes": 960000.0' '"U": 0.'; do
  grep -q "$said" "$work/fit.json" || { cat "$work/fit.json"; echo "FAILED: no $said in the fit"; exit 1; }
done
