#!/bin/sh
# compile_with.sh COMPILER [ccache] ANOTHER ARGUMENT...: a launcher of CMake that puts COMPILER in the place of ANOTHER.
compiler=$1
shift
launcher=''
case $1 in
  *ccache)
    launcher=$1
    shift ;;
esac
shift
exec ${launcher:+"$launcher"} "$compiler" "$@"
