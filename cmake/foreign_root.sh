#!/bin/sh
# foreign_root.sh PROCESSOR [FOLDER]: a folder with Debian's packages of another processor, as cmake/toolchains want it:
# aarch64 or ppc64le. Packages are only unpacked there; nothing of this machine changes. Without FOLDER:
# build/root-PROCESSOR. On Debian, with mmdebstrap.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  aarch64) architecture=arm64 ;;
  ppc64le) architecture=ppc64el ;;
  *) echo "foreign_root.sh: aarch64 or ppc64le" >&2; exit 2 ;;
esac
root=${2:-$PWD/build/root-$1}
[ ! -e "$root/usr/include/netcdf.h" ] || exit 0
# shellcheck disable=SC1091
. /etc/os-release
packages='libc6-dev libstdc++-12-dev libgcc-12-dev libgfortran-12-dev libnetcdf-dev libnetcdff-dev libfmt-dev
  libopenmpi-dev openmpi-bin catch2 nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libeigen3-dev
  tao-pegtl-dev libotf2-trace-dev libpfm4-dev'
mkdir -p "$(dirname "$root")"
rm -rf "$root.part"
# shellcheck disable=SC2086
mmdebstrap --quiet --variant=extract --architectures="$architecture" --components=main \
  --include="$(echo $packages | tr ' ' ',')" "$VERSION_CODENAME" "$root.part"
mv "$root.part" "$root"
