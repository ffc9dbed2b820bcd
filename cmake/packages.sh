# shellcheck shell=sh disable=SC2034,SC2046,SC2086
# Debian's names of what cpl_lb needs, how to install them, and how to build; for run-example and run-tests.
# a|b: releases of Debian name it differently, and one of them is enough.
packages_build='cmake ninja-build make g++ gfortran pkg-config libnetcdf-dev libnetcdff-dev libfmt-dev
  nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libeigen3-dev tao-pegtl-dev'
# A release archive carries the libraries of which only headers are needed (packaging/archive).
[ ! -d third_party ] || packages_build='cmake make g++ gfortran libnetcdf-dev libnetcdff-dev'
packages_mpi='openmpi-bin libopenmpi-dev'
packages_oasis='liboasis3-dev' # OASIS3-MCT 3.0 on OpenMPI
packages_tests='openmpi-bin libopenmpi-dev mpich libmpich-dev catch2 ccache git clang libclang-rt-dev lld clang-format clang-tidy
  autoconf ecbuild netcdf-bin chromium chromium-driver nodejs libotf2-trace-dev otf2-tools python3 python3-xarray python3-pandas python3-netcdf4 python3-mpi4py
  python3-matplotlib libopenblas-dev libpapi7.0|libpapi7.1t64 libpfm4-dev python3-ferret ferret-datasets locales
  babeltrace2 bindfs groff zsh mkdocs doxygen liboasis3-dev liboasis3-doc iproute2 slurm-wlm munge'
packages_aarch64='gcc-aarch64-linux-gnu g++-aarch64-linux-gnu gfortran-aarch64-linux-gnu qemu-user-static mmdebstrap qemu-system-arm
  make xz-utils' # run-tests aarch64

# install_packages NAME...: those that are missing, with apt-get as root or through sudo; never asks anything.
# Elsewhere than on Debian it does nothing: there, modules or the administrator provide them.
install_packages() {
  command -v dpkg-query > /dev/null && command -v apt-get > /dev/null || return 0
  missing=''
  for names; do
    for package in $(echo "$names" | tr '|' ' '); do
      [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" != installed ] || continue 2
    done
    missing="$missing $names"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root=''
  elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
    as_root='sudo -n'
  else
    echo "cpl_lb: these packages are missing, and only the administrator can install them:$missing" >&2
    return 1
  fi
  echo "cpl_lb: installing$missing"
  # The lists of a fresh system are empty, and those of an old one name packages that are gone.
  { apt_get update && apt_get install --no-install-recommends $(of_this_release $missing); } > build/packages.log 2>&1 ||
    { cat build/packages.log >&2; echo "cpl_lb: apt-get could not install$missing" >&2; return 1; }
}

# of_this_release NAME...: the first of each a|b that apt knows; the last one where it knows none
of_this_release() {
  for names; do
    for package in $(echo "$names" | tr '|' ' '); do
      ! apt-cache show "$package" > /dev/null 2>&1 || break
    done
    echo "$package"
  done
}

apt_get() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@"; }

# Compilers at once: one takes up to 1 GB.
at_once() {
  n=$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)
  if [ "$n" -gt 8 ]; then echo 8; else echo "$n"; fi
}

# For cmake: several files of the library at once. Their headers are read once, which is a third of the time.
units='-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=40'

# logged LOG COMMAND...: what it says goes to LOG and, when it fails, to the screen
logged() {
  log=$1
  shift
  "$@" > "$log" 2>&1 && return
  cat "$log"
  return 1
}

# step_back NICE: this session leaves the processors to others. Linux shares them by session first (sched_autogroup), and
# only within one by the niceness of its processes.
step_back() { { echo "$1" > "/proc/$$/autogroup"; } 2> /dev/null || :; }

# wait_for_build PRESET BUILDER: until process BUILDER has built it; the build's exit status
wait_for_build() {
  while [ ! -s "build/$1.built" ] && kill -0 "$2" 2> /dev/null; do sleep 1; done
  [ "$(cat "build/$1.built" 2> /dev/null)" = 0 ]
}
