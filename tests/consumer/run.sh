#!/bin/sh
# Foreign projects that use cpl_lb.
#   run.sh BUILD_DIR [CASE...]     BUILD_DIR: where cpl_lb was built; without cases: all
# `install` comes first: it installs into BUILD_DIR/tests/consumer/prefix, which the others use.
# shellcheck disable=SC1091,SC2154
set -eu
build=$1
shift
prefix=$build/tests/consumer/prefix
. "$build/tests/consumer/settings.sh" # compilers, MPI, version: written when cpl_lb was configured; perhaps another prefix
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/consumer
examples=$prefix/share/cpl_lb/examples # the installed ones, as a user copies them
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe PMIX_MCA_mca_base_param_files=none # for OpenMPI 5: tests/CMakeLists.txt
export PKG_CONFIG_PATH="$prefix/$CMAKE_INSTALL_LIBDIR/pkgconfig" # nothing else of the environment's
unset CPL_LB_ENABLED CPL_LB_NAMELIST LD_LIBRARY_PATH

fail() { echo "FAILED: $*" >&2; exit 1; }

# runs PROGRAM: two components; both are in the results, and the ocean has its 20 events.
runs() {
  program=$1
  rm -rf "$program.run"
  mkdir "$program.run"
  (
    cd "$program.run"
    cp "$examples/minimal_c/namelist_cpl_lb" .
    "$MPIEXEC_EXECUTABLE" "$MPIEXEC_NUMPROC_FLAG" 2 "$program" > printed 2> errors || { cat printed errors; fail "$program"; }
    grep -q 'Waiting %' printed || { cat printed errors; fail "$program printed no summary"; }
    tr -d ' \n' < load_balancing_info.json > line
    for name in ocean atmosphere; do
      grep -q "\"name\":\"$name\"" line || { cat line; fail "$name is not in load_balancing_info.json of $program"; }
      [ -s timeline_$name.nc ] || fail "no timeline of $name from $program"
    done
  )
}

configure() { # configure SOURCE BUILD OPTIONS...: with the compilers and the MPI of the library
  source=$1 binary=$2
  shift 2
  rm -rf "$binary"
  cmake -S "$source" -B "$binary" -G "$CMAKE_GENERATOR" -DCMAKE_BUILD_TYPE="$CMAKE_BUILD_TYPE" \
    -DCMAKE_PREFIX_PATH="$prefix" -DMPI_EXECUTABLE_SUFFIX="$MPI_EXECUTABLE_SUFFIX" \
    -DCMAKE_C_COMPILER="$CMAKE_C_COMPILER" -DCMAKE_CXX_COMPILER="$CMAKE_CXX_COMPILER" \
    -DCMAKE_Fortran_COMPILER="$CMAKE_Fortran_COMPILER" --no-warn-unused-cli "$@"
}

# in_copy EXAMPLE [LINES]: in a copy of the example, with no other one beside it, does what the head of its CMakeLists.txt says, all of
# it or so many lines, with the compilers and the MPI of the library.
in_copy() {
  alone=$work/copies/$1 copy=$work/copies/$1/$1
  rm -rf "$alone"
  mkdir -p "$alone/bin"
  cp -r "$examples/$1" "$copy"
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$MPIEXEC_EXECUTABLE" > "$alone/bin/mpirun"
  chmod +x "$alone/bin/mpirun"
  commands=$(sed -n 's/^#   //p' "$copy/CMakeLists.txt" | head -n "${2:-9}" |
    sed "s|<where cpl_lb is installed>|$prefix|; \$!s/\$/ \&\&/") # each line only if the one before was good
  case $commands in "cmake -B build -DCMAKE_PREFIX_PATH=$prefix "*) ;; *) fail "the head of $1 says: $commands" ;; esac
  (
    cd "$copy"
    cmake() {
      [ "$1" != -B ] || set -- "$@" -G "$CMAKE_GENERATOR" -DMPI_EXECUTABLE_SUFFIX="$MPI_EXECUTABLE_SUFFIX" --no-warn-unused-cli
      command cmake "$@"
    }
    as_library
    PATH=$alone/bin:$prefix/bin:$PATH
    eval "$commands"
  ) || fail "in a copy of $1: $commands"
}
as_library() { # the library's compilers and kind of build, by the environment
  export CC="$CMAKE_C_COMPILER" CXX="$CMAKE_CXX_COMPILER" FC="$CMAKE_Fortran_COMPILER" CMAKE_BUILD_TYPE
}

case_install() {
  rm -rf "$prefix" "$work/first_prefix"
  cmake --install "$build" --prefix "$work/first_prefix" > "$work/install.log"
  mv "$work/first_prefix" "$prefix" # an installed folder may be moved
  lib=$prefix/$CMAKE_INSTALL_LIBDIR
  for file in include/cpl_lb/cpl_lb.h include/cpl_lb/cpl_lb.hpp include/cpl_lb/version.h share/cpl_lb/cpl_lb.f90 \
      share/cpl_lb/namelist_cpl_lb share/cpl_lb/examples/minimal_c/minimal.c bin/cpl-lb; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
  done
  for end in so a; do
    [ "$(readlink "$lib/libcpl_lb.$end")" = "libcpl_lb-$mpi.$end" ] || fail "libcpl_lb.$end leads elsewhere"
    [ -s "$lib/libcpl_lb.$end" ] || fail "libcpl_lb.$end leads nowhere"
  done
  [ -z "$(find "$prefix" -name '*.mod')" ] || fail "a .mod file is installed"
  # As a path of its own: a clone may lie in /cpl_lb, which ends many names.
  ! grep -rlE "(^|[^[:alnum:]_./}-])$PROJECT_SOURCE_DIR([^[:alnum:]_]|$)" "$lib/cmake" "$lib/pkgconfig" || fail "these name the source tree"
  for package in cpl_lb cpl_lb-static; do
    [ "$(pkg-config --modversion $package)" = "$PROJECT_VERSION" ] || fail "version of $package"
  done
  PYTHONPATH=$prefix/$CPL_LB_PYTHON_DIR "$CPL_LB_PYTHON" -B -c 'import cpl_lb; cpl_lb.open' ||
    fail "the Python module"
  "$prefix/bin/cpl-lb" --version > /dev/null || fail "the installed command does not start"
}

case_tarball() { # cpack's archive, unpacked elsewhere
  rm -rf "$work/tarball"
  mkdir -p "$work/tarball/else where"
  cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$work/tarball/made" > "$work/tarball/log" ||
    { cat "$work/tarball/log"; fail "cpack"; }
  archive=$work/tarball/made/cpl_lb-$PROJECT_VERSION-$mpi-$(uname -s)-$(uname -m).tar.gz
  [ -s "$archive" ] || { ls "$work/tarball/made"; fail "there is no $archive"; }
  tar -xzf "$archive" -C "$work/tarball/else where"
  (
    work=$work/tarball
    prefix=$work/unpacked
    mv "$work/else where"/* "$prefix"
    rm -r "$work/made" # nothing may lead there
    examples=$prefix/share/cpl_lb/examples
    export PKG_CONFIG_PATH="$prefix/$CMAKE_INSTALL_LIBDIR/pkgconfig"
    ! grep -rlE "(^|[^[:alnum:]_./}-])$PROJECT_SOURCE_DIR([^[:alnum:]_]|$)" "$prefix/$CMAKE_INSTALL_LIBDIR/cmake" "$prefix/$CMAKE_INSTALL_LIBDIR/pkgconfig" \
      "$prefix/bin/cpl-lb-record" || fail "these name the source tree"
    cmake_project c
    ldd "$copy/build/minimal" | grep -q "$prefix/$CMAKE_INSTALL_LIBDIR/libcpl_lb-$mpi.so" || fail "another library is found"
    make_project c
    "$prefix/bin/cpl-lb" summary "$copy/build/minimal.run" > "$work/summary"
    grep -q ocean "$work/summary" || fail "no summary by the command of the archive"
  )
}

cmake_project() { # find_package, shared
  in_copy "minimal_$1"
  [ -s "$copy/load_balancing_report.html" ] || fail "the run in the copy left no page"
  runs "$copy/build/minimal"
}
case_cmake_c() { cmake_project c; }
case_cmake_cpp() { cmake_project cpp; }
case_cmake_fortran() { cmake_project fortran; }

static_project() { # find_package, static, in a project of one language
  configure "$here/static" "$work/static_$1" -DLANGUAGE="$1" -DEXAMPLES="$examples"
  cmake --build "$work/static_$1"
  ! ldd "$work/static_$1/minimal" | grep libcpl_lb || fail "the static program needs the shared library"
  runs "$work/static_$1/minimal"
}
case_static_c() { static_project C; }
case_static_cpp() { static_project CXX; }
case_static_fortran() { static_project Fortran; }

case_own_libraries() { # a model with an fmt and a zlib of its own, of the same names
  lib=$prefix/$CMAKE_INSTALL_LIBDIR/libcpl_lb.a
  # What cpl_lb has of fmt is in an inline namespace of its own, and of zlib it asks nothing of the linker.
  nm -C "$lib" 2> /dev/null > "$work/names"
  grep -q ' fmt::cpl_lb::vformat' "$work/names" || fail "no fmt in the static library"
  ! grep -E ' (fmt::v[0-9]|compress|deflate)' "$work/names" || fail "the static library shares names with others"
  # Without optimisation the model's calls of its own fmt are calls, not inlined.
  configure "$here/static" "$work/own_libraries" -DLANGUAGE=CXX -DEXAMPLES="$examples" \
    -DMORE="$here/static/own_libraries.cpp" -DCMAKE_CXX_FLAGS='-std=c++20 -O0'
  cmake --build "$work/own_libraries"
  runs "$work/own_libraries/minimal"
  cd "$work/own_libraries/minimal.run"
  [ "$(grep -c "^the model's fmt$" printed)" = 2 ] || { cat printed; fail "the model has lost its own fmt"; }
  ! grep -r "the model's fmt" load_balancing_* || fail "the library used the model's fmt"
  grep -q 'data-packed="no"' load_balancing_report.html || fail "the page was packed by another zlib than the model's"
  ! grep -q 'zlib, which packs its data, was not found' load_balancing_report.html || fail "no zlib was found"
}

alone() { # alone NAME LANGUAGES: one target linked, and nothing else
  configure "$here/alone" "$work/alone_$1" -DLANGUAGES="$2" -DEXAMPLES="$examples" -DCMAKE_BUILD_TYPE=None
  cmake --build "$work/alone_$1"
  for program in "$work/alone_$1"/c_* "$work/alone_$1"/cxx_*; do
    case $program in *.run) continue ;; esac
    [ ! -x "$program" ] || runs "$program"
  done
}
case_alone_both() { alone both 'C;CXX'; }
case_alone_cpp() { alone cpp CXX; }

make_project() { # make and pkg-config, shared and static
  for package in cpl_lb cpl_lb-static; do
    folder=$work/make_$1_$package
    rm -rf "$folder"
    cp -r "$examples/minimal_$1" "$folder"
    make -C "$folder" CC="$MPI_C_COMPILER" CXX="$MPI_CXX_COMPILER" FC="$MPI_Fortran_COMPILER" PACKAGE=$package
    runs "$folder/minimal"
  done
  ! ldd "$folder/minimal" | grep libcpl_lb || fail "the static program needs the shared library"
}
case_make_c() { make_project c; }
case_make_cpp() { make_project cpp; }
case_make_fortran() { make_project fortran; }

# A model that knows MPI only, recorded without a line of cpl_lb in it. by_mpi FOLDER COMMAND...: two processes of COMMAND
by_mpi() {
  folder=$1
  shift
  rm -rf "$folder"
  mkdir "$folder"
  (
    cd "$folder"
    CPL_LB_COMPONENTS=ocean:0,atmosphere:1 "$MPIEXEC_EXECUTABLE" "$MPIEXEC_NUMPROC_FLAG" 1 "$@" ocean blocking : \
      "$MPIEXEC_NUMPROC_FLAG" 1 "$@" atmosphere blocking > printed 2> errors || { cat printed errors; fail "$*"; }
    tr -d ' \n' < load_balancing_info.json > line || { cat printed errors; fail "$* left no results"; }
    # What each of them sends or gets 8 times, and TERM.
    [ "$(grep -o '"events":9' line | wc -l)" = 2 ] || { cat line; fail "$*: other events than 8 exchanges and TERM"; }
  )
}
case_by_mpi() { # cpl_lb::mpi ahead of MPI, by CMake and by pkg-config; and the installed cpl-lb-record
  configure "$here/by_mpi" "$work/by_mpi" -DSOURCE="$PROJECT_SOURCE_DIR/tests/profiling/two_models.c"
  cmake --build "$work/by_mpi"
  # shellcheck disable=SC2046
  "$MPI_C_COMPILER" -w "$PROJECT_SOURCE_DIR/tests/profiling/two_models.c" -o "$work/by_mpi/by_pkg_config" \
    $(pkg-config --libs cpl_lb-mpi)
  for program in by_cmake by_pkg_config; do
    CPL_LB_ENABLED=true by_mpi "$work/$program.run" "$work/by_mpi/$program"
  done
  by_mpi "$work/by_record.run" "$prefix/bin/cpl-lb-record" "$work/by_mpi/mpi_only"
}

case_coupled() { # the coupled model: its script, in a copy, builds and runs
  command -v nf-config > /dev/null || fail "no netCDF-Fortran (Debian: libnetcdff-dev)"
  rm -rf "$work/coupled.run" "$work/copies/coupled"
  mkdir -p "$work/coupled.run" "$work/copies/coupled"
  cp -r "$examples/coupled" "$work/copies/coupled"
  echo "&namrun nn_steps = 6 /" > "$work/coupled.run/namelist_coupled"
  (as_library && CMAKE_PREFIX_PATH=$prefix "$work/copies/coupled/coupled/run.sh" --mpi "$mpi" "$work/coupled.run")
  for file in load_balancing_info.json timeline_ocean.nc timeline_atmosphere.nc timeline_ioserver.nc; do
    [ -s "$work/coupled.run/$file" ] || fail "the coupled model left no $file"
  done
}

case_malleable() { # the model whose processes move
  in_copy malleable 1
  "$MPIEXEC_EXECUTABLE" "$MPIEXEC_NUMPROC_FLAG" 5 "$copy/build/malleable" 1 0 | grep 'cells right' || fail "malleable"
}

case_examples() { # the others, in copies
  in_copy malleable_fortran
  [ -s "$copy/load_balancing_report.html" ] || fail "malleable_fortran left no page"
  run=$copy
  asserted=$work/asserted
  in_copy assertions > "$asserted" || { cat "$asserted"; fail "assertions"; }
  grep -q 'ocean: triad' "$asserted" || { cat "$asserted"; fail "no answer of cpl-lb machine assert"; }
  rm -rf "$work/copies/python"
  cp -r "$examples/python" "$work/copies"
  (cd "$work/copies/python" && PYTHONPATH=$prefix/$CPL_LB_PYTHON_DIR "$CPL_LB_PYTHON" -B look_at_a_run.py "$run" > looked &&
    [ -s waiting.png ]) || fail "the example of Python"
}

case_example_oasis() { # the model on Debian's OASIS
  in_copy oasis
  [ -s "$copy/run/oasis/load_balancing_report.html" ] || fail "the model on OASIS left no page"
}

# The test double of OASIS as a coupler that a user has: a library and its modules.
make_coupler() {
  coupler=$work/coupler
  [ -s "$coupler/libcoupler.a" ] &&
    [ -z "$(find "$PROJECT_SOURCE_DIR/tests/adapters" -name 'double_*' -newer "$coupler/libcoupler.a")" ] && return
  mkdir -p "$coupler"
  (
    cd "$coupler"
    for file in double_mct double_oasis_tables double_oasis_io double_oasis_advance double_oasis; do
      "$MPI_Fortran_COMPILER" -fallow-argument-mismatch -c "$PROJECT_SOURCE_DIR/tests/adapters/$file.f90"
    done
    ar cr libcoupler.a ./*.o
  )
}

runs_coupled() { # runs_coupled PROGRAM: an unchanged model with the adapter; model_a puts 12 times
  rm -rf "$1.run"
  mkdir "$1.run"
  (
    cd "$1.run"
    CPL_LB_ENABLED=1 "$MPIEXEC_EXECUTABLE" "$MPIEXEC_NUMPROC_FLAG" 1 "$1" model_a : "$MPIEXEC_NUMPROC_FLAG" 1 "$1" model_b \
      > printed 2> errors || { cat printed errors; fail "$1"; }
    grep -q '^result' printed || fail "$1 printed no result"
    "$prefix/bin/cpl-lb" summary . > summary
    for name in model_a model_b; do
      grep -q "$name" summary || { cat summary; fail "$name is not in the summary of $1"; }
    done
  )
}

case_adapter_cmake() {
  make_coupler
  configure "$here/adapter" "$work/adapter_cmake" -DCOUPLER="$coupler" \
    -DMODEL="$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90"
  cmake --build "$work/adapter_cmake"
  runs_coupled "$work/adapter_cmake/model"
}

# What configure scripts try with the user's LDFLAGS, long before the model is linked: "can the compiler make executables",
# and the same with MPI.
links_with_adapter_in_ldflags() {
  (
    cd "$work/adapter_make"
    echo 'int main(void) { return 0; }' > conftest.c
    printf '%s\n' '#include <mpi.h>' 'int main(void) { MPI_Init(0, 0); return MPI_Finalize(); }' > conftest_mpi.c
    printf '%s\n' 'program t' 'use mpi' 'integer :: e' 'call MPI_Init(e)' 'call MPI_Finalize(e)' 'end program t' > conftest.f90
    for flags in "$prefix"/share/cpl_lb/adapters/wrap_*; do
      "$CMAKE_C_COMPILER" "@$flags" -o conftest conftest.c && ./conftest || fail "configure test in C with $flags"
      "$MPI_C_COMPILER" "@$flags" -o conftest conftest_mpi.c && ./conftest || fail "configure test with MPI with $flags"
      # YAC's options catch MPI_Comm_split, which MPICH's Fortran library calls: they need the adapter (docs/couplers.md).
      case $mpi-$flags in mpich-*/wrap_yac) continue ;; esac
      "$MPI_Fortran_COMPILER" "@$flags" -o conftest conftest.f90 && ./conftest || fail "configure test in Fortran with $flags"
    done
  )
}

case_adapter_make() {
  make_coupler
  rm -rf "$work/adapter_make"
  cp -r "$here/adapter" "$work/adapter_make"
  make -C "$work/adapter_make" CXX="$MPI_CXX_COMPILER" FC="$MPI_Fortran_COMPILER" COUPLER="$coupler" \
    MODEL="$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90"
  runs_coupled "$work/adapter_make/model"
  links_with_adapter_in_ldflags
}

# An archive and its pkg-config file, for build systems that take -l and -L only: from the installed script, and from the
# package, configured for the coupler. Two models of other layouts than ours.
case_adapter_archive() {
  make_coupler
  archive=$work/adapter_archive
  rm -rf "$archive"
  cp -r "$here/archive" "$archive"
  "$prefix/share/cpl_lb/adapters/cpl_lb_build_adapter.sh" oasis "$archive/libcpl_lb_oasis.a" "$MPI_Fortran_COMPILER" \
    "$MPI_CXX_COMPILER" "-I$coupler"
  (
    export PKG_CONFIG_PATH="$archive:$PKG_CONFIG_PATH"
    pkg-config --libs cpl_lb-oasis | grep -q -- '--wrap=__mod_oasis_method_MOD_oasis_init_comp' || fail "pkg-config --libs cpl_lb-oasis"
    makenemo_like
    configure_like
    cmake_with_archive
  )
  "$prefix/share/cpl_lb/adapters/cpl_lb_build_adapter.sh" yac "$archive/libcpl_lb_yac.a" "$MPI_Fortran_COMPILER" \
    "$MPI_CXX_COMPILER"
  yac_with_archive
  # The package's own, installed beside the rest.
  configure "$PROJECT_SOURCE_DIR" "$archive/package" -DCPL_LB_TESTS=OFF -DCPL_LB_COMMAND=OFF -DCPL_LB_EXAMPLES=OFF \
    -DCPL_LB_OASIS_MODULES="$coupler" -DCPL_LB_YAC_ADAPTER=ON
  cmake --build "$archive/package" --target cpl_lb_oasis --target cpl_lb_yac
  cmake --install "$archive/package" --component cpl_lb_adapters --prefix "$archive/with_adapter"
  cp -r "$prefix/." "$archive/with_adapter"
  (
    export PKG_CONFIG_PATH="$archive/with_adapter/$CMAKE_INSTALL_LIBDIR/pkgconfig"
    makenemo_like
    pkg-config --libs cpl_lb-yac | grep -q -- '--wrap=yac_cput_' || fail "pkg-config --libs cpl_lb-yac"
    nm "$archive/with_adapter/$CMAKE_INSTALL_LIBDIR/libcpl_lb_yac.a" | grep -q 'T __wrap_yac_cput_$' ||
      fail "libcpl_lb_yac.a has no yac_cput_"
  )
}

# As NEMO's makenemo: keys of an architecture file take the place of %KEY in a build description; all objects go into one
# archive, and the executable is linked with the main program's object, this archive and %LIB.
makenemo_like() {
  rm -rf "$archive/nemo"
  mkdir "$archive/nemo"
  sed -e "s|@FC@|$MPI_Fortran_COMPILER|; s|@OASIS@|$coupler|; s|@CPL_LB@|$(pkg-config --libs cpl_lb-oasis)|" "$archive/arch-like_nemo.fcm" > "$archive/nemo/arch.fcm"
  (cd "$archive/nemo" && sh ../like_makenemo.sh arch.fcm "$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90" model.exe)
  runs_coupled "$archive/nemo/model.exe"
}

# As ICON: a configure script that tries the compiler with LIBS and LDFLAGS, and writes the Makefile.
configure_like() {
  rm -rf "$archive/icon"
  mkdir "$archive/icon"
  cp "$archive/configure.ac" "$archive/Makefile.in" "$archive/icon"
  cp "$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90" "$archive/icon/model.f90"
  (
    cd "$archive/icon"
    autoconf
    ./configure FC="$MPI_Fortran_COMPILER" FCFLAGS="-I$coupler" LIBS="$(pkg-config --libs cpl_lb-oasis) -L$coupler -lcoupler" \
      > said || { cat said config.log; fail "configure"; }
    make
  )
  runs_coupled "$archive/icon/model"
}

# As EC-Earth and others: CMake with the archive by pkg-config, and ecbuild with the function.
cmake_with_archive() {
  for way in archive ecbuild; do
    configure "$archive/cmake" "$archive/$way" -DCOUPLER="$coupler" -DWAY="$way" \
      -DMODEL="$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90"
    cmake --build "$archive/$way"
    model=$(find "$archive/$way" -name model -type f -perm -u+x)
    runs_coupled "$model"
  done
}

# YAC's double as a coupler, and its model in C.
yac_with_archive() {
  (
    cd "$archive"
    tests=$PROJECT_SOURCE_DIR/tests/adapters
    "$MPI_C_COMPILER" -c "$tests/double_yac.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH="$archive:$PKG_CONFIG_PATH" && export PKG_CONFIG_PATH &&
      "$MPI_C_COMPILER" -I"$tests" -o yac_model "$tests/yac_model.c" $(pkg-config --libs cpl_lb-yac) double_yac.o
    nm yac_model | grep -q __wrap_yac_cput_ || fail "the adapter is not in yac_model"
  )
}

# Projects of C and Fortran, as wave models are: the function adds C++, or says what to do in one line.
case_adapter_no_cxx() {
  make_coupler
  model="$PROJECT_SOURCE_DIR/tests/adapters/oasis_model.f90"
  configure "$here/no_cxx" "$work/adapter_no_cxx" -DCOUPLER="$coupler" -DMODEL="$model"
  cmake --build "$work/adapter_no_cxx"
  runs_coupled "$work/adapter_no_cxx/model"
  if configure "$here/no_cxx" "$work/adapter_no_cxx_below" -DCOUPLER="$coupler" -DMODEL="$model" -DBELOW=ON \
    > "$work/no_cxx.log" 2>&1; then
    fail "a folder below a project without C++ took the adapter"
  fi
  tr '\n' ' ' < "$work/no_cxx.log" | tr -s ' ' | grep -q 'the adapter is in C++: add CXX to the LANGUAGES of project()' ||
    { cat "$work/no_cxx.log"; fail "it does not say what to do"; }
}

case_subdirectory() {
  fortran=''
  [ -z "$CMAKE_Fortran_COMPILER" ] || fortran=Fortran
  # Flags that other projects set for all of their sources, and that the library must not mind.
  flags='-fno-exceptions -fno-rtti -ffast-math -std=c++17 -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror'
  # Objects can be taken from a build that has the same ones.
  unity=$(sed -n 's/^CMAKE_UNITY_BUILD:[A-Z]*=//p' "$build/CMakeCache.txt")
  batch=$(sed -n 's/^CMAKE_UNITY_BUILD_BATCH_SIZE:[A-Z]*=//p' "$build/CMakeCache.txt")
  configure "$here/subdirectory" "$work/subdirectory" -DCPL_LB_SOURCE="$PROJECT_SOURCE_DIR" -DFORTRAN="$fortran" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS='-ffast-math -Wall -Wextra -Wshadow -Werror' -DCMAKE_UNITY_BUILD=ON \
    -DCPL_LB_UNITY_BUILD="${unity:-OFF}" -DCMAKE_UNITY_BUILD_BATCH_SIZE="${batch:-8}" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$here/reuse_objects.sh;$build"
  cmake --build "$work/subdirectory" --parallel 2
  # Fast arithmetic at link time would switch denormal numbers off in every model that loads the library.
  ! nm "$work/subdirectory/cpl_lb/libcpl_lb/libcpl_lb-$mpi.so" | grep -q set_fast_math || fail "the library flushes to zero"
  for program in minimal_c/minimal minimal_cpp/minimal ${fortran:+minimal_fortran/minimal} with_static; do
    runs "$work/subdirectory/$program"
  done
}

# Models of LLVM's compilers with the library as g++ made it.
made_by() { # made_by clang PROGRAM: it has clang's note, or the main program's name at flang
  case $1 in
    clang) readelf -p .comment "$2" | grep -q clang ;;
    flang) nm "$2" | grep -q ' _QQmain$' ;;
  esac || fail "$2 is not made by $1"
}

case_clang() {
  for language in c cpp; do
    configure "$examples/minimal_$language" "$work/clang_$language" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    cmake --build "$work/clang_$language"
    made_by clang "$work/clang_$language/minimal"
    runs "$work/clang_$language/minimal"
  done
  for language in C CXX; do
    configure "$here/static" "$work/clang_static_$language" -DLANGUAGE="$language" -DEXAMPLES="$examples" \
      -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    cmake --build "$work/clang_static_$language"
    made_by clang "$work/clang_static_$language/minimal"
    runs "$work/clang_static_$language/minimal"
  done
}

# The module is compiled by flang, as docs/installation.md says. MPI's own module mpi is gfortran's, which flang cannot read.
case_flang() {
  flang=$(command -v flang-new || command -v flang-new-16 || command -v flang) || fail "no flang"
  links='' # to link was an experiment up to version 17
  version=$("$flang" --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1)
  [ "$version" -gt 17 ] || links=-flang-experimental-exec
  rm -rf "$work/flang"
  mkdir "$work/flang"
  (
    cd "$work/flang"
    export OMPI_FC="$flang"
    for source in "$here/flang/mpi.f90" "$(pkg-config --variable=fortran_source cpl_lb)" \
      "$examples/minimal_fortran/minimal.f90"; do
      "$MPI_Fortran_COMPILER" -c "$source"
    done
    for package in cpl_lb cpl_lb-static; do
      # shellcheck disable=SC2046,SC2086
      "$MPI_Fortran_COMPILER" $links -o "minimal_$package" minimal.o cpl_lb.o mpi.o $(pkg-config --libs "$package")
      made_by flang "minimal_$package"
      runs "$work/flang/minimal_$package"
    done
  )
  # The module's names with CMake: cpl_lb::fortran is compiled by the project's compiler.
  cp "$here/flang/mpi.f90" "$examples/minimal_fortran/minimal.f90" "$work/flang"
  sed 's/minimal\.f90/minimal.f90 mpi.f90/' "$examples/minimal_fortran/CMakeLists.txt" > "$work/flang/CMakeLists.txt"
  configure "$work/flang" "$work/flang/build" -DCMAKE_Fortran_COMPILER="$flang" -DCMAKE_Fortran_FLAGS="$links"
  cmake --build "$work/flang/build"
  made_by flang "$work/flang/build/minimal"
  runs "$work/flang/build/minimal"
}

case_other_mpi() { # one clear line, not a crash at run time
  case $mpi in openmpi) other=mpich ;; mpich) other=openmpi ;; esac
  command -v "mpicc.$other" > /dev/null || fail "no mpicc.$other (Debian: openmpi-bin and mpich)"
  if configure "$examples/minimal_c" "$work/other_mpi" -DMPI_EXECUTABLE_SUFFIX=".$other" > "$work/other_mpi.log" 2>&1; then
    fail "a project with $other found the library for $mpi"
  fi
  tr '\n' ' ' < "$work/other_mpi.log" | tr -s ' ' > "$work/other_mpi.line"
  grep -o "this cpl_lb was built for $mpi, but this project uses ${other}[^(]*" "$work/other_mpi.line" ||
    { cat "$work/other_mpi.log"; fail "it does not say why"; }
  # Two MPIs in one folder: the project's own one chooses.
  rm -rf "$work/both_mpis"
  cp -r "$prefix" "$work/both_mpis"
  package=$work/both_mpis/$CMAKE_INSTALL_LIBDIR/cmake/cpl_lb
  mkdir "$package/$other"
  echo "message(FATAL_ERROR \"the library for $other is taken\")" > "$package/$other/cpl_lbTargets.cmake"
  ! configure "$examples/minimal_c" "$work/other_mpi" -DCMAKE_PREFIX_PATH="$work/both_mpis" -DMPI_EXECUTABLE_SUFFIX=".$other" \
    > "$work/both_mpis.log" 2>&1 || fail "with $other a library for $mpi is taken"
  grep -q "the library for $other is taken" "$work/both_mpis.log" || { cat "$work/both_mpis.log"; fail "the library for $other is not seen"; }
  configure "$examples/minimal_c" "$work/other_mpi" -DCMAKE_PREFIX_PATH="$work/both_mpis"
}

case_mixed_mpi() { # a program of the other MPI, linked with this library by hand: it runs on, and one line says why
  case $mpi in openmpi) other=mpich ;; mpich) other=openmpi ;; esac
  command -v "mpicc.$other" > /dev/null || fail "no mpicc.$other (Debian: openmpi-bin and mpich)"
  lib=$prefix/$CMAKE_INSTALL_LIBDIR
  rm -rf "$work/mixed_mpi"
  mkdir "$work/mixed_mpi"
  "mpicc.$other" "$examples/minimal_c/minimal.c" -I"$prefix/include" -L"$lib" "-lcpl_lb-$mpi" -Wl,-rpath,"$lib" \
    -o "$work/mixed_mpi/minimal"
  cd "$work/mixed_mpi"
  for on in 0 1; do
    CPL_LB_ENABLED=$on "mpiexec.$other" -n 2 ./minimal > printed 2> errors || { cat errors; fail "switched on: $on"; }
    [ "$(grep -c "linked with the library for .*: link libcpl_lb-$other" errors)" = 1 ] ||
      { cat errors; fail "switched on: $on: not one line that says why"; }
  done
}

all="install cmake_c cmake_cpp make_c make_cpp static_c static_cpp own_libraries alone_both alone_cpp clang other_mpi mixed_mpi subdirectory tarball"
[ -z "$CMAKE_Fortran_COMPILER" ] || all="$all cmake_fortran make_fortran static_fortran coupled examples adapter_cmake adapter_make adapter_archive adapter_no_cxx"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all
for case; do
  "case_$case"
  echo "consumer case $case: good"
done
