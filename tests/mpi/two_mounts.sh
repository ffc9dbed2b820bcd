#!/bin/sh
# Rows of two nodes through two mounts of one folder, as root: two_mounts.sh PROGRAM. Each mount of bindfs has a cache of
# its own in the kernel, as each node of a network file system has. Then an overlay instead of the second: there the
# file is seen, but what is written to it stays there, so that the rows have to be sent.
set -e
program=$1
folder=$(mktemp -d)
trap 'umount "$folder/one" "$folder/two" 2> /dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/disk" "$folder/one" "$folder/two" "$folder/work"
bindfs "$folder/disk" "$folder/one"
bindfs "$folder/disk" "$folder/two"
CPL_LB_TEST_MOUNT=$folder/one CPL_LB_TEST_OTHER_MOUNT=$folder/two "$program" "rows through mounts"
umount "$folder/one" "$folder/two"
rm -rf "$folder/disk"
mkdir "$folder/disk"
mount -t tmpfs none "$folder/work" # an overlay does not lie on an overlay
trap 'umount "$folder/two" "$folder/work" 2> /dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/work/lower" "$folder/work/upper" "$folder/work/work"
mount -t overlay overlay -o "lowerdir=$folder/work/lower,upperdir=$folder/work/upper,workdir=$folder/work/work" "$folder/two"
CPL_LB_TEST_MOUNT=$folder/work/lower CPL_LB_TEST_OTHER_MOUNT=$folder/two CPL_LB_TEST_MOUNT_HIDES=1 \
  "$program" "rows through mounts"
