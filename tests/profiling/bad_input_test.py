"""Programs that end MPI in unusual ways are with the recording what they are without; and the lines about sessions and
about a profiling library in front."""
import os
import subprocess
import sys
import tempfile

from recorded import check, end, summary_in

mpiexec, record, folder, listener = sys.argv[1:5]


def run(words, env=None):
    with tempfile.TemporaryDirectory() as where:
        done = subprocess.run([mpiexec, "-n", "2"] + words, cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_ENERGY": "false", **(env or {})})
        lines = [line for line in done.stdout.splitlines() if line in ("before", "sum 3")]
        return lines, done.stderr, done.returncode, os.listdir(where)


program = os.path.join(folder, "bad_input")
mpi = os.path.basename(mpiexec)
for way in ("abort", "finalize", "session", "plain"):
    lines, plain_said, plain_code, _ = run([program, way])
    recorded, said, code, files = run([record, "--component", "all", program, way])
    # MPICH's launcher sometimes dies of a broken pipe itself (-13) when processes end with an error, recorded or not.
    same = code == plain_code or (plain_code != 0 and code != 0 and -13 in (code, plain_code))
    check(recorded == lines and same, f"{way}: exit status {code}, without {plain_code}, and the same output: {recorded}, {lines}")
    wrong = "ERR" in plain_said.upper() or plain_code != 0
    check((way in ("abort", "finalize")) == wrong, f"{way}: ends with an error, or well, without recording, too")
    told = "not recorded: the program begins MPI by sessions"
    has_sessions = subprocess.run(["nm", "-D", program], capture_output=True, text=True).stdout.count("MPI_Session_init")
    expected = 1 if way == "session" and has_sessions else 0
    check(said.count(told) == expected, f"{way}: {expected} lines about sessions")
    check((way == "plain") == ("load_balancing_info.txt" in files), f"{way}: results only where MPI was begun and ended")
lines, said, code, _ = run([record, program, "session"], {"CPL_LB_ENABLED": "false"})
check("sessions" not in said, "switched off: no line about sessions")

# Another library in front: it calls PMPI, so that cpl_lb sees nothing; told once. Behind: nothing to tell.
library = [os.path.join(os.path.dirname(record), name) for name in os.listdir(os.path.dirname(record))
           if name.startswith("libcpl_lb_mpi-") and ".so" in name][0]
for first, second, expected in ((listener, library, 1), (library, listener, 0)):
    lines, said, code, _ = run(["env", f"LD_PRELOAD={first}:{second}", "CPL_LB_ENABLED=true", program, "plain"])
    check(code == 0 and said.count(f"{first} comes before cpl_lb") == expected,
          f"{os.path.basename(first)} in front: {expected} lines: {said[-300:]}")
# Two components, 2 x 12 exchanges in which b comes 40 ms later, and something bad beside them: the figures of what is
# known are right, and one line tells of the rest.
in_flight = "7 messages between components sent, but not seen to be received: in flight at the end, never waited for, or"
on_threads = "calls of MPI on other threads than that of MPI_Init are not in the figures (14 times"
unseen = "Threads other than the one of MPI_Init called MPI 14 times"


def coupled(way, options=()):
    with tempfile.TemporaryDirectory() as where:
        done = subprocess.run([mpiexec, "-n", "2", *options, program, way, "coupled"], cwd=where, capture_output=True,
                              text=True, timeout=100, env={**os.environ, "CPL_LB_ENERGY": "false", "CPL_LB_TIMEOUT": "20"})
        info, text = summary_in(where), ""
        if info is not None:
            with open(os.path.join(where, "load_balancing_info.txt")) as file:
                text = " ".join(file.read().split())
        return done, info, text


for way, line in (("in_flight", in_flight), ("never_waited", in_flight), ("freed_early", None), ("threads", on_threads),
                  ("plain", None)):
    alone, *_ = coupled(way)
    done, info, words = coupled(way, [record, "--components", "a:0,b:1"])
    check(alone.returncode == 0 and alone.stdout.count("coupled") == 2, f"{way}: ends well without recording {alone.stderr[-300:]}")
    check(done.returncode == 0 and done.stdout.count("coupled") == 2 and "wrong" not in done.stdout,
          f"{way}: ends well with it {done.stderr[-300:]}")
    check(info is not None, f"{way}: leaves results")
    if info is None:
        continue
    waits = {c["name"]: c["waiting_for"] for c in info["components"]}
    # 22 whole steps or more are in the loop, each with a sleep of 40 ms; half of it, as a may be held up itself.
    check(waits["a"]["b"]["get_s"] > 11 * 0.04, f"{way}: a waits for b: {waits}")
    check(info["balance"]["slow_side"] == "b", f"{way}: b is slow: {info['balance']['slow_side']}")
    told = [r for r in info["remarks"] if in_flight in r or on_threads in r]
    check(len(told) == (1 if line else 0) and (not line or line in told[0]), f"{way}: one line: {info['remarks']}")
    check((unseen in words) == (way == "threads"), f"{way}: the verdict says what it does not see: {words[:400]}")
    check(info["run"]["mpi_elsewhere_calls"] == (14 if way == "threads" else None), f"{way}: calls elsewhere in the json")

# A killed process ends the job as it does without recording, and soon.
alone, *_ = coupled("killed")
done, info, _ = coupled("killed", [record, "--components", "a:0,b:1"])
check(alone.returncode != 0 and done.returncode != 0, f"killed: exit status {done.returncode}, without {alone.returncode}")
check(info is None, "killed: no results that look like those of a whole run")
end()
