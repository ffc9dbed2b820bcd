"""Programs that were spawned or connected (worlds.c): both sides are recorded, and each says for whom it waits, and how long."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from recorded import check, end, summary_in

mpiexec, record, folder, mpi = sys.argv[1:5]
program = os.path.join(folder, "worlds")
other = "another MPI world"
exchanges = "This run exchanges with a program that has an MPI_COMM_WORLD of its own (MPI_Comm_spawn, MPI_Comm_connect)"


def start(case, front, where):
    """Runs both programs, with front(NAME) in front of each. Gives the exit status and what they said."""
    if case != "connect":
        jobs = [[mpiexec, "-n", "1", *front("parent"), program, case, "parent", *front("child"), program, case, "child"]]
    else:
        jobs = [[mpiexec, *served, "-n", "1", *front(name), program, case, name, os.path.join(where, "port")]
                for name in ("parent", "child")]
    running = [subprocess.Popen(["timeout", "60", *words], cwd=where, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "CPL_LB_ENERGY": "false"}) for words in jobs]
    said = [job.communicate()[0] for job in running]
    return max(abs(job.returncode) for job in running), "".join(said)


def look_at(name, said, where):
    """One side: its own clocks, and its results."""
    clocks = re.search(name + r" waited ([0-9.]+) of ([0-9.]+)", said)
    own = float(clocks[1]) / max(float(clocks[2]), 1e-9)
    info, path = summary_in(os.path.join(where, name)), os.path.join(where, name, "load_balancing_info.txt")
    check(info is not None, f"{name}: has a result")
    words = " ".join(open(path).read().split("-----")[0].split()) if info else ""
    c = info["components"][0] if info else {}
    waits = c.get("waiting_for", {}).get(other)
    check(waits is not None and set(c["waiting_for"]) == {other}, f"{name}: waits for {c.get('waiting_for')}")
    share = (waits["get_s"] / c["loop_s"]) if waits and c["loop_s"] else 0
    check(abs(share - own) <= 0.05, f"{name}: waits {share:.3f} of its loop, by its own clock {own:.3f}")
    told = re.search(re.escape(exchanges) + r": \S+ spends (less than )?([0-9.]+) % of its time waiting for it\.", words)
    check((told is not None and abs(float(told[2]) / 100 - own) <= 0.05) if own > 0.03 else exchanges in words,
          f"{name}: {words[:700]}")
    return words


def test(case):
    with tempfile.TemporaryDirectory() as where:
        code, said = start(case, lambda name: [record, "--component", name, "--dir", os.path.join(where, name)], where)
        check(code == 0, f"{case}: ends well: {said[-500:] if code else ''}")
        words = [look_at(name, said, where) for name in (("child",) if case == "feed" else ("parent", "child"))]
        for wrong in ("was not recorded", "nothing is coupled", "No component exchanged"):
            check(not any(wrong in text for text in [said, *words]), f"{case}: never '{wrong}'")


served, works = [], False
with tempfile.TemporaryDirectory() as of_server:
    if mpi == "openmpi" and shutil.which("ompi-server"): # two mpiruns of OpenMPI 4 find each other by it
        address = os.path.join(of_server, "address")
        server = subprocess.Popen(["ompi-server", "--no-daemonize", "-r", address], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        for _ in range(100):
            if not os.path.exists(address):
                time.sleep(0.1)
        served = ["--ompi-server", "file:" + address]
    for case in ("spawn", "both", "merge", "manager", "feed", "connect"):
        with tempfile.TemporaryDirectory() as bare:
            code, said = start(case, lambda name: [], bare)
        works = works or code == 0
        if code == 0:
            test(case)
        else:
            print(f"not here: {case}, which this MPI cannot do without cpl_lb either: {said[:200]}")
    if served:
        server.kill()
        server.wait()
if not works:
    print("skipped: it needs an MPI that spawns or connects programs")
    sys.exit(77)
end()
