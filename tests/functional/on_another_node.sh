#!/bin/sh
# on_another_node.sh FIRST OUTPUT OTHER PROC OTHER_PROC PROGRAM...: processes from rank FIRST on see the folder OTHER in the
# place of OUTPUT, and OTHER_PROC in that of PROC, which CPL_LB_PROCFS names and where the boot id is: to the library they are
# on another node, which does not share the output folder. To MPI they are not: UCX would find no way to them.
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
first=$1
export output="$2" other="$3" proc="$4" other_proc="$5"
shift 5
[ "$rank" -ge "$first" ] || exec "$@"
# shellcheck disable=SC2016
exec unshare --mount sh -c 'mount --bind "$other" "$output" && mount --bind "$other_proc" "$proc" && exec "$@"' sh "$@"
