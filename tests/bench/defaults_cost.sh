#!/bin/sh
# What the library with all its defaults costs a model: examples/coupled, switched on and off in turn.
#   defaults_cost.sh EXAMPLE_FOLDER FOLDER_OF_EXECUTABLES MPI FOLDER_TO_RUN_IN [PAIRS] [STEPS] [CPL_LB_RECORD]
# CPL_LB_RECORD: the script cpl-lb-record, for executables that are not linked with the library; "on" is then behind it.
# Prints the mean difference of the wall times of PAIRS pairs with its 95 % confidence interval (Student's t), and what
# the counts of the last run say: events x 35 ns + the measured time of its samples, over the wall time.
set -eu
example=$1 bin=$(cd "$2" && pwd) mpi=$3 work=$4 pairs=${5:-10} steps=${6:-40} record=${7:-}
rm -rf "$work"
mkdir -p "$work/on" "$work/off"
for state in on off; do
  echo "&namrun nn_steps = $steps, nn_output = 8, nn_restart = 20 /" > "$work/$state/namelist_coupled"
done
echo "&namcpl_lb ln_lb = .true. /" > "$work/on/namelist_cpl_lb"
echo "&namcpl_lb ln_lb = .false. /" > "$work/off/namelist_cpl_lb"
for state in on off; do # the same way to the executables with and without
  mkdir "$work/$state/bin"
  for program in ocean atmosphere; do
    [ "$state" = on ] && before=$record || before=
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$before" "$bin/$program" > "$work/$state/bin/$program"
    chmod +x "$work/$state/bin/$program"
  done
done

wall() { # seconds of one run
  start=$(date +%s.%N)
  "$example/run.sh" --bin "$work/$1/bin" --mpi "$mpi" --np 1 1 0 "$work/$1" > "$work/$1/printed" 2>&1
  echo "$start $(date +%s.%N)" | awk '{ printf "%.4f\n", $2 - $1 }'
}

wall off > /dev/null # what is read from disk once
i=0
while [ "$i" -lt "$pairs" ]; do
  # Turn about, or whatever drifts would be taken for a cost.
  if [ $((i % 2)) = 0 ]; then on=$(wall on) off=$(wall off); else off=$(wall off) on=$(wall on); fi
  echo "$on $off"
  i=$((i + 1))
done | tee "$work/pairs" | awk '
  BEGIN { split("12.71 4.30 3.18 2.78 2.57 2.45 2.36 2.31 2.26 2.23 2.20 2.18 2.16 2.14 2.13 2.12 2.11 2.10 2.09", t) }
  { d = $1 - $2; n++; s += d; q += d * d; off += $2 }
  END {
    mean = s / n; sd = sqrt((q - n * mean * mean) / (n - 1)); half = (n - 1 in t ? t[n - 1] : 1.96) * sd / sqrt(n)
    printf "%d pairs: on - off = %+.4f s, 95 %% interval %+.4f to %+.4f s, of %.3f s\n", n, mean, mean - half, mean + half, off / n
  }'
awk '
  /"events":/ { gsub(/[^0-9]/, ""); events += $0 }
  /"wall_s":/ && !wall { gsub(/[^0-9.]/, ""); wall = $0 }
  /"sampling_s": \{/ { inside = 1 }
  inside && /"max":/ { gsub(/[^0-9.e-]/, ""); sampling = $0; inside = 0 }
  END { cost = events * 35e-9 + sampling
        printf "%d events x 35 ns + samples %.6f s = %.6f s of %.3f s: %.5f %%\n", events, sampling, cost, wall, 100 * cost / wall }
' "$work/on/load_balancing_info.json"
