#!/bin/sh
# test_beside.sh BUILDER PRESET...: for run-tests, the tests of presets without MPI as soon as process BUILDER
# (build_presets.sh) has built each. They leave the processors to the tests with MPI, which mostly wait.
# build/PRESET.test.log: what ctest said; build/PRESET.tested: its exit status.
set -u
. cmake/packages.sh
builder=$1
shift
step_back 10
for preset; do
  wait_for_build "$preset" "$builder" || continue
  nice -n 10 ctest --preset "$preset" --parallel "$(at_once)" > "build/$preset.test.log" 2>&1
  echo $? > "build/$preset.tested"
done
