"""cpl-lb-record in front of programs with calls of cpl_lb of their own: these give the exchanges, MPI what is inside."""
import os
import re
import sys

import recorded
from recorded import by_name, check

mpiexec, record, folder = sys.argv[1:4]


def run(program, env=None):
    return recorded.launch(mpiexec, [(3, [record, os.path.join(folder, program)])], env)


# The loop leaves out the first and the last of the eight exchanges, and so does the model's own clock.
for program in ("own_calls", "own_calls_static"):
    said, summary, code = run(program)
    check(code == 0 and summary is not None, f"{program}: ends well: {said[-300:]}")
    if summary is None:
        continue
    c = by_name(summary)
    check(sorted(c) == ["atmosphere", "ocean"], f"{program}: components as the model names them: {sorted(c)}")
    waited = float(re.search(r"waited +([0-9.]+)", said)[1])
    got = c["atmosphere"]["waiting_for"]["ocean"]["get_s"]
    # Two processes of the ocean sleep longer than they say, by the same as they keep the atmosphere waiting.
    check(abs(got - waited) <= 0.01 * waited, f"{program}: waiting {got} s, by the model's own clock {waited} s")
    # 8 GETs of the atmosphere, 8 PUTs of the ocean, and TERM: no message of MPI is one of them.
    check((c["atmosphere"]["events"], c["ocean"]["events"]) == (9, 9), f"{program}: its own events only")
    # Inside the ocean: MPI_Allreduce, in which its second process waits for the first one. MPI_Send and MPI_Recv lie in
    # the model's own PUT and GET. Bins of time are 1/1000 of the run.
    inside = float(re.search(r"inside +([0-9.]+)", said)[1])
    mpi = c["ocean"].get("mpi", {})
    if program == "own_calls":
        longest = mpi["collective"]["max"]
        check(abs(longest - inside) <= 0.01 * inside + 0.001, f"inside {longest} s, by the model's own clock {inside} s")
        check(mpi["point_to_point"]["max"] == 0 and c["atmosphere"]["mpi"]["point_to_point"]["max"] == 0,
              "MPI in an exchange is not inside")
        sent = [(f["name"], f["counterpart"], f["messages"], f["message_bytes"]) for f in c["ocean"].get("fields", [])]
        check(sent == [("sst", "atmosphere", 8, 64)], f"messages in the model's own PUT: {sent}")
        traffic = c["ocean"]["mpi"]["traffic"]
        check(traffic["groups"] == 2 and traffic["from"] == [], f"no messages inside the ocean: {traffic}")
    else:
        check(mpi.get("collective_s") is None, "inside is not known where the library is linked statically")
    check(("linked statically" in said) == (program == "own_calls_static"), f"{program}: what is not recorded is told")

# Messages of a region, counted by hand in the programs.
for program, count, size in (("messages", 7, 156), ("messages_fortran", 3, 92)):
    if not os.path.exists(os.path.join(folder, program)):
        continue
    said, summary, code = recorded.launch(mpiexec, [(1, [record, os.path.join(folder, program)])])
    check(code == 0 and summary is not None, f"{program}: ends well: {said[-300:]}")
    region = by_name(summary)["ocean"]["regions"][0]
    got = (region["messages"]["sum"], region["message_bytes"]["sum"])
    check(got == (count, size), f"{program}: {got[0]} messages, {got[1]} bytes")
    traffic = by_name(summary)["ocean"]["mpi"]["traffic"]
    check(set(zip(traffic["from"], traffic["to"])) == {(0, 0)} and traffic["messages"][0] >= count and traffic["bytes"][0] >= size,
          f"{program}: messages of the process to itself: {traffic}")
    for quantity, said in region.get("annotations", {}).items():
        check(said["error"] == 0 and said["measured_by"] == "MPI", f"{program}: {quantity} as its author says: {said}")
    said, summary, code = recorded.launch(mpiexec, [(1, [os.path.join(folder, program)])], {"CPL_LB_ENABLED": "1"})
    region = by_name(summary)["ocean"]["regions"][0]
    check(region["messages"]["mean"] is None, f"{program}: none without the recorder")

# One executable with calls of its own, and one that knows MPI only: one run. 5 GETs and TERM; 5 SYNCs and TERM.
said, summary, code = recorded.launch(mpiexec, [
    (2, [record, os.path.join(folder, "mixed_own_calls")]),
    (1, [record, "--component", "server", os.path.join(folder, "mixed_mpi_only")])])
got = sorted((c["name"], c["processes"], c["events"]) for c in summary["components"]) if summary else None
check(code == 0 and got == [("ocean", 2, 6), ("server", 1, 6)], f"own calls and MPI only in one job: {got}")

# An adapter that was preloaded, and the recorder in front: what the adapter records stays as it is.
adapters = os.path.join(folder, "..", "adapters")
preload = os.path.join(adapters, "libadapter_oasis_preload.so")
if os.path.exists(preload):
    events = []
    for words in (["CPL_LB_ENABLED=1"], [record]):
        said, summary, code = recorded.launch(mpiexec, [
            (1, ["env", f"LD_PRELOAD={preload}"] + words + [os.path.join(adapters, "oasis_on_shared"), name])
            for name in ("model_a", "model_b")])
        # The loop takes some microseconds: how often each exchanged is certain, and for whom, if anybody waited.
        other = {"model_a": "model_b", "model_b": "model_a"}
        events.append({n: (c["events"], set(c["waiting_for"]) <= {other[n]}) for n, c in by_name(summary).items()}
                      if code == 0 and summary else said[-300:])
    check(sorted(events[0]) == ["model_a", "model_b"] and events[0] == events[1] and all(w for _, w in events[0].values()),
          f"preloaded adapter, without and with the recorder: {events}")

# Switched off, the recorder is, too.
said, summary, code = run("own_calls", {"CPL_LB_ENABLED": "false"})
check(code == 0 and summary is None and "cpl_lb" not in said, f"switched off: {said[-300:]}")
recorded.end()
