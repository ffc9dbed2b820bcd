#!/bin/sh
# parts.sh SOURCE FOLDER COMMAND VERSION: what the command says of its optional parts is true, and a build without one says
# so, and what is missing then.
set -eu
source=$1 folder=$2 command=$3 version=$4
rm -rf "$folder"
mkdir -p "$folder"
fail() { echo "FAILED: $*" >&2; exit 1; }

# This build: a part is there when a function of its library is among the command's symbols.
"$command" --version > "$folder/version"
[ "$(sed -n 1p "$folder/version")" = "cpl-lb $version" ] || fail "the first line: $(sed -n 1p "$folder/version")"
for part in OTF2:OTF2_Archive_Open; do
  said=$(sed -n "s/^${part%%:*}: \([a-z]*\).*/\1/p" "$folder/version")
  found=no
  ! grep -qa "${part##*:}" "$command" || found=yes
  [ "$said" = $found ] || fail "it says ${part%%:*}: $said, and by its symbols: $found"
done

configured() { # configured NAME OPTIONS...: only configured; what it says
  name=$1
  shift
  cmake -S "$source" -B "$folder/$name" -DCPL_LB_TESTS=OFF -DCPL_LB_EXAMPLES=OFF -DCPL_LB_MPI=OFF "$@" > "$folder/$name.log" 2>&1
}
says() { # says NAME TEXT
  tr '\n' ' ' < "$folder/$1.log" | tr -s ' ' | grep -qF -- "$2" || { cat "$folder/$1.log"; fail "$1 does not say: $2"; }
}

configured without -DCPL_LB_OTF2=OFF || { cat "$folder/without.log"; fail "without its parts"; }
for line in 'MPI: no; without it there is no library for models, no cpl-lb-record' \
    'OTF2: no; without it cpl-lb export --to otf2 is refused'; do
  says without "$line"
  grep -qF -- "$line" "$folder/without/include/parts.hpp" || fail "--version would not say: $line"
done
configured no_models -DCPL_LB_PROJECTION=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON || { cat "$folder/no_models.log"; fail "without models"; }
says no_models 'Models of other machines: no; without them there is no cpl-lb machine'
configured no_command -DCPL_LB_COMMAND=OFF
says no_command 'Command: no; there will be no cpl-lb'

# Who asks for a part gets it, or hears that it is not to be had.
! configured no_otf2 -DCPL_LB_OTF2=ON -DCPL_LB_OTF2_LIBRARY= || fail "OTF2 is asked for and not there"
says no_otf2 'CPL_LB_OTF2 is on, and OTF2 was not found (Debian: libotf2-trace-dev)'
