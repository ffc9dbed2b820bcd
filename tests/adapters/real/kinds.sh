#!/bin/sh
# kinds.sh SOURCE BUILD LIBRARY FOLDER FC CXX MPIEXEC: the adapter built by the script for makefiles, with the flags of models
# whose default numbers are longer than OASIS's, on OASIS's tutorial: the same kinds of events in the same order each time.
set -eu
source=$1 build=$2 library=$3 folder=$4 fc=$5 cxx=$6 mpiexec=$7
work=$folder/kinds
rm -rf "$work"
mkdir -p "$work/pkgconfig"
cat > "$work/pkgconfig/cpl_lb.pc" <<END
Name: cpl_lb
Description: of the build folder
Version: 0
Cflags: -I$source/include -I$build/include
Libs: $library -Wl,-rpath,$(dirname "$library")
END
export PKG_CONFIG_PATH="$work/pkgconfig" CPL_LB_ENABLED=1

runs() { # runs NAME FLAG...
  name=$1
  shift
  "$source/libcpl_lb/adapters/cpl_lb_build_adapter.sh" oasis "$work/$name.link" "$fc" "$cxx" \
    -I/usr/include/psmile.MPI1 -I/usr/include/mct "$@"
  for model in model1 model2; do
    "$fc" -o "$work/$name.$model" "$folder/tutorial/$model.objects/"*.o @"$work/$name.link" -l:libpsmile.MPI1.a -l:libmct.a \
      -l:libmpeu.a -l:libscrip.a -lnetcdff
  done
  mkdir "$work/$name.run"
  cd "$work/$name.run"
  cp "$folder/tutorial/data/"*.nc .
  cp /usr/share/doc/liboasis3-doc/examples/tutorial/data_oasis3/namcouple_TP namcouple
  "$mpiexec" -np 1 "$work/$name.model1" : -np 1 "$work/$name.model2" > out 2> err < /dev/null || { cat out err; exit 1; }
  ! grep '^cpl_lb:' err || exit 1
  for model in model1 model2; do
    ncdump -v kind,field "timeline_$model.nc" | sed -n '/^data:/,$p' > "$work/$name.$model.events"
    cmp "$work/$name.$model.events" "$work/usual.$model.events"
  done
}
runs usual
grep -q 'kind = .*2' "$work/usual.model1.events"
runs real8 -fdefault-real-8
runs integer8 -fdefault-integer-8
