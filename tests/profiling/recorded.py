"""What the tests of cpl-lb-record share: programs of a job, started by mpiexec, and what they leave."""
import json
import os
import subprocess
import sys
import tempfile

failures = []


def check(good, what):
    print(("ok: " if good else "FAILED: ") + what, flush=True)
    if not good:
        failures.append(what)


def end():
    sys.exit(1 if failures else 0)


def job(mpiexec, programs):
    """The words that start a job. programs: (processes, command words)."""
    words = [mpiexec]
    for i, (count, command) in enumerate(programs):
        words += ([":"] if i else []) + ["-n", str(count)] + command
    return words


def summary_in(folder):
    path = os.path.join(folder, "load_balancing_info.json")
    return json.load(open(path)) if os.path.exists(path) else None


def launch(mpiexec, programs, env=None):
    """Gives the output, the summary or None without one, and the exit status."""
    with tempfile.TemporaryDirectory() as where:
        done = subprocess.run(job(mpiexec, programs), cwd=where,
                              env={**os.environ, "CPL_LB_ENERGY": "false", **(env or {})},
                              capture_output=True, text=True, timeout=100)
        return done.stdout + done.stderr, summary_in(where), done.returncode


def by_name(summary):
    return {c["name"]: c for c in summary["components"]}
