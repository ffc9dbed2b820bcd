#!/bin/busybox sh
# shellcheck shell=dash disable=SC2154
# The first process of the guest (guest_test.py): loads the modules in their order, takes ARM's root and the folder of
# the build from the host (9p), runs the model in them as root and as nobody, leaves what it wrote in the folder `out` of
# the host, and switches the machine off. $model, a path in the folder of the build, comes from the kernel's command line.
busybox=/bin/busybox
say() { $busybox echo "guest: $*"; }
$busybox mkdir -p /proc /sys /dev /root
$busybox mount -t proc proc /proc
$busybox mount -t sysfs sys /sys
$busybox mount -t devtmpfs dev /dev
for module in /modules/*; do
  $busybox insmod "$module" || say "cannot load $module"
done
$busybox ip link set lo up
shared='trans=virtio,version=9p2000.L,msize=262144'
$busybox mount -t 9p -o "$shared,ro,cache=loose" root /root || say "no root"
for place in proc sys dev; do
  $busybox mount --bind /$place /root/$place
done
$busybox mkdir -p /root/dev/shm
$busybox mount -t tmpfs -o mode=1777 shm /root/dev/shm
$busybox mount -t tmpfs -o mode=1777 tmp /root/tmp
$busybox mkdir /root/tmp/build /out
$busybox mount -t 9p -o "$shared,ro,cache=loose" build /root/tmp/build || say "no build"
$busybox mount -t 9p -o "$shared" out /out || say "no out"
$busybox cp /namelist_* /root/tmp
$busybox cat /sys/class/powercap/intel-rapl:0/name /sys/class/powercap/intel-rapl:0:0/name > /out/zones 2>&1
$busybox dmesg | $busybox grep -i -e pmu -e perf > /out/perf
for user in 0 65534; do
  say "the model as user $user"
  HOME=/tmp LD_LIBRARY_PATH=/tmp/build:/tmp/build/libcpl_lb OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMPI_MCA_btl_vader_single_copy_mechanism=none \
    $busybox chroot /root "/tmp/build/$model" /tmp/namelist_$user $user > /out/model_$user 2> /out/errors_$user
  $busybox echo $? > /out/status_$user
done
$busybox cp -r /root/tmp/results_0 /root/tmp/results_65534 /out
$busybox sync
say 'switched off'
$busybox poweroff -f
