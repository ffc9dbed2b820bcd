#!/bin/sh
# Builds the adapter without CMake: cpl_lb_build_adapter.sh COUPLER OUTPUT FC MPICXX [FLAG...]
#   COUPLER   oasis, mct or yac
#   OUTPUT    ends in .link: a response file for the linker, with all that a model needs: $(FC) -o model ... @OUTPUT
#             ends in .a: an archive, libcpl_lb_COUPLER.a, and beside it cpl_lb-COUPLER.pc with the linker's options for
#             `pkg-config --libs cpl_lb-COUPLER`: for build systems that take -l and -L only
#             ends in .so: a library for LD_PRELOAD, for a coupler in a shared library
#   FC        Fortran compiler, as for the model; MPICXX: MPI's C++ compiler
#   FLAG      for FC: -I with the folders of the coupler's modules, and whatever changes the kinds of variables
# pkg-config must find cpl_lb. Objects lie in OUTPUT.dir. With modules that the adapter does not know there is one warning
# and an OUTPUT with nothing in it: the model is built without it.
set -eu
if [ $# -lt 4 ]; then
  sed -n '2,11s/^# //p' "$0" >&2
  exit 2
fi
coupler=$1 output=$2 fc=$3 cxx=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
case $coupler in
  mct) sources='mct.f90' parts=mct ;;
  oasis) sources='mct.f90 oasis.F90,oasis3.F90' parts='mct oasis' ;;
  yac) sources='' parts=yac ;; # its Fortran module calls C
  *) echo "cpl_lb: the coupler is mct, oasis or yac, not '$coupler'" >&2; exit 2 ;;
esac
case $output in
  *.link) preload='' ;;
  */libcpl_lb_"$coupler".a|libcpl_lb_"$coupler".a) preload='' ;;
  *.so) preload=-DCPL_LB_ADAPTER_PRELOAD ;;
  *) echo "cpl_lb: the output is libcpl_lb_$coupler.a or ends in .link or .so, not '$output'" >&2; exit 2 ;;
esac
for compiler in "$fc" "$cxx"; do
  command -v "$compiler" > /dev/null || { echo "cpl_lb: there is no compiler '$compiler'" >&2; exit 2; }
done
intel=''
! "$fc" --version 2> /dev/null | grep -qiE 'ifort|ifx|intel' || intel=-DCPL_LB_FORTRAN_INTEL

rm -rf "$output.dir"
mkdir -p "$output.dir"
folder=$(cd "$output.dir" && pwd)

# names SOURCES FLAG...: the first of several, separated by commas, that compiles with the coupler's modules
names() {
  all=$1
  shift
  for source in $(echo "$all" | tr ',' ' '); do
    ! (cd "$folder" && "$fc" "$@" -fPIC -c "$here/cpl_lb_$source" -o "$folder/names_${source%.*}.o" \
        > "$folder/${source%.*}.said" 2>&1) || return 0
  done
  said="$folder/$(echo "${all%%,*}" | sed 's/\..*//').said"
  why=$(grep -hi 'error' "$said" | head -n 1)
  [ -n "$why" ] || why=$(head -n 1 "$said")
  echo "cpl_lb: no adapter for $coupler: nothing of $all compiles with these modules: $why. The model is built without it." >&2
  return 1
}
for flag; do # modules are looked for from another folder
  shift
  case $flag in -I[!/]*) flag="-I$PWD/${flag#-I}" ;; esac
  set -- "$@" "$flag"
done

# wraps: the options that send the coupler's procedures through the adapter, a line each
wraps() {
  if [ "$coupler" = yac ]; then # C functions, and no tables of its own
    sed 's/^/-Wl,--wrap=/' "$here/yac.symbols"
    return
  fi
  if [ -n "$intel" ]; then symbol='\1_mp_\2_'; else symbol='__\1_MOD_\2'; fi
  options=wrap
  # A shared OASIS that is bound when it is loaded asks the program for MCT's own names, which --wrap has hidden.
  echo 'int main() { return 0; }' > "$folder/exports.cpp"
  ! "$cxx" -Wl,--export-dynamic-symbol=main -o "$folder/exports" "$folder/exports.cpp" > /dev/null 2>&1 ||
    options='wrap export-dynamic-symbol'
  for option in $options; do
    for part in $parts; do sed "s/^\(.*\) \(.*\)$/-Wl,--$option=$symbol/" "$here/$part.symbols"; done
  done
}

# description LIBS...: what pkg-config tells of the archive; it may be moved with the folder
description() {
  echo "Name: cpl_lb-$coupler"
  echo "Description: cpl_lb's adapter for $coupler, for the link line of a model"
  echo "Version: $(pkg-config --modversion cpl_lb)"
  if [ $# -gt 0 ]; then
    echo 'Requires: cpl_lb'
    echo "Libs: $*"
  fi
}

# nothing: an OUTPUT with which the model is linked as before
nothing() {
  rm -f "$output"
  case $output in
    *.a) ar cr "$output" && description > "$(dirname "$output")/cpl_lb-$coupler.pc" ;;
    *) : > "$output" ;;
  esac
}

for source in $sources; do
  names "$source" "$@" || { nothing; exit 0; }
done

for part in $parts; do
  # shellcheck disable=SC2046,SC2086
  "$cxx" -std=c++20 -O2 -fPIC $intel $preload $(pkg-config --cflags cpl_lb) -c "$here/cpl_lb_$part.cpp" \
    -o "$folder/calls_$part.o"
done
case $output in
  *.so)
    # Names that a program lacks are no error for the loader when they are weak.
    for object in "$folder"/names_*.o; do [ ! -f "$object" ] || objcopy --weaken "$object"; done
    # shellcheck disable=SC2046
    "$cxx" -shared -o "$output" "$folder"/*.o $(pkg-config --libs cpl_lb) -ldl
    ;;
  *.a)
    rm -f "$output"
    ar cr "$output" "$folder"/*.o
    # shellcheck disable=SC2016,SC2046
    description $(wraps) '-L${pcfiledir}' "-lcpl_lb_$coupler" -lstdc++ > "$(dirname "$output")/cpl_lb-$coupler.pc"
    ;;
  *)
    { printf '"%s"\n' "$folder"/*.o; wraps; pkg-config --libs cpl_lb; echo -lstdc++; } > "$output.new"
    mv "$output.new" "$output" # whole, or make would take a half for made
    ;;
esac
