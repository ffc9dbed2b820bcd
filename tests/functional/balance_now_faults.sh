#!/bin/sh
# balance_now_faults.sh "MPIEXEC FLAG" MODEL FAULTS FOLDER: on one of two processes one call of MPI fails while the model asks
# for its balance. It gives an error from then on, on both, and the model comes to its end.
set -eu
launch=$1 model=$2 faults=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fired=0
for call in MPI_Isend MPI_Irecv MPI_Test; do
  # Of the first process: the calls of the library and those of the model.
  calls=$($launch 2 env LD_PRELOAD="$faults" FAULT_MPI=$call FAULT_RANK=0 FAULT_AT=0 "$model" faulty 2>&1 |
    sed -n 's/^calls //p' | sort -n | tail -1)
  [ "${calls:-0}" -gt 20 ] || { echo "FAILED: $call was called ${calls:-0} times"; exit 1; }
  for part in 3 5 7; do
    at=$((calls * part / 10))
    # shellcheck disable=SC2086
    $launch 2 env LD_PRELOAD="$faults" FAULT_MPI=$call FAULT_RANK=$((part % 3 % 2)) FAULT_AT=$at "$model" faulty \
      > printed 2>&1 || { cat printed; echo "FAILED: $call number $at"; exit 1; }
    ! grep -q '^fault fired' printed || fired=$((fired + 1))
  done
done
[ "$fired" -ge 3 ] || { echo "FAILED: only $fired faults fired"; exit 1; }
echo "$fired calls failed, and no run"
