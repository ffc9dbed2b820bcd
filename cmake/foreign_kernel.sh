#!/bin/sh
# foreign_kernel.sh PROCESSOR [FOLDER]: Debian's stock kernel of another processor (aarch64) for tests/guests, as it starts in
# qemu: vmlinuz, its modules in the order in which they are loaded, a static busybox. To these modules it adds the kernel's
# powercap class, which Debian's kernel for ARM lacks, from Debian's source of the same kernel, and RAPL zones that count
# (tests/guests/powercap). Without FOLDER: build/kernel-PROCESSOR. Packages are only unpacked there, with lists of apt that
# lie there, too; nothing of this machine changes. On Debian, with Debian's cross compiler.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  aarch64) architecture=arm64 triplet=aarch64-linux-gnu ;;
  *) echo "foreign_kernel.sh: aarch64" >&2; exit 2 ;;
esac
folder=${2:-$PWD/build/kernel-$1}
[ ! -e "$folder/vmlinuz" ] || exit 0
stop() { echo "foreign_kernel.sh: $*" >&2; exit 1; }

work=$folder.part
rm -rf "$work"
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/debs" "$work/tree" "$work/modules" "$work/powercap"
work=$(cd "$work" && pwd)
mine=$(dpkg --print-architecture)
: > "$work/status"
cat > "$work/apt.conf" << END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; "$mine"; };
APT::Sandbox::User "root";
Dir::State::Lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work";
END
export APT_CONFIG="$work/apt.conf"
depends() { apt-cache depends "$1" | sed -n "s/^ *Depends: \($2.*\)/\1/p" | head -n 1; }

apt-get update -q
image=$(depends "linux-image-$architecture" linux-image-)
[ -n "$image" ] || stop "apt knows no kernel for $architecture: the sources of this machine must be Debian's"
version=${image#linux-image-}
headers=linux-headers-$version
kbuild=$(depends "$headers" linux-kbuild-)
source=linux-source-$(echo "$version" | cut -d. -f1,2)
(cd "$work/debs" && apt-get download -q "$image" "$headers" "${headers%-"$architecture"}-common" busybox-static \
  "$kbuild:$mine" "$source") || stop "apt-get could not download $image and what belongs to it"
for deb in "$work"/debs/*.deb; do
  case $deb in */linux-source-*) ;; *) dpkg-deb -x "$deb" "$work/tree" ;; esac
done

# In the order in which they are loaded: the bus of virtual devices, then folders of the host (9p).
order=10
for module in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p; do
  found=$(find "$work/tree" -name "$module.ko*" | head -n 1)
  case $found in
    '') ;; # a part of the kernel itself
    *.xz) xz -dc "$found" > "$work/modules/$order-$module.ko" ;;
    *) cp "$found" "$work/modules/$order-$module.ko" ;;
  esac
  order=$((order + 1))
done

# The headers and what builds modules expect to lie in /usr.
sed -i "s|/usr/|$work/tree/usr/|" "$work/tree/usr/src/$headers/Makefile"
cp tests/guests/powercap/Kbuild tests/guests/powercap/made_up_zones.c "$work/powercap"
dpkg-deb --fsys-tarfile "$work"/debs/linux-source-*.deb | tar -xO "./usr/src/$source.tar.xz" | xz -dc |
  tar -xO "$source/drivers/powercap/powercap_sys.c" > "$work/powercap/powercap_sys.c"
[ -s "$work/powercap/powercap_sys.c" ] || stop "$source has no drivers/powercap/powercap_sys.c"
make -C "$work/tree/usr/src/$headers" M="$work/powercap" CC="$triplet-gcc" CROSS_COMPILE="$triplet-" modules ||
  stop "the modules of tests/guests/powercap could not be built"
cp "$work/powercap/powercap_sys.ko" "$work/modules/30-powercap_sys.ko"
cp "$work/powercap/made_up_zones.ko" "$work/modules/31-made_up_zones.ko"

cp "$work/tree/bin/busybox" "$work/tree/boot/vmlinuz-$version" "$work"
mv "$work/vmlinuz-$version" "$work/vmlinuz"
echo "$version" > "$work/version"
rm -rf "$work/tree" "$work/debs" "$work/lists" "$work/archives" "$work"/*.bin "$work/status" "$work/apt.conf"
rm -rf "$folder"
mv "$work" "$folder"
