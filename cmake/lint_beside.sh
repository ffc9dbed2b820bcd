#!/bin/sh
# lint_beside.sh BUILDER: for run-tests, clang-format and clang-tidy on everything as soon as process BUILDER
# (build_presets.sh) has built all. They leave the processors to the tests, which mostly wait.
set -u
. cmake/packages.sh
while kill -0 "$1" 2> /dev/null; do sleep 1; done
step_back 19
# shellcheck disable=SC2086
[ -f build/dev/compile_commands.json ] || cmake --preset dev $units || exit 1
echo "lint since $(date +%T)"
CPL_LB_LINT_JOBS="$(at_once)" exec nice -n 19 cmake/lint.sh build/dev
