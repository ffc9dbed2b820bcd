"""Where every core hour goes: efficiencies of a program whose useful time, imbalance and late sender are known. The second
method: begin and end of each call by the program's own clock (core_hours.c), so that a busy machine changes both alike."""
import json
import os
import re
import subprocess
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder = sys.argv[1:4]
command = sys.argv[4] if len(sys.argv) > 4 else None
program = os.path.join(folder, "core_hours")
classes = ("point_to_point", "collective")


def run(where, programs):
    said, _, code = recorded.launch(mpiexec, programs, {"CPL_LB_DIR": where, "CPL_LB_PRINT": "false", "CPL_LB_REPORT": "false"})
    calls = {}
    for name, process, what, begin, end in re.findall(r"^call (\w+) (\d) (\w+) (\S+) (\S+)$", said, re.M):
        calls.setdefault(name, {}).setdefault(int(process), []).append((what, float(begin), float(end)))
    return said, code, recorded.summary_in(where), calls


def within(calls, what, first, last):
    return sum(max(0, min(end, last) - max(begin, first)) for of, begin, end in calls if of in what)


def by_hand(processes):
    """Of one component. Its exchanges follow each other, so their waiting is a sum; mean and largest of two processes."""
    exchanges = [[c for c in calls if c[0] == "exchange"] for calls in processes.values()]
    latest = [(max(b for _, b, _ in k), max(e for _, _, e in k)) for k in zip(*exchanges)]
    first, last = latest[1][0], latest[-1][0]
    loop = last - first
    computing = loop - within([("exchange", s, e) for s, e in latest], ("exchange",), first, last)
    useful = [loop - within(calls, ("exchange",) + classes, first, last) for calls in processes.values()]
    mean, most = sum(useful) / 2, max(useful)
    seconds = {c: sum(within(calls, (c,), first, last) for calls in processes.values()) / 2 for c in classes}
    return {"loop": loop, "computing": computing, "useful": mean, "seconds": seconds,
            "efficiency": {"total": mean / loop, "coupling": computing / loop, "inside": mean / computing,
                           "load_balance": mean / most, "communication": most / computing}}


def near(got, wanted, what):
    check(got is not None and abs(got - wanted) <= 0.01, f"{what}: {got}, by hand {wanted:.4f}")


def products(c, what):
    e = c["efficiency"]
    if e["total"] is not None:
        check(abs(e["coupling"] * e["inside"] / e["total"] - 1) < 1e-9, f"{what}: total is the product")
    check(abs(e["load_balance"] * e["communication"] / e["inside"] - 1) < 1e-9, f"{what}: inside is the product")


with tempfile.TemporaryDirectory() as where:
    said, code, summary, calls = run(where, [(2, [record, "--component", role, program, role])
                                             for role in ("ocean", "atmosphere")])
    check(code == 0 and summary is not None, f"ends well: {said[-300:]}")
    if summary is None:
        recorded.end()
    c = by_name(summary)
    hands = {name: by_hand(calls[name]) for name in ("ocean", "atmosphere")}
    for name, hand in hands.items():
        for figure, wanted in hand["efficiency"].items():
            near(c[name]["efficiency"][figure], wanted, f"{name} {figure}")
        for of, wanted in hand["seconds"].items():
            near(c[name]["mpi"][of + "_s"] / hand["loop"], wanted / hand["loop"], f"{name} share of {of}")
        # On 2 processes: the ocean's 8 messages and 8 sums, a barrier, and MPI_Comm_split and MPI_Comm_free, which may count.
        counted = {of: c[name]["mpi"][of]["calls"] for of in classes}
        least = {"point_to_point": 16, "collective": 18} if name == "ocean" else {"point_to_point": 0, "collective": 2}
        check(counted["point_to_point"] == least["point_to_point"], f"{name}: calls point to point: {counted}")
        check(least["collective"] <= counted["collective"] <= least["collective"] + 4, f"{name}: collective calls: {counted}")
        products(c[name], name)
    # Cores: 2 and 2.
    e = summary["run"]["efficiency"]
    total = {f: sum(2 * hand[f] for hand in hands.values()) for f in ("loop", "computing", "useful")}
    near(e["total"], total["useful"] / total["loop"], "run total")
    near(e["coupling"], total["computing"] / total["loop"], "run coupling")
    near(e["inside"], total["useful"] / total["computing"], "run inside")
    # In round numbers: of 0.13 s the ocean's first process is useful for 0.05, its second for 0.13; nobody keeps it waiting.
    check(0.4 < c["ocean"]["efficiency"]["total"] < 0.95 and c["ocean"]["efficiency"]["coupling"] > 0.8, "ocean as it was made")
    check(c["atmosphere"]["efficiency"]["coupling"] < 0.8, "atmosphere waits")
    text = open(os.path.join(where, "load_balancing_info.txt")).read()
    check("Where every core hour goes" in text and "All cores" in text and "collective" in text, "text")
    if command:
        again = json.loads(subprocess.run([command, "summary", "--json", where], capture_output=True, text=True, check=True).stdout)
        for name, was in c.items():
            now = by_name(again)[name]
            check(now["mpi"] == was["mpi"], f"{name}: mpi comes back from the folder")
            for figure, value in was["efficiency"].items():
                check(abs(now["efficiency"][figure] - value) < 1e-6, f"{name}: {figure} comes back from the folder")

# One component: nothing is coupled, and its figure for inside is of the whole run.
with tempfile.TemporaryDirectory() as where:
    said, code, summary, calls = run(where, [(2, [record, program, "alone"])])
    c = summary["components"][0]
    check(c["efficiency"]["total"] is None and c["efficiency"]["coupling"] is None, "alone: nothing is coupled")
    check(c["mpi"]["of_whole_run"] and c["mpi"]["length_s"] == c["wall_s"], "alone: of the whole run")
    products(c, "alone")
    for of in classes:
        wanted = sum(end - begin for process in calls["alone"].values() for what, begin, end in process if what == of) / 2
        near(c["mpi"][of + "_s"] / c["wall_s"], wanted / c["wall_s"], f"alone: share of {of}")
    text = open(os.path.join(where, "load_balancing_info.txt")).read()
    check("has no coupling loop: its figure for inside is of the whole run" in " ".join(text.split()), "alone: the text says so")
recorded.end()
