"""What the model was told while it ran, and what the report says of the same steps in the end: one process for each component.

    balance_now_test.py LAUNCHER NUMPROC_FLAG MODEL FOLDER
"""
import json
import os
import pathlib
import re
import subprocess
import sys


def check(true, what):
    if not true:
        sys.exit("FAILED: " + what)


def main():
    launcher, flag, model, folder = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    run = subprocess.run([launcher, flag, "2", model, "follow"], text=True, capture_output=True, timeout=100, cwd=folder,
                         env={**os.environ, "CPL_LB_DIR": str(folder)})
    print(run.stdout, run.stderr)
    check(run.returncode == 0, "exit status")
    told = {m[1]: (float(m[2]), float(m[3])) for m in
            re.finditer(r"^(ocean|atmosphere) (\d+\.\d{9}) (\d+\.\d{9})$", run.stdout, re.M)}
    check(len(told) == 2, "each component tells its figures once")
    for component in json.loads((folder / "load_balancing_info.json").read_text())["components"]:
        waiting, seconds = told[component["name"]]
        # Both are sums over the same marks; the rate of the clock is measured over the run so far, and over all of it.
        check(abs(component["loop_s"] - seconds) < 1e-4 * seconds, f"{component['name']}: {component['loop_s']} {seconds}")
        reported = component["process_waiting_s"]["mean"]
        check(abs(reported - waiting) < 1e-4 * seconds, f"{component['name']}: waits {reported}, told {waiting}")
    print("the model was told what the report says")


main()
