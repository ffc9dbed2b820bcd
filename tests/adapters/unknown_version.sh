#!/bin/sh
# unknown_version.sh CMAKE SOURCE FOLDER MPIFORT: a project whose coupler has other modules than the adapter knows,
# with CMake and with make.
set -eu
cmake=$1 source=$2 folder=$3 fortran=$4
rm -rf "$folder"
mkdir -p "$folder/modules"
cd "$folder"
# An OASIS without the tables that the adapter reads.
printf 'module mod_oasis_data\n integer :: other\nend module\nmodule m_AttrVect\n integer :: other\nend module\n' > other.f90
(cd modules && "$fortran" -fsyntax-only ../other.f90)
printf 'program model\n print *, "runs"\nend program\n' > model.f90
cat > CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(model LANGUAGES C CXX Fortran)
add_library(cpl_lb::cpl_lb INTERFACE IMPORTED)
include("$source/cmake/cpl_lb_adapters.cmake")
cpl_lb_add_adapter(adapter oasis MODULES "$folder/modules")
add_executable(model model.f90)
target_link_libraries(model PRIVATE adapter)
END
"$cmake" -S . -B build -DCMAKE_Fortran_COMPILER="$fortran" > said 2>&1
grep -q "no adapter for oasis" said
grep -q "built without" said
[ "$(grep -c 'CMake Warning' said)" = 1 ]
"$cmake" --build build > built 2>&1
build/model | grep -q runs

# From make: the same one warning, and an empty response file.
"$source/libcpl_lb/adapters/cpl_lb_build_adapter.sh" oasis adapter.link "$fortran" c++ -Imodules > said 2>&1
[ "$(wc -l < said)" = 1 ]
grep -q "no adapter for oasis" said
[ -f adapter.link ] && [ ! -s adapter.link ]
"$fortran" -o model model.f90 @adapter.link
./model | grep -q runs
