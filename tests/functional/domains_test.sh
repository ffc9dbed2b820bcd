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
# Coordinates, as models of 0.3 give them, do nothing.
ncdump -h timeline_atmosphere.nc > dump
grep -qE 'longitude|domain|grid_' dump && { echo "a part of a grid by coordinates"; failed=1; }
ncdump $ocean > dump
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
