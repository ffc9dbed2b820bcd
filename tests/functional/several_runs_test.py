"""Two mpiruns at once that exchange through files, joined by cpl-lb import runs.

    several_runs_test.py LAUNCHER NUMPROC_FLAG MODEL COMMAND FOLDER

What is expected holds on any machine, however busy: when each was started comes from the models' own reading of the
clock of this machine, and a sleep is late, never early.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

STEPS, OCEAN_MS, ATMOSPHERE_MS, ROUNDING_NS = 6, 40, 80, 10


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def start(launch, model, folder, name, other, order, sleep_ms, **environment):
    command = [*launch, "2", model, name, other, order, str(sleep_ms), str(STEPS), str(folder)]
    results = folder / f"of_{name}"
    # Two of OpenMPI's mpirun at once fail now and then if one makes the folder of their sessions while the other looks for it.
    sessions = os.environ.get("OMPI_MCA_orte_tmpdir_base")
    apart = {"OMPI_MCA_orte_tmpdir_base": f"{sessions}_{name}"} if sessions else {}
    with open(folder / f"{name}.out", "w", encoding="utf-8") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder,
                                env={**os.environ, **apart, "CPL_LB_ENABLED": "1", "CPL_LB_PRINT": "0",
                                     "CPL_LB_DIR": str(results), "CPL_LB_JOB": "storm", "CPL_LB_RUN": name,
                                     **environment})


def said_by(folder, name):
    """Between which times it entered cpl_lb_init, and how long it was between sending and receiving [ns]."""
    said = (folder / f"{name}.out").read_text(encoding="utf-8")
    found = re.search(r"init (\d+) (\d+) terminate 0 away (\d+)", said)
    check(found, f"{name} said: {said}")
    return tuple(int(n) for n in found.groups())


def run_both(launch, model, folder, **atmosphere):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    both = [start(launch, model, folder, "ocean", "atmosphere", "first", OCEAN_MS),
            start(launch, model, folder, "atmosphere", "ocean", "last", ATMOSPHERE_MS, **atmosphere)]
    check([run.wait(timeout=100) for run in both] == [0, 0], "a model failed")
    ocean, atmosphere = said_by(folder, "ocean"), said_by(folder, "atmosphere")
    return atmosphere[0] - ocean[1], atmosphere[1] - ocean[0]  # atmosphere began that much later [ns]


def joined(command, folder):
    told = subprocess.run([command, "import", "runs", folder / "of_ocean", folder / "of_atmosphere", "-o",
                           folder / "joined", "--json"], capture_output=True, text=True, check=False)
    check(told.returncode == 0, told.stderr)
    run = json.loads(told.stdout)
    check(run["run"]["job"] == "storm" and run["run"]["processes"] == 4, "not that job")
    components = {c["name"]: c for c in run["components"]}
    check(components["ocean"]["ranks"] == [0, 1] and components["atmosphere"]["ranks"] == [2, 3], "ranks")
    check(run["clock"]["why_not_comparable"] is None, run["clock"])
    check(run["clock"]["order_violations"] == 0, "a field was received before it was sent")
    # The loop has whole steps: all but the first and the last.
    for waiter, sleep_ms in (("ocean", ATMOSPHERE_MS), ("atmosphere", OCEAN_MS)):
        waited = components[waiter]["waiting_s"]
        away = 1e-9 * said_by(folder, waiter)[2]
        check(waited >= 1e-3 * sleep_ms * (STEPS - 2) - away, f"{waiter} waited only {waited} s, and was away {away} s")
        other = "atmosphere" if waiter == "ocean" else "ocean"
        check(list(components[waiter]["waiting_for"]) == [other], components[waiter]["waiting_for"])
    later = 1e9 * (components["atmosphere"]["init_s"] - components["ocean"]["init_s"])
    return run, later


def main():
    launcher, flag, model, command, folder = sys.argv[1:]
    folder, launch = pathlib.Path(folder), [launcher, flag]

    least, most = run_both(launch, model, folder / "one_node")
    run, later = joined(command, folder / "one_node")
    check(least - ROUNDING_NS <= later <= most + ROUNDING_NS, f"began {later} ns later, not {least} to {most}")
    check(run["clock"]["error_bound_s"] < 1e-3, "one clock has a bound of microseconds")
    check(run["balance"]["why_no_path"] is None, run["balance"]["why_no_path"])

    # The second run takes itself to be on another node: then only the exchanges tell how far the clocks are apart.
    other = folder / "proc" / "sys" / "kernel" / "random"
    shutil.rmtree(folder / "proc", ignore_errors=True)
    other.mkdir(parents=True)
    (other / "boot_id").write_text("another\n", encoding="utf-8")
    least, most = run_both(launch, model, folder / "two_nodes", CPL_LB_PROCFS=str(folder / "proc"), CPL_LB_RSS="0",
                           CPL_LB_ENERGY="0")
    run, later = joined(command, folder / "two_nodes")
    bound = 1e9 * run["clock"]["error_bound_s"]
    check(least - bound <= later <= most + bound, f"began {later} +- {bound} ns later, not {least} to {most}")
    check(any("the middle of what their exchanges allow" in remark for remark in run["remarks"]), "not by exchanges")

    # A run of another job.
    run_both(launch, model, folder / "two_jobs", CPL_LB_JOB="calm")
    told = subprocess.run([command, "import", "runs", folder / "two_jobs" / "of_ocean", folder / "two_jobs" / "of_atmosphere",
                           "-o", folder / "two_jobs" / "joined"], capture_output=True, text=True, check=False)
    check(told.returncode == 1 and "'calm'" in told.stderr and "'storm'" in told.stderr, told.stderr)


if __name__ == "__main__":
    main()
