#!/bin/sh
# compile_with.sh COMPILER ANOTHER [LAUNCHER...] ANOTHER ARGUMENT...: a launcher of CMake that puts COMPILER in the place
# of ANOTHER, behind LAUNCHER.
compiler=$1 another=$2
shift 2
words=$#
while [ "$words" -gt 0 ]; do
  word=$1
  shift
  if [ "$word" = "$another" ]; then
    word=$compiler
    another=''
  fi
  set -- "$@" "$word"
  words=$((words - 1))
done
exec "$@"
