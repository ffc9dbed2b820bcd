"""Who talks to whom inside a component, and who is late again and again: a ring whose messages, sizes and one late process are
known (traffic.c). The second method for the time: the program's own clock around the calls, so that a busy machine changes
both alike."""
import os
import re
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, mpi = sys.argv[1:5]
program = os.path.join(folder, "traffic")
steps = 20
quiet = {"CPL_LB_REPORT": "false", "CPL_LB_PRINT": "false"}


def pairs_of(component):
    t = component["mpi"]["traffic"]
    columns = zip(t["from"], t["to"], t["messages"], t["bytes"], t["waited_s"])
    return {(a, b): {"messages": m, "bytes": n, "waited_s": s} for a, b, m, n, s in columns}


def waited_by(said, role):
    return {int(r): float(s) for r, s in re.findall(rf"^waited {role} (\d+) (\S+)$", said, re.M)}


def ring(size, how):
    """The messages by hand. The communicator has the processes in the opposite order of the component: who is rank r there is
    process size - 1 - r."""
    wanted = {}
    for r in range(size):
        place, to = size - 1 - r, size - 1 - (r + 1) % size
        wanted[place, to] = [steps + wanted.get((place, to), [0, 0])[0], steps * 8 * (r + 1) + wanted.get((place, to), [0, 0])[1]]
    for r in range(size):
        if how != "all":
            break
        place, to = size - 1 - r, size - 1 - (r - 1) % size
        wanted[place, to] = [steps + wanted.get((place, to), [0, 0])[0], steps * 4 + wanted.get((place, to), [0, 0])[1]]
    return wanted


def check_ring(said, component, size, late, how, first):
    what = f"{size} processes, {how}"
    got, wanted = pairs_of(component), ring(size, how)
    check({p: [v["messages"], v["bytes"]] for p, v in got.items() if v["messages"]} == wanted, f"{what}: messages: {got}, {wanted}")
    own = waited_by(said, component["name"])
    by_receiver = {}
    for (_, to), v in got.items():
        by_receiver[to] = by_receiver.get(to, 0) + v["waited_s"]
    for process in range(size):
        seconds = own[first + process]
        check(abs(by_receiver.get(process, 0) - seconds) <= 0.05 + 0.05 * seconds,
              f"{what}: process {process} waited {by_receiver.get(process)}, by its own clock {seconds}")
    slow = size - 1 - late
    top = component["mpi"]["traffic"]["waited_for"]
    check(top and top[0]["process"] == slow, f"{what}: process {slow} is waited for: {top[:2]}")
    calls = 2 if how == "probe" else 1 # and the receive
    check(top[0]["waits"] == calls * steps * top[0]["by"], f"{what}: waits: {top[0]}")
    waiting = {(late + 1) % size} | ({(late - 1) % size} if how == "all" else set()) # ranks in the communicator
    seconds = sum(own[first + size - 1 - r] for r in waiting)
    check(top[0]["by"] == len(waiting) and abs(top[0]["with_others_s"] - seconds) <= 0.05 + 0.05 * seconds,
          f"{what}: its neighbours waited {seconds} by their own clocks: {top[0]}")
    check(top[0]["in_loop_s"] <= top[0]["with_others_s"] + 1e-9, f"{what}: in the loop: {top[0]}")


def waits_together(own, size, how):
    """By the program's own clocks: how long others waited for each process, alone or with others."""
    for_process = [0] * size
    for r in range(size):
        for sender in {(r - 1) % size} | ({(r + 1) % size} if how == "all" else set()):
            for_process[size - 1 - sender] += own[size - 1 - r]
    return for_process


def check_verdict(named, together, how):
    """A process is named if waits for it are 1.5 times those for any other (definitions.md, section 8): on a quiet machine the
    late one, for which others wait 1 s each. A busy machine makes others late as well. Close to 1.5 either is right."""
    *_, next_most, most = sorted(together)
    if most > 1.6 * next_most:
        check(named == together.index(most), f"{how}: the verdict names the late process: {named} of {together}")
    elif most < 1.4 * next_most:
        check(named is None, f"{how}: the verdict names no process: {named} of {together}")


kinds = ("recv", "wait", "any", "persistent", "sendrecv", "probe", "all")
rings = {2: ("recv", "all"), 5: kinds} if mpi == "openmpi" else {2: kinds} # MPICH spins where processes are many
for size, some in rings.items():
    for how in some:
        with tempfile.TemporaryDirectory() as where:
            said, _, code = recorded.launch(mpiexec, [(size, [record, "--component", "ocean", program, "ocean", "1", how])],
                                            {**quiet, "CPL_LB_DIR": where})
            summary = recorded.summary_in(where)
            check(code == 0 and summary is not None, f"{size} {how}: ends well: {said[-300:]}")
            if summary is None:
                continue
            component = summary["components"][0]
            check_ring(said, component, size, 1, how, 0)
            text = " ".join(open(os.path.join(where, "load_balancing_info.txt")).read().split())
            check("Messages between the processes of a component" in text, f"{how}: the text has them")
            if size > 2: # of two, each waits for the other only
                said_so = re.search(r"Inside ocean, at least \S+ % of the core time of the run goes into waiting for messages from "
                                    r"process (\d+)", text)
                check_verdict(said_so and int(said_so[1]), waits_together(waited_by(said, "ocean"), size, how), how)

# Beside an exchange with another component, whose messages are those of a field, and are not inside.
with tempfile.TemporaryDirectory() as where:
    said, _, code = recorded.launch(mpiexec, [(2, [record, "--component", role, program, role, "0", "recv"])
                                              for role in ("ocean", "atmosphere")], {**quiet, "CPL_LB_DIR": where})
    summary = recorded.summary_in(where)
    check(code == 0 and summary is not None, f"coupled: ends well: {said[-300:]}")
    if summary is not None:
        c = by_name(summary)
        for name, first in (("ocean", 0), ("atmosphere", 2)):
            check_ring(said, c[name], 2, 0, "recv", first)
        fields = c["ocean"]["fields"]
        check(len(fields) == 1 and fields[0]["counterpart"] == "atmosphere" and fields[0]["messages"] == steps and
              fields[0]["message_bytes"] == 800 * steps, f"coupled: messages of the field: {fields}")
        check("fields" not in c["atmosphere"], "coupled: the atmosphere sends none")
        text = open(os.path.join(where, "load_balancing_info.txt")).read()
        check("Messages of fields" in text, "coupled: the text has the field")
recorded.end()
