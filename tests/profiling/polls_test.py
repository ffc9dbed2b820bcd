"""Polls with another call, or with work, between them: the waiting, by the program's own clock, and the slow side (polls.c)."""
import os
import re
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, listener, mpi = sys.argv[1:6]
# b waits (0.04 - 0.01) s in 8 steps for a: 0.24 s. With work b has 0.04 s in each, and a 0.01 s.
waits = ["two", "open", "progress", "inside", "null", "asleep", "status", "statuses", "probe", "probe_few", "test_few"]
waits += ["parts"] if mpi == "mpich" else []
for way in waits + ["work 0.00003", "work 0.00005", "work 0.0005", "never"]:
    with tempfile.TemporaryDirectory() as where:
        heard = os.path.join(where, "heard")
        words = [(2, ["env", "LD_PRELOAD=" + listener, record, "--components", "a:0,b:1", os.path.join(folder, "polls"), way])]
        said, summary, code = recorded.launch(mpiexec, words, {"LISTENER_FILE": heard})
        check(code == 0 and summary is not None, f"{way}: ends well: {said[-300:] if code else ''}")
        lines = [line.split() for line in open(heard + ".1")]
    got = sum(float(w[2]) for w in lines if w[:2] == ["seconds", "2"])
    least, most = (float(word) for word in re.search(r"waited ([0-9.]+) ([0-9.]+)", said).groups())
    # Polls that are part of no wait count inside, not in GET. Of what it lost to its processor some is taken for waiting.
    if way == "never": # memory, however many calls
        check(int(re.search(r"grew (\d+)", said)[1]) <= 1024, f"never: {said}")
        continue
    above = got <= (1.05 * most if way in waits else least + 0.1 * (most - least)) + 0.005
    below = way in waits and got < 0.95 * least - 0.005
    check(above and not below, f"{way}: GET {got:.4f} s, by its own clock {least} to {most} s")
    check(way not in waits or least > 0.2, f"{way}: the wait is there, {least} s")
    expected = "a" if way in waits else "b"
    check(summary["balance"]["slow_side"] == expected, f"{way}: slow side {summary['balance']['slow_side']}")
    b = by_name(summary)["b"]
    check(way not in waits or b["waiting_s"] >= 0.5 * b["loop_s"], f"{way}: b waits {b['waiting_s']:.3f} of {b['loop_s']:.3f} s")

recorded.end()
