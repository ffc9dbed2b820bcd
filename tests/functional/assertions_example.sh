#!/bin/sh
# The example of modelling assertions: C and Fortran say the same of the same kernels, and cpl-lb assert reads it.
#   assertions_example.sh COMMAND MPIEXEC FLAG C_PROGRAM FORTRAN_PROGRAM
set -eu
command=$1 mpiexec=$2 flag=$3 c=$4 fortran=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run FOLDER PROGRAM: 20 steps on 1000 numbers, two processes
  mkdir "$work/$1"
  (cd "$work/$1" && CPL_LB_ENABLED=1 CPL_LB_PRINT=0 "$mpiexec" "$flag" 2 "$2" 1000) || { echo "FAILED: $2"; exit 1; }
  "$command" assert "$work/$1" --machine cray_x1e --json > "$work/$1.json"
  grep -E '"(expression|value|n|steps|times|from|region)":' "$work/$1.json" > "$work/$1.said"
}
run c "$c"
run fortran "$fortran"
diff "$work/c.said" "$work/fortran.said" || { echo "FAILED: C and Fortran differ"; exit 1; }
# 20 calls of 2 x 1000 flops, and of 2 x 999.
grep -q '"value": 40000.0' "$work/c.said" || { cat "$work/c.said"; echo "FAILED: flops of the triad"; exit 1; }
grep -q '"value": 39960.0' "$work/c.said" || { cat "$work/c.said"; echo "FAILED: flops of the recurrence"; exit 1; }
