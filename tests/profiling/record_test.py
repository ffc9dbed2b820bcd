"""cpl-lb-record on programs that know MPI only. Oracles: the time that each program spent in its own receives by its own
clock (printed as "waited SECONDS"), and the sleeps of the sender."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, mpi = sys.argv[1:5]


def launch(programs, env=None):
    return recorded.launch(mpiexec, programs, env)


def two(way, processes=1, program="two_models", names=("ocean", "atmosphere")):
    run = [(processes, [record, "--component", name, os.path.join(folder, program), role, way])
           for name, role in zip(names, ("ocean", "atmosphere"))]
    return launch(run)


# The loop leaves out the first and the last of eight exchanges, and so does the clock of the model.
for program, ways in [("two_models", ["blocking", "anybody", "probe", "wait", "waitall", "waitany", "waitsome",
                                      "test", "polite",
                                      "persistent", "sendrecv", "intercomm", "barrier", "allreduce", "bcast",
                                      "gather"])] + \
                     [(p, ["blocking", "wait"]) for p in sys.argv[5:]]:
    for way in ways:
        said, summary, code = two(way, program=program)
        what = f"{program} {way}"
        check(code == 0 and summary is not None, f"{what}: ends well: {said[-300:] if code else ''}")
        if summary is None:
            continue
        waited = float(re.search(r"waited +([0-9.]+)", said)[1])
        c = by_name(summary)
        got = c["atmosphere"]["waiting_for"].get("ocean", {}).get("get_s", 0)
        # A machine that takes the processor away between two polls may make the second look like the first of a new wait.
        least = 0.2 if way in ("test", "polite") else 0.99
        check(least * waited - 0.001 <= got <= 1.01 * max(waited, 0.1), f"{what}: waiting {got} s, by the model's own clock {waited} s")
        check("is not null" not in said and "instead of" not in said, f"{what}: what the model sees is right")
        check("unknown" not in said, f"{what}: what cpl-lb-record sets is known")

# Components of one executable, by ranks.
program = os.path.join(folder, "two_models")
said, summary, code = launch([(2, [record, "--components", "ocean:0-1,atmosphere:2-3", program, "ocean", "blocking"]),
                              (2, [record, program, "atmosphere", "blocking"])])
check(sorted((c["name"], c["processes"]) for c in summary["components"]) == [("atmosphere", 2), ("ocean", 2)],
      "components by ranks")

# ... and by the first split of MPI_COMM_WORLD, with the colours 3 and 4.
said, summary, code = launch([(2, [record, program, "ocean", "split"]), (2, [record, program, "atmosphere", "split"])])
c = by_name(summary)
check(sorted(c) == ["two_models color 3", "two_models color 4"], f"components by the first split: {sorted(c)}")
check(said.count("components are named after colours, as two_models color 3: cpl-lb-record --components") == 1,
      "split: the first line says how to name them")
got = c["two_models color 4"]["waiting_for"]["two_models color 3"]["get_s"]
check(got > 0, f"split: waits {got} s for the other part")
partners = sorted(c["two_models color 3"]["waiting_for"])
check(partners == ["two_models color 4"], f"split: the end of a send is awaited from the other part: {partners}")

# The MPI's other commands that start a job of two executables.
mpirun = os.path.join(os.path.dirname(mpiexec), os.path.basename(mpiexec).replace("mpiexec", "mpirun"))
for start in [mpirun] + (["mpiexec.hydra"] if mpi == "mpich" else []):
    if shutil.which(start) is None:
        print(f"not here: {start}")
        continue
    said, summary, code = recorded.launch(start, [(1, [record, "--component", name, program, name, "blocking"])
                                                  for name in ("ocean", "atmosphere")])
    c = by_name(summary) if summary else {}
    check(code == 0 and sorted(c) == ["atmosphere", "ocean"], f"{start}: {sorted(c)}: {said[-300:] if code else ''}")

# Only one of the executables is recorded: it sees the other as a counterpart, and is done.
said, summary, code = launch([(1, [program, "ocean", "blocking"]),
                              (1, [record, "--component", "atmosphere", program, "atmosphere", "blocking"])],
                             {"CPL_LB_TIMEOUT": "2"})
check(code == 0 and summary is not None and [c["name"] for c in summary["components"]] == ["atmosphere"],
      "one executable without recording")

# The model goes elsewhere before it starts MPI: --dir is seen from where the job began. --run and --simulated.
with tempfile.TemporaryDirectory() as where:
    elsewhere = os.path.join(where, "elsewhere")
    os.mkdir(elsewhere)
    options = ["--dir", "results/of it", "--run", "spring 12", "--simulated", "86400"]
    words = [[record, "--component", name] + options + ["sh", "-c", f"cd '{elsewhere}' && exec '{program}' {name} blocking"]
             for name in ("ocean", "atmosphere")]
    done = subprocess.run(recorded.job(mpiexec, [(1, w) for w in words]), cwd=where, capture_output=True, text=True,
                          env={**os.environ, "CPL_LB_ENERGY": "false"}, timeout=100)
    summary = recorded.summary_in(os.path.join(where, "results/of it"))
    check(done.returncode == 0 and summary is not None and os.listdir(elsewhere) == [], f"--dir: {done.stderr[-300:]}")
    run = summary["run"] if summary else {}
    check(run.get("id") == "spring 12" and run.get("simulated_s") == 86400, f"--run and --simulated: {run}")

# Without and with the recording the model sees the same.
hardships = os.path.join(folder, "hardships")
for what, words in (("alone", []), ("one component", [record]), ("two components", [record, "--components", "a:0,b:1"])):
    said, summary, code = launch([(2, words + [hardships])])
    check(code == 0 and said.count("fine") == 2, f"hardships, {what}: {said[-300:] if code else ''}")
    check("all processes are one component, hardships" in said or what != "one component", "one component is told")
    if what == "two components":
        check(re.search(r"calls of MPI on other threads than that of MPI_Init are not in the figures \(2 times, [0-9.e-]+ s, on 2 of 2 processes", said), "calls of threads are told")
        # 3000 messages of the communicators, 3 + 1 + 100 more, and each time both ends; nothing of errors or the cancelled.
        fields = by_name(summary)
        # 3001 communicators are made and freed, together with the other component: a SYNC each time.
        check(fields["a"]["events"] == 3000 + 3000 + 3 + 1 + 100 + 100 + 1 + 1 + 1 + (3001 + 3001),
              f"events of a: {fields['a']['events']}")

# What is refused, in one line: commands that make no sense. What they name as the program: any_program_test.py.
def refused(words, part):
    done = subprocess.run([record] + words, capture_output=True, text=True)
    good = done.returncode == 2 and part in done.stderr and done.stderr.count("\n") == 1
    check(good, f"refused: {' '.join(words)[-40:]}: {done.stderr.strip()}")


refused([], "no program is given")
refused(["--what", program], "unknown option --what")
refused(["--dir"], "--dir needs a value")
refused(["--simulated"], "--simulated needs a value")
refused(["--mpi", "lam", program], "--mpi lam: must be openmpi or mpich")
recorded.end()
