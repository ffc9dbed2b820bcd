#!/bin/sh
# folders_test.sh CASE BUILD_DIR MODEL "MPIEXEC -n" PLANTER STOPPING_SERVER: all files of a run in one folder, and nothing
# of another run; files that others plant there, and a folder whose server does not answer.
set -eu
case=$1 build=$2 model=$3 launch=$4 planter=$5 stopping_server=$6
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

results='load_balancing_info.txt load_balancing_info.json load_balancing_report.html timeline_ocean.nc timeline_atmosphere.nc'
# put WHAT PATH: a link to the victim, its second name, a pipe that nobody writes or reads, a folder
put() {
  case $1 in
    link) ln -s "$work/victim" "$2" ;;
    second_name) ln "$work/victim" "$2" ;;
    pipe) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
  esac
}
untouched() { [ "$(cat "$work/victim")" = precious ] || fail "$1: a file outside of the folder was written to"; }
# within SECONDS WHAT COMMAND...: it may fail, but it ends
within() {
  limit=$1 of=$2
  shift 2
  status=0
  timeout -s KILL "$limit" "$@" > "$work/printed" 2> "$work/err" || status=$?
  [ "$status" != 137 ] || fail "$of: the run hangs"
  grep -q '^terminate ' "$work/printed" || fail "$of: the model did not come to its end"
  [ "$(lines "$work/err")" = "$(wc -l < "$work/err")" ] || fail "$of: another line than ours"
  untouched "$of"
}

# What others plant at every name that can be known before: of the claim in cpl_lb_init, of the results, and of the
# temporary files as they were called up to 0.2.0 (with the number of the process), which the model had then opened.
case_planted() {
  echo precious > "$work/victim"
  for what in link second_name pipe folder; do
    put "$what" "$out/.cpl_lb_run"
    # shellcheck disable=SC2086
    within 60 "claim, $what" $launch 2 "$model" 3
    has "$out" ocean 3
    rm -rf "$out"
    mkdir "$out"
  done
  for compress in 0 1; do
    for what in link pipe; do
      rm -f "$work/go" "$work/go.here"
      CPL_LB_COMPRESS=$compress run 2 "$model" 3 "$work/go" > "$work/printed" 2> "$work/err" &
      model_runs=$!
      model_is_there
      for process in $(grep -l -a -F "$work/go" /proc/[0-9]*/cmdline 2> /dev/null | cut -d / -f 3); do
        for name in $results; do
          put "$what" "$out/.$name.$process.part"
        done
      done
      touch "$work/go"
      waited=0
      while kill -0 "$model_runs" 2> /dev/null && [ $waited -lt 600 ]; do
        sleep 0.1
        waited=$((waited + 1))
      done
      [ $waited -lt 600 ] || { kill -9 "$model_runs"; fail "$what at a guessed name: the run hangs"; }
      wait "$model_runs" || fail "$what at a guessed name: the run failed"
      untouched "$what at a guessed name"
      [ "$(lines "$work/err")" = 0 ] || fail "$what at a guessed name: something was said"
      has "$out" ocean 3
      rm -rf "$out"
      mkdir "$out"
    done
  done
  for what in second_name folder; do
    for name in $results; do
      put "$what" "$out/$name"
    done
    # shellcheck disable=SC2086
    within 60 "result, $what" $launch 2 "$model" 3
    [ "$what" = folder ] || has "$out" ocean 3
    [ "$what" != folder ] || [ "$(lines "$work/err")" = 5 ] || fail "a folder in the place of each result is told once"
    rm -rf "$out"
    mkdir "$out"
  done
}

# What others plant as soon as a name is there: in the place of each temporary file, and of each result.
case_watched() {
  echo precious > "$work/victim"
  for begin in . load timeline; do
    for what in link second_name pipe folder; do
      for compress in 0 1; do
        [ $begin$compress != load1 ] || continue # the same files
        "$planter" "$what" "$out" "$begin" "$work/victim" > "$work/planted" &
        planting=$!
        until [ -s "$work/planted" ]; do sleep 0.05; done
        # shellcheck disable=SC2086
        CPL_LB_COMPRESS=$compress within 60 "$what in the place of $begin*, compressed $compress" $launch 2 "$model" 3
        kill "$planting"
        wait "$planting" 2> /dev/null || true
        grep -q '^planted ' "$work/planted" || fail "nothing was planted"
        rm -rf "$out"
        mkdir "$out"
      done
    done
  done
}

# A link of another user is not followed, whatever it is called as: the result takes its place, and a line says so.
case_planted_links() {
  echo precious > "$work/victim"
  for name in $results; do
    put link "$out/$name"
    chown -h 12345 "$out/$name"
  done
  # shellcheck disable=SC2086
  within 60 "links of another user" $launch 2 "$model" 3
  [ "$(grep -c '^cpl_lb: .*: there was a link that belongs to another user (12345)' "$work/err")" = 5 ] || fail "it is not said"
  [ "$(lines "$work/err")" = 5 ] || fail "something else is said"
  [ -z "$(find "$out" -type l)" ] || fail "a link is left"
  has "$out" ocean 3
}

# The server of the folder for results stops: before cpl_lb_init, before cpl_lb_terminate, while the text is written, and
# while a timeline is. Only the last one is waited for.
case_server() {
  mkdir "$work/disk"
  LD_PRELOAD="$stopping_server" CPL_LB_STOPS_AT="$work/stops_at" bindfs -f "$work/disk" "$out" &
  server=$!
  # What is told of a failure lists the folder: its server has to answer.
  fail() { kill -CONT "$server"; echo "FAILED: $*"; cat "$work"/err* "$work/printed"; ls -laR "$work"; exit 1; }
  trap 'kill -CONT "$server" || true; umount -l "$out" || true; kill "$server" || true; rm -rf "$work"' EXIT
  until mountpoint -q "$out"; do sleep 0.1; done
  export CPL_LB_TIMEOUT=6
  begin() { # on how many processes
    rm -f "$work/go" "$work/go.here"
    run "$1" "$model" 3 "$work/go" > "$work/printed" 2> "$work/err" &
    model_runs=$!
  }
  begin_to_stop_at() { # on how many processes, and before the server creates which file, by its begin
    echo "$2" > "$work/stops_at"
    begin "$1"
    model_is_there
    touch "$work/go"
    for _ in $(seq 600); do
      [ -e "$work/stops_at" ] || return 0
      sleep 0.1
    done
    fail "the server was never asked for $2"
  }
  # The model goes on while the server is stopped. Its process may end only later: the system closes its files.
  ends() { # CODE LINE...: of cpl_lb_terminate; the only lines
    for _ in $(seq 300); do
      ! grep -q '^terminate ' "$work/printed" || break
      sleep 0.1
    done
    grep -q "^terminate $1\$" "$work/printed" || fail "cpl_lb_terminate did not return $1"
    shift
    [ "$(lines "$work/err")" = $# ] || fail "so many lines are not said: $#"
    for line; do
      grep -q "^cpl_lb: $line" "$work/err" || fail "it does not say: $line"
    done
  }
  goes_on() {
    kill -CONT "$server"
    wait "$model_runs" || fail "the run failed"
  }
  kill -STOP "$server"
  begin 2
  model_is_there
  touch "$work/go"
  ends -6 "the folder for results $out has not answered for 6 s: the run goes on, and whether another run uses the folder" \
    "$out: the folder has not answered for 3 s: no results are written"
  goes_on

  begin 2
  model_is_there
  kill -STOP "$server"
  touch "$work/go"
  ends -6 "$out: the folder has not answered for 3 s: no results are written"
  goes_on

  export CPL_LB_TIMELINE=0 CPL_LB_REPORT=0
  begin_to_stop_at 2 .load_balancing_info.txt
  ends -6 "$out/load_balancing_info.txt: the folder has not answered for 6 s: neither it nor what comes after it is written"
  goes_on

  unset CPL_LB_TIMELINE CPL_LB_REPORT
  # In each component the first process waits for the server, and the second one for the first.
  begin_to_stop_at 4 .timeline_ocean
  for _ in $(seq 300); do
    ! grep -q 'process [13]: another process stopped answering in cpl_lb_terminate' "$work/err" || break
    sleep 0.1
  done
  grep -q 'process [13]: another process stopped answering in cpl_lb_terminate' "$work/err" || fail "who waits does not say so"
  ! grep -q '^terminate' "$work/printed" || fail "the server was not waited for"
  goes_on
  grep -q '^terminate -6$' "$work/printed" || fail "cpl_lb_terminate did not return -6"
  grep -q "^cpl_lb: process 0: its files in the folder $out took .* s in cpl_lb_terminate, and the others did not wait so long" \
    "$work/err" || fail "it does not say what it waited for"
  ! grep -q MPI "$work/err" || fail "MPI is blamed"
}

"case_$case"
echo "folders $case: good"
