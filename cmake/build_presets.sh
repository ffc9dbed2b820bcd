#!/bin/sh
# build_presets.sh PRESET...: for run-tests, which tests each while the next one is built. Tests with MPI mostly wait; the
# builds beside them leave the processors to them. build/PRESET.built: the exit status. Of the first preset the programs of
# those tests come first (build/PRESET.programs), and what is built after them goes on beside the tests.
set -u
. cmake/packages.sh

# The builds have most objects in common: ccache keeps them, also from one run to the next. With CCACHE_DEPEND it takes the
# headers of a new object from the compiler's list of them (-MD), and does not preprocess the file once more.
export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR="$PWD" CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}" CCACHE_DEPEND=1
launchers=''
if command -v ccache > /dev/null; then
  launchers='-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache'
fi

# Without run-tests the presets compile each file alone, not in units; lint looks at all files in units of its own.
units="$units -DCPL_LB_TEST_UNITS=ON"

# What tests labelled mostly_waits or alone start (tests/CMakeLists.txt).
programs_of() { # programs_of PRESET
  case $1 in short|dev) ;; *) return 0 ;; esac
  logged "build/$1.build.log" cmake --build --preset "$1" --parallel "$(at_once)" --target libcpl_lb/all examples/all \
    tests/stubs/all tests/functional/all tests/profiling/all tests/adapters/all || return 1
  echo 0 > "build/$1.programs"
  nicely='nice -n 19'
  step_back 19
}

nicely=''
started=$(date +%s)
for preset; do
  echo "cpl_lb: building $preset, after $(($(date +%s) - started)) s"
  # shellcheck disable=SC2086
  logged "build/$preset.configure.log" cmake --preset "$preset" $launchers $units &&
    { [ "$preset" != "$1" ] || programs_of "$preset"; } &&
    logged "build/$preset.build.log" $nicely cmake --build --preset "$preset" --parallel "$(at_once)"
  echo $? > "build/$preset.built"
  nicely='nice -n 19'
  step_back 19
done
