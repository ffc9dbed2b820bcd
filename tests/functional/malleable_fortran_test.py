"""The malleable example in Fortran: the manager learns from recorded events, and its processes move.

    malleable_fortran_test.py LAUNCHER NUMPROC_FLAG PROGRAM PROCESSES

Ocean 0.12/p + 0.01 s and atmosphere 0.36/p + 0.01 s in each of four steps: what is expected holds on any machine. That the
numbers are right is tested in tests/functional/manager_events_test.cpp, that the manager is in manager_test.cpp.
"""
import re
import subprocess
import sys


def check(true, what):
    if not true:
        sys.exit("FAILED: " + what)


def main():
    launcher, flag, program, total = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    run = subprocess.run([launcher, flag, str(total), program], text=True, capture_output=True, timeout=100)
    print(run.stdout, run.stderr)
    check(run.returncode == 0, "exit status")
    check("is refused" not in run.stderr and "cpl_lb_manager" not in run.stderr and "cpl_lb_watch" not in run.stderr,
          "nothing was refused")
    found = list(re.finditer(r"^ +(\d+) +(\d+) +(\d+) +([\d.]+) +\S+ +([-\d.]+) % +([-\d.]+) %  (.*)$", run.stdout, re.M))
    rows = [(int(m[2]), int(m[3]), float(m[4]), m[7]) for m in found]
    waits = [(float(m[5]), float(m[6])) for m in found]
    check(len(rows) == 5, "one line for each interval")
    check(rows[0][:2] == (total - 1, 1), "the bad start")
    check(all(o + a == total and o >= 1 and a >= 1 for o, a, *_ in rows), "all processes have work")
    # Sleeps are late, never early. What the ocean waits for may have begun before its interval did, where its last sleep
    # before that was late: its own sleeps are all inside.
    check(all(s >= 4 * (0.12 / o + 0.01) - 1e-4 for o, _, s, _ in rows), "the ocean's own sleeps")
    # From 7,1 with 0.37 s a step, of which the ocean computes 0.027 s: whatever the machine adds, the atmosphere is the
    # slow side by far, and gets processes at once.
    check("processes move" in rows[0][3] and rows[1][1] > 1, "the atmosphere got processes")
    check(rows[-1][1] > rows[-1][0], "the atmosphere has more in the end")
    # Of 0.37 s and more the ocean computes 0.027 s: it waits 93 %. What the machine adds may make it less, and the atmosphere
    # wait, too, but both figures are known in each interval, also where a head has come from the other component.
    check(waits[0][0] > 50 and waits[0][0] > waits[0][1], f"the ocean waits at the bad start: {waits[0]}")
    check(all(0 <= w <= 100 for both in waits for w in both), f"waiting of both in each interval: {waits}")
    check(waits[-1][0] < waits[0][0] - 10, f"the ocean waits less after the moves: {waits}")


if __name__ == "__main__":
    main()
