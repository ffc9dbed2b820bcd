#!/bin/sh
# node.sh NAME WORK HOSTS BOOT_ID SHM READY SEEN...: the first process of a made-up node, started by rig.py in namespaces of its
# own (network, UTS, mount, IPC, PID, time). It makes the rest that belongs to a node, makes the file READY, and sleeps.
# With it the node dies. WORK and SEEN are folders of all nodes. SHM: size of /dev/shm, or "none".
set -eu
name=$1 work=$2 hosts=$3 boot_id=$4 shm=$5 ready=$6
shift 6
local=$work/$name
hostname "$name"
mount --bind "$hosts" /etc/hosts
mount --bind "$boot_id" /proc/sys/kernel/random/boot_id
mount -t sysfs sysfs /sys # of this network: UCX looks for devices there
case $shm in
  none) mkdir -p "$local/no_shm" && mount --bind -o ro "$local/no_shm" /dev/shm && mount -o remount,ro,bind /dev/shm ;;
  *) mount -t tmpfs -o "size=$shm" tmpfs /dev/shm ;;
esac
# Its own /tmp, in which what all nodes share is still seen where it lies in /tmp: through the descriptor, because from here on
# the path leads to the node's own.
mkdir -p "$local/tmp"
exec 9< /tmp
mount --bind "$local/tmp" /tmp
for seen in "$work" "$@"; do
  case $seen in
    /tmp/*)
      mkdir -p "$seen"
      mount --no-canonicalize --rbind "/proc/self/fd/9/${seen#/tmp/}" "$seen" ;;
  esac
done
exec 9<&-
# What each node has of its own at the same path.
mkdir -p "$local/disk" "$work/disk"
mount --bind "$local/disk" "$work/disk"
ip link set lo up
touch "$ready"
while :; do sleep 20 & wait; done
