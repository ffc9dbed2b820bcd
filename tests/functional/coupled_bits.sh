#!/bin/sh
# The results of the model are the same bits with the library on, off and not linked, and its energy is conserved.
. "$(dirname "$0")/coupled_common.sh"

for case in on off not_linked; do namelists $case 20 0 0. 0. 0.; done
echo "&namcpl_lb ln_lb = .false. /" > off/namelist_cpl_lb
model on "$bin" 2 2 1
model off "$bin" 2 2 1
model not_linked "$bin/not_linked" 2 2 1

for case in on off not_linked; do
  energy $case
  cmp on/results $case/results || fail "checksums: on and $case"
  for file in restart_ocean_00000020.nc restart_atmosphere_00000020.nc output_ocean.nc output_atmosphere.nc; do
    cmp on/$file $case/$file || fail "$file: on and $case"
  done
done

# On, it leaves its results; off, it says and writes nothing.
for file in load_balancing_info.txt load_balancing_info.json timeline_ocean.nc timeline_atmosphere.nc \
            timeline_ioserver.nc; do
  [ -s on/$file ] || { cat on/errors; fail "$file is missing"; }
done
for file in off/load_* off/timeline_*; do [ ! -e "$file" ] || fail "switched off, but there is $file"; done
sort off/printed | cmp - off/results || fail "switched off, but something was printed"
! grep -q cpl_lb off/errors || fail "switched off, but: $(cat off/errors)"
echo "the same bits on, off and not linked"
