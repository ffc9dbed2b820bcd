"""The figures of coupled_imbalance.sh: coupled_imbalance.py ALWAYS NOW_AND_THEN, folders with told.json and again.json.

Process 1 of the atmosphere sleeps 0.12 s longer, in each step or in one of four. Other delays are those of the machine:
they change which part is how long, but not what the sleeps are worth, as long as others are not late by as much.
"""
import json
import math
import pathlib
import statistics
import sys

LATE_S = 0.12
STEPS = 24  # of 26 in the loop
PARTS = ("processes_s", "nodes_s", "random_s")


def check(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def atmosphere(folder, name):
    info = json.loads((pathlib.Path(folder) / name).read_text())
    component, = (c for c in info["components"] if c["name"] == "atmosphere")
    parts = component["imbalance_parts"]
    check(parts["why_missing"] is None, parts["why_missing"])
    told = sum(parts[p] or 0 for p in PARTS)
    check(math.isclose(told, component["imbalance_s"], abs_tol=1e-9), f"{told} and {component['imbalance_s']}")
    return component, parts


def expect_always(folder, name):
    component, parts = atmosphere(folder, name)
    if name == "told.json":  # timelines do not have them
        expect_region(component, STEPS, folder)
    last = parts["last"][0]
    check(last["process"] == 1, f"process {last['process']} is last")
    # A busy machine makes others late now and then; then process 1 is late by less, and never by much more.
    check(0.5 * STEPS * LATE_S < parts["processes_s"] < 1.2 * STEPS * LATE_S, f"{folder}: {parts}")
    check(parts["processes_s"] > parts["random_s"], f"{folder}: {parts}")
    check(0.5 * LATE_S * 2 / 3 < last["late_s"] < 1.5 * LATE_S * 2 / 3, f"{last['late_s']} s later than the mean of three")


# The lateness is in this region. Process 1 is the slowest in the steps in which it is late.
def expect_region(component, late_steps, where):
    physics, = (r for r in component["regions"] if r["name"] == "atmosphere physics")
    steps = physics["steps"]
    check(len(steps["max_s"]) == STEPS, f"{where}: {len(steps['max_s'])} steps")
    late = [most - mean > 0.4 * LATE_S and slowest == 1  # of three: 2/3 of it if the others are on time
            for most, mean, slowest in zip(steps["max_s"], steps["mean_s"], steps["slowest_process"])]
    check(0.7 * late_steps <= sum(late) <= late_steps + 2, f"{where}: process 1 is late in {sum(late)} steps")
    # Those on time work as long in these steps as in others, although the steps are ten times as long.
    of_late = [least for least, is_late in zip(steps["min_s"], late) if is_late]
    of_others = [least for least, is_late in zip(steps["min_s"], late) if not is_late]
    if of_others:
        check(statistics.median(of_late) < 3 * statistics.median(of_others), f"{where}: {of_late} and {of_others}")
    in_all = sum(steps["mean_s"])
    check(0.7 * physics["mean_s"] < in_all < physics["mean_s"], f"{where}: {in_all} s of {physics['mean_s']} s")


def expect_now_and_then(folder, name):
    component, parts = atmosphere(folder, name)
    if name == "told.json":
        expect_region(component, STEPS / 4, folder)
    check(parts["random_s"] > 0.5 * STEPS / 4 * LATE_S, f"{folder}: {parts}")
    check(parts["processes_s"] < parts["random_s"], f"{folder}: {parts}")
    check(parts["stalls"]["steps"] * 10 <= STEPS, f"{folder}: one in four steps are no stalls: {parts}")


for file in ("told.json", "again.json"):
    expect_always(sys.argv[1], file)
    expect_now_and_then(sys.argv[2], file)
text = (pathlib.Path(sys.argv[1]) / "load_balancing_info.txt").read_text().replace("\n", " ")
check("Inside atmosphere, processes spend " in text and " waiting for each other" in text, "the verdict does not tell")
print("the imbalance is told as it was made")
