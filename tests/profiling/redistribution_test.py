"""A field of several processes is one exchange a step on each side (redistribution.c), by the events of each process."""
import collections
import csv
import os
import subprocess
import sys
import tempfile

from recorded import check, end

mpiexec, record, folder, command = sys.argv[1:5]

# By hand, of five steps. The second message of a step, in a call of its own, is the second part of the exchange; in the same
# call it is nothing. One call starts both persistent sends. Last parts of tags 3 and 5: Waitall, the end of sends.
of_a = {("PUT", "tag 1"): 5, ("PUT", "tag 2"): 5, ("GET", "tag 3"): 5, ("GET", "tag 5"): 5}
by_hand = {
    "0": {**of_a, ("PUT", "tag 4"): 10},
    "1": of_a,
    "2": {("GET", "tag 1"): 5, ("GET", "tag 2"): 5, ("GET", "tag 2 #2"): 5,
          ("PUT", "tag 3"): 5, ("PUT", "tag 3 #2"): 5, ("PUT", "tag 3 #3"): 5, ("GET", "tag 4"): 10, ("PUT", "tag 5"): 5,
          ("PUT", "tag 5 #2"): 5},
}

with tempfile.TemporaryDirectory() as where:
    def run(words):
        done = subprocess.run(words, cwd=where, env={**os.environ, "CPL_LB_ENERGY": "false"}, capture_output=True, text=True,
                              timeout=100)
        check(done.returncode == 0, f"{words[0]}: {(done.stdout + done.stderr)[-300:] if done.returncode else 'ends well'}")

    run([mpiexec, "-n", "3", record, "--components", "a:0-1,b:2", os.path.join(folder, "redistribution")])
    run([command, "export", "--to", "csv", "-o", "events.csv", "."])
    counts = collections.defaultdict(collections.Counter)
    for event in csv.DictReader(open(os.path.join(where, "events.csv"))):
        if event["kind"] in ("PUT", "GET"):
            counts[event["rank"]][event["kind"], event["field"].replace("MPI_COMM_WORLD ", "")] += 1
for rank, expected in by_hand.items():
    check(dict(counts[rank]) == expected, f"rank {rank}: {dict(counts[rank])}, by hand {expected}")
end()
