#!/bin/sh
# folders_test.sh CASE BUILD_DIR MODEL "MPIEXEC -n": all files of a run in one folder, and nothing of another run.
set -eu
case=$1 build=$2 model=$3 launch=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cpl_lb_folders.XXXXXX")
trap 'rm -rf "$work"' EXIT
out=$work/out
mkdir "$out"
cd "$work"
export CPL_LB_ENABLED=1 CPL_LB_DIR="$out" CPL_LB_PRINT=0
unset TMPDIR

fail() { echo "FAILED: $*"; cat "$work"/err* 2> /dev/null; ls -laR "$work"; exit 1; }
lines() { grep -c '^cpl_lb: ' "$1" || true; }
figures() { "$build/libcpl_lb/tools/cpl-lb" summary --json "$1" > "$work/json" || fail "summary of $1"; tr -d ' \n' < "$work/json"; }
# has FOLDER COMPONENT EVENTS: its timeline is there, of the run that the json tells of, with so many events and TERM
has() {
  figures "$1" > "$work/line"
  grep -q "\"name\":\"$2\"[^}]*" "$work/line" || fail "$2 is not in $1"
  grep -q 'otherruns' "$work/line" && fail "other runs in $1"
  events=$(tr ',' '\n' < "$work/line" | sed -n "/\"name\":\"$2\"/,\$s/.*\"events\":\([0-9]*\).*/\1/p" | head -1)
  [ "$events" = "$(($3 + 1))" ] || fail "$2 in $1 has $events events, not $(($3 + 1))"
}
model_is_there() {
  for _ in $(seq 600); do
    [ ! -e "$work/go.here" ] || return 0
    sleep 0.1
  done
  fail "the model did not start"
}
run() { # run N ARGUMENTS...: the model on N processes
  n=$1
  shift
  # shellcheck disable=SC2086
  $launch "$n" "$@"
}

# The other node sees another folder in the place of the output folder. In the root's one lie results of an older run, with
# 5 steps; in the other node's one, too.
case_nodes() {
  mkdir "$work/other"
  for node in proc other_proc; do
    mkdir -p "$work/$node/sys/kernel/random"
    echo "$node" > "$work/$node/sys/kernel/random/boot_id"
  done
  export CPL_LB_PROCFS="$work/proc" CPL_LB_RSS=0 CPL_LB_ENERGY=0
  run 4 "$model" 5 > "$work/older" 2>&1
  cp "$out"/timeline_*.nc "$work/other"
  for rest in '' 'CPL_LB_COMPRESS=1' "TMPDIR=$work/tmp"; do
    mkdir -p "$work/tmp"
    # shellcheck disable=SC2086
    run 4 env $rest "$here/on_another_node.sh" 2 "$out" "$work/other" "$work/proc" "$work/other_proc" "$model" 10 > "$work/printed" 2> "$work/err" ||
      fail "the run failed"
    [ "$(lines "$work/err")" = 0 ] || fail "something was said"
    grep -q 'terminate 0' "$work/printed" || fail "terminate failed"
    has "$out" ocean 10
    has "$out" atmosphere 10
    [ "$(find "$work/other" -mindepth 1 | wc -l)" = 2 ] || fail "something is left on the other node"
    [ -z "$(find "$work/tmp" -mindepth 1)" ] || fail "something is left in TMPDIR"
    [ -z "$(find "$out" -name '.*' -type f)" ] || fail "something hidden is left"
  done
  # The root cannot write: the file stays where it was made, and a line says where.
  rm -rf "$out/timeline_atmosphere.nc"
  mkdir "$out/timeline_atmosphere.nc"
  run 4 "$here/on_another_node.sh" 2 "$out" "$work/other" "$work/proc" "$work/other_proc" "$model" 10 > "$work/printed" 2> "$work/err"
  grep -q "^cpl_lb: .*timeline_atmosphere.nc stays on .*: this node does not share $out, and it could not be written there" \
    "$work/err" || fail "it does not say where the timeline is"
  [ "$(find "$work/other" -name timeline_atmosphere.nc | wc -l)" = 2 ] || fail "the timeline is lost"
  ! grep -q 'timeline_atmosphere.nc' "$work/printed" || fail "the summary lists it"
}

# Two runs in one folder: the later one says so, and its results are inside, in a folder of its own.
case_at_once() {
  run 2 "$model" 3 "$work/go" > "$work/printed1" 2> "$work/err1" &
  first=$!
  model_is_there
  CPL_LB_RUN=second run 2 "$model" 7 > "$work/printed2" 2> "$work/err2" || fail "the second run failed"
  touch "$work/go"
  wait "$first" || fail "the first run failed"
  [ "$(lines "$work/err1")" = 0 ] || fail "the first run complains"
  [ "$(lines "$work/err2")" = 1 ] || fail "the second run says it once"
  grep -q "^cpl_lb: the run .* is still running and uses the folder $out: the results of this run will be in a folder of their own" \
    "$work/err2" || fail "it does not say who has the folder"
  has "$out" ocean 3
  has "$out" atmosphere 3
  has "$out/second" ocean 7
  has "$out/second" atmosphere 7
  grep -q "used the folder for results at the same time" "$out/second/load_balancing_info.txt" || fail "no remark"
  # Both have ended: the folder is free, and so is it after a run that was killed.
  run 2 "$model" 4 > "$work/printed3" 2> "$work/err3" || fail "the third run failed"
  [ "$(lines "$work/err3")" = 0 ] || fail "the third run complains"
  has "$out" ocean 4
  rm "$work/go" "$work/go.here"
  run 2 "$model" 3 "$work/go" > /dev/null 2> "$work/err4" &
  killed=$!
  model_is_there
  [ -e "$out/.cpl_lb_run" ] || fail "the folder is not claimed"
  kill -9 "$(sed -n 4p "$out/.cpl_lb_run")" # rank 0, from the claim
  wait "$killed" 2> /dev/null || true
  run 2 "$model" 6 > "$work/printed5" 2> "$work/err5" || fail "the fifth run failed"
  [ "$(lines "$work/err5")" = 0 ] || fail "a dead run blocks the folder"
  has "$out" ocean 6
}

# Result files that somebody made links and pipes.
case_pipes() {
  ln -s elsewhere "$out/load_balancing_info.json"
  mkfifo "$out/load_balancing_info.txt" "$out/timeline_ocean.nc"
  run 2 "$model" 3 > "$work/printed" 2> "$work/err" || fail "the run failed"
  [ "$(grep -c 'nobody reads from this pipe' "$work/err")" = 2 ] || fail "it does not say so"
  [ -p "$out/load_balancing_info.txt" ] && [ -p "$out/timeline_ocean.nc" ] || fail "a pipe was replaced"
  [ -L "$out/load_balancing_info.json" ] && [ -s "$out/elsewhere" ] || fail "the link was not followed"
}

# The folder of the spool files is removed under the run. A chunk holds 32,766 events: the later ones need another.
case_spool_gone() {
  mkdir "$work/spool"
  CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR="$work/spool" run 2 "$model" 100000 "$work/go" > "$work/printed" 2> "$work/err" &
  model_runs=$!
  model_is_there
  [ "$(find "$work/spool" -name '*.spool' | wc -l)" = 2 ] || fail "no spool files"
  rm -r "$work/spool"
  touch "$work/go"
  wait "$model_runs" || fail "the run failed"
  [ "$(lines "$work/err")" = 1 ] || fail "it is not said once"
  grep -q '^cpl_lb: .*the spool file was removed while the run went on' "$work/err" || fail "it is not said"
  has "$out" ocean 100000
  has "$out" atmosphere 100000
}

"case_$case"
echo "folders $case: good"
