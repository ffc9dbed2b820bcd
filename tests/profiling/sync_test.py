"""Collective operations over three components, recorded by cpl-lb-record. Oracles: who comes when (sleeps, three_models.c),
and the time in the operations by each program's own clock ("0 waited SECONDS for 1")."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

from recorded import check, end, job, summary_in

mpiexec, record, folder, command = sys.argv[1:5]
names = ("ocean", "atmosphere", "ice")
program = os.path.join(folder, "three_models")


def run(way, where, die=(), processes=1):
    options = ["--spool"] if die else []
    programs = [(processes, [record, "--component", name, *options, program, str(i), way, *die])
                for i, name in enumerate(names)]
    done = subprocess.run(job(mpiexec, programs), cwd=where, capture_output=True, text=True, timeout=100,
                          env={**os.environ, "CPL_LB_ENERGY": "false", "CPL_LB_SPOOL_DIR": where})
    waited = {(names[int(a)], names[int(b)]): float(s)
              for a, s, b in re.findall(r"^(\d) waited ([0-9.]+) for (\d)$", done.stdout, re.M)}
    good = (done.returncode == 0) == (not die) and len(waited) == 9
    check(good, f"{way}: ends as it should: {'' if good else (done.stdout + done.stderr)[-300:]}")
    return waited


def waits(summary):
    return {(c["name"], other): w for c in summary["components"] for other, w in c["waiting_for"].items()}


def compare(what, got, waited, pairs, tolerance=0.01):
    """pairs: who waits for whom, and how long by the sleeps. What the last one spends in an operation counts for the last of
    the others: next to nothing, unless another program takes its processor."""
    for pair, slept in pairs.items():
        w = got.get(pair, {"get_s": 0, "put_s": 0})
        clock, last = waited[pair], waited[pair[0], pair[0]]
        # The program may lose its processor between its own look at the clock and the library's: a turn of the others
        # is some 4 ms, once in each operation of 0.15 s. Somebody who is blamed wrongly costs 0.15 s.
        turns = 0.004 * slept / 0.15
        good = (1 - tolerance) * clock - turns <= w["get_s"] <= (1 + tolerance) * clock + last + turns
        check(good and w["put_s"] == 0 and w.get("sync_s") == w["get_s"],
              f"{what}: {pair[0]} waits {w} for {pair[1]}, by its own clock {clock}, by the sleeps {slept}")
        check(clock > 0.5 * slept, f"{what}: the program waited {clock} of {slept} s")
    others = sum(w["get_s"] + w["put_s"] for pair, w in got.items() if pair not in pairs)
    check(others < 0.02 * sum(pairs.values()), f"{what}: all other waiting {others} s")


# Steps 1 to 9 count, the late one of step s is s % 3: three times each; it comes 0.15 s after the others.
barrier = {(a, b): 3 * 0.15 for a in names for b in names if a != b}
# The root, ocean, comes after 0.1 s, and ice when it is all over: nobody waits for ice.
bcast = {("atmosphere", "ocean"): 9 * 0.1}
# Only the root, ocean, waits, from 0 to the last of the others, ice, after 0.15 s.
gather = {("ocean", "ice"): 9 * 0.15}

for way, pairs in (("barrier", barrier), ("bcast", bcast), ("gather", gather)):
    with tempfile.TemporaryDirectory() as where:
        waited = run(way, where)
        summary = summary_in(where)
        if summary is None:
            check(False, f"{way}: a summary")
            continue
        compare(way, waits(summary), waited, pairs)
        check(summary["clock"]["order_violations"] == 0, f"{way}: no order violations")
        # 11 operations of each; TERM; and two messages at the begin.
        check([c["events"] for c in summary["components"]] == [11 + 1 + 2, 11 + 1 + 1, 11 + 1 + 1], f"{way}: events")
        again = subprocess.run([command, "summary", where, "--json"], capture_output=True, text=True)
        check(again.returncode == 0 and waits(json.loads(again.stdout)) == waits(summary),
              f"{way}: read back: {again.stderr}")
        if way != "barrier":
            continue
        table = os.path.join(where, "events.csv")
        out = subprocess.run([command, "export", where, "--to", "csv", "-o", table], capture_output=True, text=True)
        rows = list(csv.DictReader(open(table))) if out.returncode == 0 else []
        late = [r["counterpart"] for r in rows if r["kind"] == "SYNC" and r["component"] == "ice"]
        # Step s: s % 3 is late, and for the late one itself another.
        check(len(late) == 11 and all(late[s] == names[s % 3] for s in range(11) if s % 3 != 2), f"export: {late} {out.stderr}")
        trace = os.path.join(where, "trace.json")
        subprocess.run([command, "export", where, "--to", "perfetto", "-o", trace], check=True)
        # From the late one to both others in each of 11 steps, and the two messages at the begin.
        arrows = open(trace).read().count('"ph":"s"')
        check(arrows == 11 * 2 + 2, f"arrows: {arrows}")
        text = open(os.path.join(where, "load_balancing_info.txt")).read()
        check("in SYNC" in text, "the text names SYNC")

# Two processes each, whose events differ: one process alone sent the messages at the begin. Not with MPICH, where six
# that wait take the processors from those that do not.
if "mpich" not in os.path.basename(mpiexec):
    with tempfile.TemporaryDirectory() as where:
        waited = run("barrier", where, processes=2)
        compare("two processes each", waits(summary_in(where)), waited, barrier, 0.1)

# The same after a crash: the spools alone.
with tempfile.TemporaryDirectory() as where:
    waited = run("barrier", where, ["die"])
    found = os.path.join(where, "recovered")
    done = subprocess.run([command, "recover", where, "-o", found], capture_output=True, text=True)
    check(done.returncode == 0, f"recover: {done.stderr}")
    compare("recovered", waits(summary_in(found)), waited, barrier)

end()
