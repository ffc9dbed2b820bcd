#!/bin/sh
# in_time_namespace.sh RANK SECONDS PROGRAM...: that rank's CLOCK_MONOTONIC is SECONDS ahead of the others'.
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
which=$1 ahead=$2
shift 2
if [ "$rank" = "$which" ]; then exec unshare --time --fork --monotonic "$ahead" "$@"; fi
exec "$@"
