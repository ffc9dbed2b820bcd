#!/bin/sh
# Compiler launcher for the case subdirectory: BUILD_DIR COMPILER ARGUMENTS...
# Takes the objects of the library from the build that is tested, where they were made from the same sources, instead of
# compiling all of it a second time. The entry points and everything of the foreign project are compiled.
build=$1
shift
previous='' object=''
for argument; do
  [ "$previous" != -o ] || object=$argument
  previous=$argument
done
case $object in
  cpl_lb/libcpl_lb/*c_api*) ;;
  cpl_lb/libcpl_lb/*/Unity/*) # several files in one: the same ones?
    ours=$build/${object#cpl_lb/}
    grep -q c_api "${object%.o}" || ! cmp -s "${object%.o}" "${ours%.o}" || [ ! -f "$ours" ] || exec cp "$ours" "$object" ;;
  cpl_lb/libcpl_lb/*) [ ! -f "$build/${object#cpl_lb/}" ] || exec cp "$build/${object#cpl_lb/}" "$object" ;;
esac
exec "$@"
