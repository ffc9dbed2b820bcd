#!/bin/sh
# test_beside.sh BUILDER PRESET...: for run-tests, as soon as process BUILDER (build_presets.sh) has built each, its tests but
# those of whole runs with OpenMPI (labels mostly_waits and alone). They leave the processors to these, which mostly sleep.
# build/PRESET.test.log: what ctest said; build/PRESET.tested: its exit status.
set -u
. cmake/packages.sh
builder=$1
shift
step_back 10
for preset; do
  wait_for_build "$preset" "$builder" || continue
  nice -n 10 ctest --preset "$preset" -LE '^(mostly_waits|alone)$' --parallel "$(at_once)" > "build/$preset.test.log" 2>&1
  echo $? > "build/$preset.tested"
done
