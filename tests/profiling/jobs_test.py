"""Whole jobs under cpl-lb-record: a coupler process and an I/O server, a job that dies, and a program in Python."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, here, python, mpi = sys.argv[1:7]
command = sys.argv[7] if len(sys.argv) > 7 else ""
names = ("ocean", "coupler", "atmosphere", "server")


def near(value, expected):
    return value is not None and abs(value - expected) <= 0.01 * max(expected, 0.1) + 0.001


# The loop is from the second exchange to the last; the models' own clock counts steps 2 to 9 of ten.
said, summary, code = recorded.launch(mpiexec, [(1, [record, "--component", name, os.path.join(folder, "chain")])
                                                for name in names])
check(code == 0 and summary is not None, f"chain: ends well: {said[-300:] if code else ''}")
c = by_name(summary)
waited = {name: float(re.search(name + r" waited +([0-9.]+)", said)[1]) for name in names}
check(sorted(c) == sorted(names), f"chain: components {sorted(c)}")
check(near(c["ocean"]["waiting_for"]["coupler"]["get_s"], waited["ocean"]),
      f"the ocean waits for the coupler: {c['ocean']['waiting_for']} s, by its own clock {waited['ocean']} s")
check(near(sum(w["get_s"] for w in c["coupler"]["waiting_for"].values()), waited["coupler"]),
      f"the coupler waits: {c['coupler']['waiting_for']} s, by its own clock {waited['coupler']} s")
check(c["server"]["is_io_server"] and near(c["server"]["idle_s"], waited["server"]),
      f"who only receives is an I/O server, idle for {c['server']['idle_s']} s, by its own clock {waited['server']} s")
check(summary["balance"]["slow_side"] == "atmosphere", f"slow side: {summary['balance'].get('slow_side')}")
check("through coupler" in said, "the ocean waits for the atmosphere through the coupler")

# Killed in the fifth step: what had ended by then is in the spool files.
#   ocean       5 PUT to the coupler, 5 PUT to the server, 4 GET     14
#   coupler     5 GET and 5 PUT on the way there, 4 and 4 back       18
#   atmosphere  5 GET, 4 PUT                                          9
#   server      5 GET                                                 5
if command:
    with tempfile.TemporaryDirectory() as where:
        words = [(1, [record, "--component", name, "--spool", "--dir", where, os.path.join(folder, "chain"), "crash"])
                 for name in names]
        done = subprocess.run(recorded.job(mpiexec, words), cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_SPOOL_DIR": where, "CPL_LB_ENERGY": "false"})
        check(done.returncode != 0, "crash: the job dies")
        out = os.path.join(where, "out")
        done = subprocess.run([command, "recover", where, "-o", out], capture_output=True, text=True, timeout=100)
        check(done.returncode == 0, f"crash: recovered: {(done.stdout + done.stderr)[-300:] if done.returncode else ''}")
        c = by_name(recorded.summary_in(out))
        events = {name: c[name]["events"] for name in names if name in c}
        told = [r for r in recorded.summary_in(out)["remarks"] if "inside the components is not known" in r]
        check(len(told) == 1, f"crash: what was inside is not known: {told}")
        check(events == {"ocean": 14, "coupler": 18, "atmosphere": 9, "server": 5}, f"crash: events {events}")

# Python, whose executable does not tell the MPI.
if subprocess.run([python, "-c", "import mpi4py"], capture_output=True).returncode == 0 and mpi == "openmpi":
    said, summary, code = recorded.launch(
        mpiexec, [(1, [record, "--mpi", mpi, "--component", name, python, os.path.join(here, "pair.py"), name])
                  for name in ("ocean", "atmosphere")])
    check(code == 0 and summary is not None and "wrong" not in said, f"mpi4py: ends well: {said[-300:]}")
    waited = float(re.search(r"waited +([0-9.]+)", said)[1])
    got = by_name(summary)["atmosphere"]["waiting_for"]["ocean"]["get_s"]
    check(near(got, waited), f"mpi4py: waiting {got} s, by the model's own clock {waited} s")

    # Without a name: two scripts under one interpreter are two components, also where -m mpi4py runs them.
    with tempfile.TemporaryDirectory() as scripts:
        names = ("ocean.py", "atmosphere.py")
        for name in names:
            shutil.copy(os.path.join(here, "pair.py"), os.path.join(scripts, name))
        said, summary, code = recorded.launch(
            mpiexec, [(1, [record, "--mpi", mpi, python] + more + [os.path.join(scripts, name), name[:-3]])
                      for name, more in zip(names, ([], ["-m", "mpi4py"]))])
        c = by_name(summary) if summary else {}
        check(code == 0 and sorted(c) == sorted(names), f"two scripts: {sorted(c)}: {said[-300:] if code else ''}")
        waited = float(re.search(r"waited +([0-9.]+)", said)[1])
        got = c["atmosphere.py"]["waiting_for"].get("ocean.py", {}).get("get_s", 0) if names[1] in c else 0
        check(near(got, waited), f"two scripts: waiting {got} s, by the model's own clock {waited} s")
else:
    print("not here: mpi4py on OpenMPI")
recorded.end()
