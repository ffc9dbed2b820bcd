#!/bin/sh
# like_makenemo.sh ARCH SOURCE PROGRAM: the way that makenemo and FCM take: the keys of the architecture file are put into
# each other and into the commands of a Makefile; a library of all objects; then the link with USER_LIB behind it.
set -eu
arch=$1 source=$2 program=$3
value() { sed -n "s/^%$1  *//p" "$arch"; }
expand() { # %KEY in a text, until none is left
  text=$1
  while key=$(printf '%s' "$text" | grep -o '%[A-Z_]*' | head -n 1) && [ -n "$key" ]; do
    text=$(printf '%s' "$text" | awk -v key="$key" -v new="$(value "${key#%}")" '{ at = index($0, key);
      print substr($0, 1, at - 1) new substr($0, at + length(key)) }')
  done
  printf '%s' "$text"
}
{
  printf '%s: %s\n\t' "$program" "$source"; expand "%FC %FCFLAGS %USER_INC -c $source -o model.o"
  printf '\n\t'; expand "%AR %ARFLAGS lib__fcm__model.a"
  printf '\n\t'; expand "%FC -o $program model.o -L. -l__fcm__model %USER_LIB"
  echo
} > Makefile
make -s
