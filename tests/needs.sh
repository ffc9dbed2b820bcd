#!/bin/sh
# A test that not every machine can run: needs.sh WHAT CONDITION PROGRAM [ARGUMENT...]. Where CONDITION, a shell command,
# fails, it says that WHAT is not here and exits with 77, which ctest shows as skipped. Nothing else gives 77: the
# program's own failures become 1, so that none of them looks like a skip.
what=$1 condition=$2
shift 2
if ! sh -c "$condition" > /dev/null 2>&1; then
  echo "cpl_lb skips: here is no $what"
  exit 77
fi
"$@" || exit 1
