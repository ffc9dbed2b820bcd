#!/bin/sh
# intel_names.sh PROGRAM CXX MPIFORT SOURCE BUILD LIBRARY: the OASIS test model with the adapter, where every module
# procedure is called as ifort and ifx name it: module_mp_procedure_ in place of __module_MOD_procedure.
set -eu
program=$1 cxx=$2 fortran=$3 source=$4 build=$5 library=$6
adapters=$source/libcpl_lb/adapters
rm -rf "$program.dir"
mkdir "$program.dir"
cd "$program.dir"
for file in double_mct double_oasis_tables double_oasis_io double_oasis_advance double_oasis oasis_model; do
  "$fortran" -g -O1 -fallow-argument-mismatch -c "$source/tests/adapters/$file.f90"
done
"$fortran" -g -O1 -c "$adapters/cpl_lb_mct.f90" -o names_mct.o
"$fortran" -g -O1 -c "$adapters/cpl_lb_oasis.F90" -o names_oasis.o
nm -A ./*.o | sed -n 's/.* \(__\([a-z0-9_]*\)_MOD_\([a-z0-9_]*\)\)$/\1 \2_mp_\3_/p' | sort -u > renamed
for object in *.o; do
  objcopy --redefine-syms=renamed "$object"
done
mpi=$("$fortran" -show | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
for file in mct oasis; do
  # shellcheck disable=SC2086
  "$cxx" -std=c++20 -g -O1 -DCPL_LB_FORTRAN_INTEL -DOMPI_SKIP_MPICXX=1 -DMPICH_SKIP_MPICXX=1 $mpi \
    -I"$source/include" -I"$build/include" -c "$adapters/cpl_lb_$file.cpp" -o "calls_$file.o"
done
sed 's/^\(.*\) \(.*\)$/-Wl,--wrap=\1_mp_\2_/' "$adapters/mct.symbols" "$adapters/oasis.symbols" > wrap
# shellcheck disable=SC2046
"$fortran" -o "../$program" ./*.o $(cat wrap) "$library" \
  -Wl,-rpath,"$(dirname "$library")" -lstdc++
