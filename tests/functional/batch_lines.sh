#!/bin/bash
# The lines for job scripts in docs/cluster.md, as they stand there, on two folders that play the nodes: a model that
# dies, a time limit, a node without files, a clean end. What they bring home is whole: cpl-lb recover takes it.
# Usage: batch_lines.sh PAGE COMMAND SPOOL_SCENARIOS MPIEXEC
set -u
page=$1 command=$2 scenarios=$3 mpiexec=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "FAILED: $*" >&2; exit 1; }
export WORK=$work

# The run that dies: 4 processes, two of the ocean and two of the atmosphere.
mkdir left bin
(cd left && CPL_LB_ENABLED=1 CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=. $mpiexec 4 "$scenarios" kill_all > ../model.out 2>&1)
[ "$(ls left/*.spool | wc -l)" = 4 ] || { cat model.out; fail "the run left no spool files"; }

# Each node sees its own /dev/shm.
cat > bin/on_node <<'END'
#!/bin/bash
node=$1
shift
exec "${@//\/dev\/shm/$WORK/$node}"
END
cat > bin/srun <<'END'
#!/bin/bash
[ "$1" != ./coupled_model ] || exec "$@"
[ "$1 $2 $3" = "--overlap --ntasks=2 --ntasks-per-node=1" ] || { echo "srun: not one task on each node: $*"; exit 1; }
for node in node1 node2; do on_node $node "${@:4}" || exit 1; done
END
cat > bin/pbsdsh <<'END'
#!/bin/bash
[ "$1 $2 $4" = "-o -h --" ] || { echo "pbsdsh: unknown: $*"; exit 1; }
exec on_node "$3" "${@:5}"
END
cat > bin/mpirun <<'END'
#!/bin/bash
exec "$@"
END
# What the model leaves on its nodes and how it ends: FATE is its exit status, or "runs" until somebody ends it.
cat > coupled_model <<'END'
#!/bin/bash
cp left/*_0.spool left/*_1.spool node1/
[ "$FILES" = one_node ] || cp left/*_2.spool left/*_3.spool node2/
: > running
[ "$FATE" = runs ] && exec sleep 30
[ "$FATE" = 0 ] && rm node1/* node2/*   # as the library does at a clean end
exit "$FATE"
END
chmod +x bin/* coupled_model
export PATH=$work/bin:$PATH SLURM_SUBMIT_DIR="$work/my job" SLURM_NNODES=2 PBS_O_WORKDIR="$work/my job" PBS_NODEFILE=$work/nodes
printf 'node1\nnode1\nnode2\nnode2\n' > nodes

# job SYSTEM FATE FILES: the page's block that mentions SYSTEM, as a job script.
job() {
  rm -rf node1 node2 "my job" running
  mkdir node1 node2 "my job"
  awk -v word="$1" '/^```bash$/ { inside = 1; text = ""; next } /^```$/ && inside { if (text ~ word) print text; inside = 0 }
                    inside { text = text $0 "\n" }' "$page" > job.sh
  grep -q "$1" job.sh || fail "no lines with $1 in $page"
  FATE=$2 FILES=$3 bash job.sh > job.out 2>&1 &
  local script=$! tries=0
  until [ -e running ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ $tries -lt 500 ] || fail "$1: the model did not start"
  done
  [ "$2" != runs ] || kill -TERM $script
  wait $script
  status=$?
  [ ! -s job.out ] || [ "$2" = runs ] || { cat job.out; fail "$*: the job script said something"; }
}

# home FILES PROCESSES: so many files came home, none is left on a node, and recover makes results of them.
home() {
  [ "$(ls "my job/spool" | wc -l)" = "$1" ] || { cat job.out; ls -R; fail "$system: $1 files expected at home"; }
  [ -z "$(ls node1 node2 | grep spool)" ] || { ls -R; fail "$system: files are left on the nodes"; }
  "$command" recover "my job/spool" -o results > recovered 2>&1 || { cat recovered; fail "$system: recover"; }
  grep -q "$1 of 4 processes" recovered || { cat recovered; fail "$system: $1 of 4 processes expected"; }
  rm -rf results
}

for system in srun pbsdsh; do
  job $system 9 two_nodes
  [ $status = 9 ] || fail "$system: exit status $status, the model's was 9"
  home 4
  job $system 9 one_node
  home 2
  job $system runs two_nodes
  [ $status = 1 ] || { cat job.out; fail "$system: exit status $status after the time limit"; }
  home 4
  job $system 0 two_nodes
  [ $status = 0 ] && [ ! -e "my job/spool" ] || fail "$system: a clean end, exit status $status"
done
echo "the lines bring the files home"
