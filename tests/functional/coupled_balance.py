"""The figures of coupled_balance.sh: coupled_balance.py FOLDER AGAIN, where AGAIN is what `cpl-lb summary --json` made of
the timelines in FOLDER.

All of it holds on any machine, however busy: processes sleep late, never early, and the sums are those of one run.
"""
import json
import math
import pathlib
import re
import sys

STEPS = 8  # of 10: the loop has neither the first nor the last
SLEEP_S = {"ocean": 0.1, "atmosphere": 0.3}


def check(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def same(a, b, what):
    check(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9), f"{what}: {a} and {b}")


def check_sleeps(component):
    name, sleeps = component["name"], STEPS * SLEEP_S[component["name"]]
    check(component["steps"]["count"] == STEPS, f"{name}: {component['steps']['count']} steps")
    check(component["computing_s"] >= sleeps, f"{name} computes {component['computing_s']} s, and sleeps {sleeps}")


def check_sums(component):
    name = component["name"]
    same(component["computing_s"] + component["waiting_s"], component["loop_s"], f"{name}: computing, waiting, loop")
    waits = component["waiting_for"].values()
    same(sum(w["get_s"] + w["put_s"] for w in waits), component["waiting_s"], f"{name}: waiting, by counterpart")
    same(component["waiting_s"] / component["loop_s"], component["coupling_cost"], f"{name}: coupling cost")


def check_text(text, component):
    found = re.search(rf"^{component['name']} +/ ([\d.]+) / ([\d.]+)$", text, re.M)
    check(found, f"{component['name']} is not in the text")
    for word, figure in zip(found.groups(), ("computing_s", "waiting_s")):
        # Three decimals, or more of a small figure.
        check(abs(float(word) - component[figure]) <= 0.00051, f"{component['name']}: {word} and {component[figure]}")


def main():
    folder = pathlib.Path(sys.argv[1])
    run = json.loads((folder / "load_balancing_info.json").read_text(encoding="utf-8"))
    again = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    text = (folder / "load_balancing_info.txt").read_text(encoding="utf-8")
    components = {c["name"]: c for c in run["components"]}
    check({name: c["processes"] for name, c in components.items()} == {"ocean": 2, "atmosphere": 2, "ioserver": 1},
          "components and their processes")
    check([name for name, c in components.items() if c["is_io_server"]] == ["ioserver"], "who is an I/O server")
    check(run["clock"]["order_violations"] == 0, "nothing is received before it was sent")
    for name in SLEEP_S:
        check_sleeps(components[name])
        check_sums(components[name])
        check_text(text, components[name])
        # What clients send the I/O server is recorded, so what they wait for it is known.
        check(components[name]["waiting_for"]["ioserver"]["put_s"] >= 0, f"{name} and the I/O server")
    # The ocean sends once in a step and receives twice.
    check(components["ocean"]["waiting_for"]["atmosphere"]["get_s"] > 0, "the ocean receives from the atmosphere")
    check(again["components"] == run["components"], "cpl-lb summary makes the same of the timelines")
    print("figures, sums, text and cpl-lb summary agree")


if __name__ == "__main__":
    main()
