"""The predictions of coupled_predict.sh: coupled_predict.py STEPS OCEAN ATMOSPHERE SPLIT..., where OCEAN and ATMOSPHERE are
"k a": a step sleeps a / p + k seconds on p processes. Files as the script writes them: SPLIT/measured, one, serial, two.

All of it holds on any machine, however busy: processes sleep late, never early, and a prediction is worked out from
figures of the run that it is made of.
"""
import json
import math
import pathlib
import re
import sys


def check(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def answer(split, name):
    return json.loads(pathlib.Path(split, name).read_text(encoding="utf-8"))


def sleep_s(load, processes):
    constant, shared = load
    return shared / processes + constant


def check_measured(split, loads, steps):
    """A cycle has a sleep of each component. Its begin may be late in one component, so the shorter one bounds it."""
    run, counts = answer(split, "measured"), [int(p) for p in split.split(",")]
    cycle_s = run["cycle"]["measured_mean_s"]
    least = min(sleep_s(load, p) for load, p in zip(loads, counts))
    check(cycle_s >= 0.999 * least, f"{split}: cycles of {cycle_s} s, and sleeps of {least}")
    check(run["predicted_s"] is None, f"{split}: nothing is predicted without other counts")
    for exchange in run["exchanges"]:
        check((exchange["matched"], exchange["lag"], exchange["in_cycle"]) == (steps, 0, 1), f"{split}: {exchange}")
    check([e["field"] for e in run["exchanges"]] == ["QNET", "TAUX", "SST"], f"{split}: three exchanges")
    for c, p in zip(run["components"], counts):
        check(c["processes"] == p, f"{split}: processes of {c['name']}")
        check(math.isclose(c["computing_s"] + c["waiting_s"], run["measured_s"], rel_tol=1e-9),
              f"{split}: computing and waiting of {c['name']} are the common loop")
    check(math.isclose(run["alpha"] * run["model_s"], run["measured_s"], rel_tol=1e-9), f"{split}: alpha")
    return cycle_s


def check_predictions(split, counts, cycle_s):
    """From a run with 2 and 2: each share of its cycle becomes shorter, the least by nothing and the most by `shrunk`."""
    one, serial, two = (answer(split, name) for name in ("one", "serial", "two"))
    shrunk = min(2 / p for p in counts)
    told = one["cycle_mean_s"]
    check(0.999 * shrunk * cycle_s <= told <= 1.001 * cycle_s, f"{split}: {told} s by ideal scaling of {cycle_s}")
    check(one["ideal_scaling"] == ["ocean", "atmosphere"] and one["uncertainty_s"] is None, f"{split}: it is a bound")
    # 0.25 of the ocean and 0.1 of the atmosphere do not shrink.
    shrunk_least = min(part + (1 - part) * 2 / p for part, p in zip((0.25, 0.1), counts))
    with_serial = serial["cycle_mean_s"]
    check(0.999 * shrunk_least * cycle_s <= with_serial <= 1.001 * cycle_s, f"{split}: {with_serial} s with --serial")
    check(with_serial >= 0.999 * told, f"{split}: {with_serial} s with --serial, {told} without")
    check(two["ideal_scaling"] == [] and two["extrapolated"] == [], f"{split}: two runs around it need no assumption")
    check(two["predicted_least_s"] <= two["predicted_s"] <= two["predicted_most_s"], f"{split}: range of the prediction")


def main():
    steps, ocean, atmosphere, *splits = sys.argv[1:]
    loads = [[float(x) for x in load.split()] for load in (ocean, atmosphere)]
    cycle_s = {split: check_measured(split, loads, int(steps)) for split in ("2,2", "8,8", *splits)}
    for split in splits:
        check_predictions(split, [int(p) for p in split.split(",")], cycle_s["2,2"])
    itself = answer("2,2", "itself")["cycle_mean_s"]
    check(math.isclose(itself, cycle_s["2,2"], rel_tol=1e-9), f"with the run's own counts {itself}, not {cycle_s['2,2']}")
    text = pathlib.Path("2,2", "text").read_text(encoding="utf-8")
    said = re.search(r"^Coupling cycle: ([\d.]+) s on average", text, re.M)
    check(said and abs(float(said[1]) - cycle_s["2,2"]) <= 0.00051, f"the text's cycle: {said and said[1]}")
    print("predictions agree with the runs that they are made of")


if __name__ == "__main__":
    main()
