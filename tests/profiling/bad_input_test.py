"""Programs that end MPI in unusual ways are with the recording what they are without; and the lines about sessions and
about a profiling library in front."""
import os
import subprocess
import sys
import tempfile

mpiexec, record, folder, listener = sys.argv[1:5]
failures = []


def check(good, what):
    print(("ok: " if good else "FAILED: ") + what)
    if not good:
        failures.append(what)


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
sys.exit(1 if failures else 0)
