#!/bin/sh
# on_another_node.sh FIRST OUTPUT OTHER BOOT_ID PROGRAM...: processes from rank FIRST on see the folder OTHER in the place of
# OUTPUT, and another boot id: to the library they are on another node, which does not share the output folder.
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
first=$1
export output="$2" other="$3" boot_id="$4"
shift 4
[ "$rank" -ge "$first" ] || exec "$@"
# shellcheck disable=SC2016
exec unshare --mount sh -c 'mount --bind "$other" "$output" &&
  mount --bind "$boot_id" /proc/sys/kernel/random/boot_id && exec "$@"' sh "$@"
