"""A model whose ways are rough runs with the recording as without."""
import os
import re
import sys

import recorded
from recorded import by_name, check

mpiexec, record, folder, mpi, faults = sys.argv[1:6]
rough = os.path.join(folder, "rough")


def run(what, programs, env=None):
    said, summary, code = recorded.launch(mpiexec, programs, env)
    check(code == 0 and said.count("fine") == sum(count for count, _ in programs), f"{what}: {said[-300:]}")
    return said, summary


# Half of the job is recorded, and MPI_COMM_WORLD is split: the other half has no component, and this one keeps its name.
for recorded_first in (True, False):
    programs = [(1, [record, rough, "split"]), (1, [rough, "split"])]
    said, summary = run("split, partly recorded", programs if recorded_first else programs[::-1], {"CPL_LB_TIMEOUT": "2"})
    check(summary is not None and list(by_name(summary)) == ["rough"], "split, partly recorded: one component, rough")
said, summary = run("split", [(2, [record, rough, "split"])])
check(sorted(by_name(summary)) == ["rough color 0", "rough color 1"], "split, all recorded: two components")

for words in ([], [record], [record, "--components", "a:0,b:1"]):
    run(f"no datatype, {' '.join(words[1:])}", [(2, words + [rough, "no_type"])])
    run(f"freed elsewhere, {' '.join(words[1:])}", [(2, words + [rough, "freed_elsewhere", "alone"])])

# What a process does in a window that it has alone is no exchange, also where MPI gives it the handle of a window
# between the processes that another thread has freed.
exchanges = []
for word in ("alone", "none"):
    said, summary = run(f"freed elsewhere, {word}",
                        [(2, [record, "--components", "a:0,b:1", rough, "freed_elsewhere", word])])
    if word == "alone":
        again = sum(int(n) for n in re.findall(r"handles again (\d+)", said))
        check(again > 0, f"freed elsewhere: MPI gave the handle of a freed window again {again} times")
    exchanges.append([component["events"] for component in summary["components"]])
check(exchanges[0] == exchanges[1] and min(exchanges[0]) > 20, f"freed elsewhere: {exchanges[0]} with windows of one "
      f"process, {exchanges[1]} without")

# A call of MPI is left by a jump out of its error handler, on the second process or on both; MPI is begun or ended on
# another thread. The recording goes on, and all of it is in the results: 20 messages each way are 20 PUT and 20 GET on
# each process, then one barrier and the end: 42. What an error handler calls is inside the call.
left = "a call of MPI was left by a jump (longjmp)"
for words, leavers in ((["fails", "jump"], 1), (["fails", "below"], 1), (["fails", "nested"], 0), (["ends_in_jump"], 2),
                       (["begun_elsewhere"], 0), (["ends_elsewhere", "one"], 0), (["ends_elsewhere", "all"], 0)):
    what = " ".join(words)
    said, summary = run(what, [(2, [record, "--components", "a:0,b:1", rough] + words)])
    check(summary is not None, f"{what}: results")
    events = [component["events"] for component in summary["components"]] if summary else []
    check(events == [42, 42], f"{what}: events {events}")
    lines = [line for line in said.splitlines() if line.startswith("cpl_lb: ")]
    wanted = {0: "", 1: "(on process 1, b)", 2: "(on 2 of 2 processes, first 0, a)"}[leavers]
    check(len(lines) == (leavers > 0) and all(left in line and wanted in line for line in lines), f"{what}: {lines}")

# The n-th allocation fails: the recording ends there on the process, which says so, or what needed it does without.
told = 0
for n in range(1, 21):
    said, summary = run(f"no memory, allocation {n}",
                        [(2, [record, "--components", "a:0,b:1", rough, "no_memory", str(n)])], {"LD_PRELOAD": faults})
    lines = said.count("no memory: from here on MPI is not recorded on this process")
    check(summary is not None and lines <= 2, f"no memory, allocation {n}: told at most once on a process: {lines}")
    told += lines
check(told >= 20, f"no memory: told {told} times")

# MPI's library for Fortran, loaded so that the system's search for the next function does not find it.
for library in sys.argv[6:]:
    for enabled in ("true", "false"):
        words = [record, "--mpi", mpi, os.path.join(folder, "private_mpi"), library]
        said, summary = run(f"{os.path.basename(library)}, enabled {enabled}", [(2, words)], {"CPL_LB_ENABLED": enabled})
        check((summary is not None) == (enabled == "true"), "results only where it is enabled")
recorded.end()
