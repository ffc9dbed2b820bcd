#!/bin/sh
# C, C++ and Fortran offer the same names with the same values.
#   names_test.sh INCLUDE_DIRS(colon separated) FORTRAN_SOURCE C++_COMPILER SHARED_LIBRARY FORTRAN_OBJECTS...
# The shared library exports these and no others. The last arguments are the objects of the module and of a Fortran
# program that calls everything: what they leave undefined is what the Fortran side binds to.
set -eu
export LC_ALL=C
includes=$1 module=$2 cxx=$3 library=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
header=$work/both.h
echo "$includes" | tr : '\n' | while read -r d; do
  [ ! -f "$d/cpl_lb/cpl_lb.h" ] || cat "$d/cpl_lb/cpl_lb.h" "$d/cpl_lb/cpl_lb_manager.h"
done > "$header"
failed=0

same() { # same WHAT FILE FILE
  if [ ! -s "$2" ] || ! diff "$2" "$3" > "$work/diff"; then
    echo "names differ: $1 (< C header)"; cat "$work/diff" 2> /dev/null || :; failed=1
  fi
}

# Declarations start with CPL_LB_PUBLIC, one in a line.
sed -n 's/^CPL_LB_PUBLIC .*[ *]\(cpl_lb_[a-z_]*\)(.*/\1/p' "$header" | sort > "$work/c"
[ "$(wc -l < "$work/c")" -eq "$(grep -c '^CPL_LB_PUBLIC' "$header")" ] || { echo "a declaration was not understood"; failed=1; }

# Fortran: the public procedures of the module.
sed -n 's/^ *public :: \(cpl_lb_.*\)/\1/p' "$module" | tr -d ' ' | tr , '\n' | sort > "$work/fortran"
same "public names of the Fortran module" "$work/c" "$work/fortran"

# Fortran: the C symbols it uses. A communicator is converted behind cpl_lb_init_f and cpl_lb_balance_now_f.
nm "$@" | sed -n 's/^ *U \(cpl_lb_[a-z_]*\)$/\1/p' | sed 's/^\(cpl_lb_init\|cpl_lb_balance_now\)_f$/\1/' | sort -u > "$work/bound"
same "C functions that Fortran binds to" "$work/c" "$work/bound"

# Constants and their values.
constants() { grep -v '^ *!' "$1" | grep -oE 'CPL_LB_[A-Z]+ = -?[0-9]+' | sort; }
constants "$header" > "$work/c_constants"
constants "$module" > "$work/fortran_constants"
same "constants of the Fortran module" "$work/c_constants" "$work/fortran_constants"

# C++: cpl_lb.hpp gives the same functions, with C linkage.
{
  echo '#include <cpl_lb/cpl_lb.hpp>'
  echo '#include <cpl_lb/cpl_lb_manager.h>'
  echo 'using Any = void (*)();'
  echo 'extern const Any all[];'
  echo 'const Any all[] = {'
  sed 's/.*/    reinterpret_cast<Any>(\&&),/' "$work/c"
  echo '};'
} > "$work/all.cpp"
# shellcheck disable=SC2086,SC2046
$cxx -std=c++20 $(echo "$includes" | tr : '\n' | sed 's/^/-I/') -c "$work/all.cpp" -o "$work/all.o"
nm "$work/all.o" | sed -n 's/^ *U \(cpl_lb_[a-z_]*\)$/\1/p' | sort -u > "$work/cxx"
same "C functions seen from C++" "$work/c" "$work/cxx"

# The shared library: these, two for Fortran, and what it offers to the recorder alone.
inside=$(echo "$includes" | tr : '\n' | while read -r d; do
  [ ! -f "$d/cpl_lb/cpl_lb_inside.h" ] || cat "$d/cpl_lb/cpl_lb_inside.h"
done | sed -n 's/^CPL_LB_PUBLIC .*[ *]\(cpl_lb_[a-z_]*\)(.*/\1/p')
[ -n "$inside" ] || { echo "no functions in cpl_lb_inside.h"; failed=1; }
nm -D --defined-only "$library" | sed 's/.* //; s/@.*//' | sort > "$work/exported"
{ cat "$work/c"; echo "$inside"; printf '%s\n' cpl_lb_init_f cpl_lb_balance_now_f; } | sort > "$work/all"
same "symbols that $library exports" "$work/all" "$work/exported"

[ $failed = 0 ] && echo "$(wc -l < "$work/c") functions and $(wc -l < "$work/c_constants") constants, the same in C, C++ and Fortran"
exit $failed
