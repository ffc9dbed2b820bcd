"""What is hard to tell of waits and their names, by events, names of fields, calls inside and the program's own clock (waits.c)."""
import os
import re
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, listener = sys.argv[1:5]


def run(case, processes=2):
    """What was said, names of fields, component b, and what the listener of rank 1 heard: (kind, class) and how often."""
    ranks = f"a:0,b:1-{processes - 1}"
    with tempfile.TemporaryDirectory() as where:
        heard = os.path.join(where, "heard")
        words = [(processes, ["env", "LD_PRELOAD=" + listener, record, "--components", ranks, os.path.join(folder, "waits"), case])]
        said, summary, code = recorded.launch(mpiexec, words, {"LISTENER_FILE": heard})
        check(code == 0 and summary is not None, f"{case}: ends well: {said[-300:] if code else ''}")
        lines = [line.split() for line in open(heard + ".1")]
        counts = {(w[0], w[1]): float(w[2]) if w[0] == "seconds" else int(w[2]) for w in lines if len(w) == 3}
        return said, list(summary["field_names"]), by_name(summary)["b"], counts


def own_clock(said):
    return float(re.search(r"waited ([0-9.]+)", said)[1])


# A communicator with the same tag has no new field, however many there are.
_, fields, _, _ = run("communicators")
check("tag 7" in fields and not any("other tags" in f for f in fields), f"communicators: {len(fields)} fields")

# 1500 names and that of MPI_COMM_WORLD, of which 1000 are kept; the rest counts as having none.
_, fields, _, _ = run("named_communicators")
named = [f for f in fields if f.startswith("step ") and f.endswith(" collective")]
check(len(named) in (999, 1000) and "collective" in fields, f"named communicators: {len(named)} of {len(fields)} fields")

# 1501 tags, of which a process names 1000, and the rest shares one. A tag that has its name keeps it.
_, fields, b, counts = run("tags")
check("MPI_COMM_WORLD other tags" in fields and sum(f.startswith("MPI_COMM_WORLD tag ") for f in fields) in (998, 999, 1000),
      f"tags: {len(fields)} fields, of {sum(f.startswith('MPI_COMM_WORLD tag ') for f in fields)} tags")
check("other tags" not in fields, "tags: no field of the other communicator")

_, fields, _, _ = run("named_late")
check("surface tag 7" in fields and "tag 7" not in fields, f"named late: {fields}")

# Irecv, and each poll that did not succeed, because 20 ms of work are between two. With 0.5 ms a busy machine joined them: a
# poll that had lost its processor for 5 ms was a wait which such a gap does not end.
said, _, _, counts = run("abandoned")
polls = int(re.search(r"polls (\d+)", said)[1])
check(polls > 2 and counts["inside", "0"] == polls + 1, f"abandoned: {counts['inside', '0']} calls inside, {polls} polls and 1")

# A probe and the receive that follows it are one GET; another call between them, and they are two.
for case, processes, gets in (("between", 3, 1), ("different_requests", 2, 2), ("interrupted", 2, 1), ("probed", 2, 1),
                              ("probed_before_another", 2, 2)):
    said, fields, _, counts = run(case, processes)
    check(counts["span", "2"] == gets, f"{case}: {counts['span', '2']} GETs")
    check(("MPI_COMM_WORLD tag 7 #2" in fields) == (case == "probed_before_another"), f"{case}: {fields}")
    got, wanted = counts["seconds", "2"], own_clock(said) # of rank 1
    # Joined, the waits were 0.2 s longer.
    check(abs(got - wanted) < 0.09, f"{case}: waits {got} s, by its own clock {wanted} s")

# Three receives were cancelled, of which nothing came; then two messages. Inside: 3 of Irecv, Recv_init, 2 of Start, 3 of
# Cancel, Request_free, and what completed the cancelled ones, of which one may ask more than once.
_, _, _, counts = run("cancelled")
check(counts.get(("span", "2")) == 2 and counts["inside", "0"] >= 13, f"cancelled: {counts}")
# The message was there before: it and the one after it.
_, _, _, counts = run("cancelled_late")
check(counts.get(("span", "2")) == 2, f"cancelled late: {counts}")
# A receive that ended with an error, and requests of the program's own with its handle.
said, _, _, counts = run("stale")
check("no error" not in said and ("span", "2") not in counts, f"stale, its handle {'came' if 'again' in said else 'did not come'} again: {counts}")

recorded.end()
