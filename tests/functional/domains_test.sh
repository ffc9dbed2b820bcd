#!/bin/sh
# The parts of the grid that a Fortran model gave, as ncdump reads them: domains_test.sh MPIEXEC PROGRAM
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
$1 4 "$2" > out 2> err || { cat out err; exit 1; }
if grep '^cpl_lb:' err; then echo "a model without a fault is told one"; exit 1; fi
failed=0

has() { # has FILE LINE: ncdump prints it, blanks and line breaks apart
  ncdump "$1" | tr -s ' \n\t' ' ' > dump
  grep -qF "$2" dump || { echo "$1 lacks: $2"; failed=1; }
}

# Two processes with two rows of 6 points each.
ocean=timeline_ocean.nc
has $ocean 'domain_first_i = 1, 1 ;'
has $ocean 'domain_count_i = 6, 6 ;'
has $ocean 'domain_first_j = 1, 3 ;'
has $ocean 'domain_count_j = 2, 2 ;'
has $ocean ':grid_size_i = 6 ;'
has $ocean ':grid_size_j = 4 ;'
has $ocean 'computing_time:units = "s" ;'
# 0, 5, 10 degrees east and 20 more on the second; at 45 degrees north and south: six points each.
atmosphere=timeline_atmosphere.nc
has $atmosphere 'process_longitude:units = "degrees_east" ;'
has $atmosphere 'process_latitude:standard_name = "latitude" ;'
has $atmosphere 'process_longitude:bounds = "process_longitude_bounds" ;'
has $atmosphere 'computing_time:coordinates = "process_longitude process_latitude" ;'
has $atmosphere 'process_longitude_bounds = 0, 10, 20, 30 ;'
has $atmosphere 'process_latitude_bounds = -45, 45, -45, 45 ;'
has $atmosphere 'domain_points = 6, 6 ;'
grep -q ' piece' dump && { echo "a run without pieces has variables for them"; failed=1; }

# Two processes with every second row.
$1 4 "$2" pieces > out 2> err || { cat out err; exit 1; }
if grep '^cpl_lb:' err; then echo "a model in pieces is told a fault"; exit 1; fi
has $ocean 'piece = 4 ;'
has $ocean 'domain_pieces:sample_dimension = "piece" ;'
has $ocean 'domain_pieces = 2, 2 ;'
has $ocean 'piece_first_i = 1, 1, 1, 1 ;'
has $ocean 'piece_count_i = 6, 6, 6, 6 ;'
has $ocean 'piece_first_j = 1, 3, 2, 4 ;'
has $ocean 'piece_count_j = 1, 1, 1, 1 ;'
has $ocean 'domain_points = 12, 12 ;'
has $ocean ':grid_size_i = 6 ;'
has $ocean ':grid_size_j = 4 ;'
grep -q 'domain_first_i' dump && { echo "pieces are no blocks"; failed=1; }
exit $failed
