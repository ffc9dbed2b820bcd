"""The figures of coupled_settings.sh: coupled_settings.py FOLDER..., one for each setting. Counts by hand, of 12 steps.

All of it holds on any machine, however busy: events are counted, and processes sleep late, never early. A recorded lag
may be smaller than the real one if nobody waited (docs/definitions.md), but the mappings of what came are as many.
"""
import json
import pathlib
import re
import subprocess
import sys

KINDS = {1: "PUT", 2: "GET", 3: "MAP", 4: "OUT", 6: "RST"}
# The ocean sends SST and, after each fourth step, its output, as four fields; it receives QNET and TAUX.
OCEAN = {"PUT": 12 + 3, "GET": 12 + 12, "MAP": 12 + 12, "OUT": 3 * 4, "RST": 2}
ATMOSPHERE = {"PUT": 12 + 12 + 3, "GET": 12, "MAP": 12, "OUT": 3 * 3, "RST": 2}
# A lag: as many GETs, but the first ones have nothing to map. A period: fewer of all.
EVENTS = {
    "base": ({}, {}),
    "lag": ({"MAP": 11 + 12}, {}),
    "far": ({"MAP": 9 + 12}, {"MAP": 10}),
    "every": ({"PUT": 6 + 3, "GET": 12 + 4, "MAP": 12 + 4}, {"PUT": 12 + 4 + 3, "GET": 6, "MAP": 6}),
    "both": ({"GET": 6 + 12, "MAP": 5 + 12}, {"PUT": 6 + 12 + 3}),
    "faster": ({}, {}),
    "region": ({}, {}),
    "quiet": ({"PUT": 12, "OUT": 0, "RST": 0}, {"PUT": 12 + 12, "OUT": 0, "RST": 0}),
}
LAGS = {"lag": {"QNET": 1}, "far": {"QNET": 3, "SST": 2}, "both": {"QNET": 1}}
EXCHANGES = {"every": {"SST": 6, "TAUX": 4}, "both": {"QNET": 6}}
# Seconds of sleep of a process of the atmosphere in a step, in its dynamics and its physics; else 0.04 s in both.
SLEEPS_S = {"faster": (0.02, 0.02), "region": (0.01, 0.04)}


def check(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def events(timeline):
    text = subprocess.run(["ncdump", "-v", "kind", timeline], capture_output=True, text=True, check=True).stdout
    kinds = [int(k) for k in re.search(r"^ kind = ([^;]*);", text, re.M).group(1).split(",")]
    return {name: kinds.count(kind) for kind, name in KINDS.items()}


def check_exchanges(name, folder):
    exchanges = {x["field"]: x for x in json.loads((folder / "predicted.json").read_text())["exchanges"]}
    for field in ("SST", "QNET", "TAUX"):
        x, most = exchanges[field], LAGS.get(name, {}).get(field, 0)
        check(0 <= x["lag"] <= most, f"{name}: {field} has a lag of {x['lag']} of {most}")
        times = EXCHANGES.get(name, {}).get(field, 12)
        check(x["matched"] == times - x["lag"], f"{name}: {field} {x['matched']} times, lag {x['lag']}")
    check(("output" in exchanges) == (name != "quiet"), f"{name}: output to the I/O server")


# Dynamics, physics: the step and process that the machine disturbed least.
def regions(folder):
    run = json.loads((folder / "load_balancing_info.json").read_text())
    atmosphere, = (c for c in run["components"] if c["name"] == "atmosphere")
    return [min(r["steps"]["min_s"]) for r in sorted(atmosphere["regions"], key=lambda r: r["name"])]


def main():
    for folder in map(pathlib.Path, sys.argv[1:]):
        name = folder.name
        for component, usual, other in (("ocean", OCEAN, EVENTS[name][0]), ("atmosphere", ATMOSPHERE, EVENTS[name][1])):
            found = events(folder / f"timeline_{component}.nc")
            check(found == {**usual, **other}, f"{name}: {component} has {found}, not {({**usual, **other})}")
        check_exchanges(name, folder)
        for found, sleep in zip(regions(folder), SLEEPS_S.get(name, (0.04, 0.04)), strict=True):
            check(sleep <= found < 1.5 * sleep + 0.005, f"{name}: {found} s in a region that sleeps {sleep} s")
    print("lag, period, speed and output are as they were set")


main()
