"""The same run recorded twice, by its own calls or its adapter and by MPI: both must say the same of the waiting."""
import os
import shutil
import subprocess
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, beside, examples, built_examples = sys.argv[1:7]
least_s = 0.1  # of a wait that must agree ...
tolerance = 0.01
# A process may lose its processor between the two looks at the clock: a turn of the others is some 4 ms, and may come
# once in each coupling step, of 0.1 s and more. What is counted twice, or not, is a tenth of the wait at least.
turn_s = 0.004


def both(name, programs, where, env=None):
    """Runs the job in the folder `where`. Gives what its own calls say, and what MPI says."""
    out = os.path.join(where, "results")
    os.makedirs(out)
    words = [(n, ["env", f"CPL_LB_COMPONENT={component}", f"LD_PRELOAD={beside} {preload}"] + command)
             for n, component, command, preload in programs]
    done = subprocess.run(recorded.job(mpiexec, words), cwd=where, capture_output=True, text=True, timeout=200,
                          env={**os.environ, "CPL_LB_ENERGY": "false", "CPL_LB_ENABLED": "true", "CPL_LB_DIR": out, **(env or {})})
    # Who ends first, in cpl_lb_terminate, takes the folder; who ends in MPI_Finalize makes one in it.
    second = [path for path in (os.path.join(out, name) for name in os.listdir(out)) if os.path.isdir(path)]
    results = recorded.summary_in(out), recorded.summary_in(second[0]) if len(second) == 1 else None
    good = done.returncode == 0 and None not in results
    check(good, f"{name}: ends well, with both results: {(done.stdout + done.stderr)[-600:] if not good else ''}")
    return results if good else None


def compare(name, results):
    """The waiting of each component in the whole run: the loops of the two may begin one step apart, because they begin
    with the most frequent field, and MPI's fields are other ones than the program's. MPI also sees what a coupler
    exchanges to set itself up, which is in its start-up."""
    own, mpi = (by_name(r) for r in results)
    check(sorted(own) == sorted(mpi), f"{name}: components {sorted(own)}, by MPI {sorted(mpi)}")
    compared = 0
    for component in own:
        by_calls, by_mpi = (c[component]["whole_waiting_s"] for c in (own, mpi))
        if by_calls <= least_s:
            continue
        compared += 1
        set_up = mpi[component]["startup"]["waiting_s"] or 0
        turns = turn_s * own[component]["steps"]["count"]
        check((1 - tolerance) * by_calls - turns <= by_mpi <= (1 + tolerance) * by_calls + set_up + turns,
              f"{name}: {component} waits {by_calls:.6f} s, by MPI {by_mpi:.6f} s, {100 * (by_mpi / by_calls - 1):+.3f} %")
    check(compared > 0, f"{name}: {compared} waits above {least_s} s")


def in_folder(name, programs, prepare=lambda where: None, env=None, also=lambda name, results: None):
    with tempfile.TemporaryDirectory() as where:
        prepare(where)
        results = both(name, programs, where, env)
        if results is not None:
            compare(name, results)
            also(name, results)


in_folder("own_calls", [(3, "", [os.path.join(folder, "own_calls")], "")],
          env={"CPL_LB_COMPONENTS": "ocean:0-1,atmosphere:2"})


def write(where, **files):
    for name, text in files.items():
        with open(os.path.join(where, name), "w") as out:
            out.write(text)


def on_oasis(where):
    """24 steps; 0.1 s of work in each for the ocean, 0.2 s for the atmosphere."""
    shutil.copy(os.path.join(examples, "oasis", "namcouple"), where)
    write(where, namelist_coupled="&namrun nn_steps = 24 /\n", namelist_ocean="&namload rn_shared = 0.1 /\n",
          namelist_atmosphere="&namload rn_shared = 0.2 /\n")


def on_coupled(where):
    """Its ocean waits for the atmosphere with MPI_Testall and short sleeps, its I/O server with MPI_Iprobe."""
    write(where, namelist_coupled="&namrun nn_steps = 24, nn_output = 4, nn_restart = 24 /\n",
          namelist_ocean="&namocean nn_nx = 48, nn_ny = 36 /\n&namload rn_shared = 0.1 /\n",
          namelist_atmosphere="&namatmosphere nn_nx = 20, nn_ny = 14 /\n&namload rn_shared = 0.15 /\n")


def same_verdict(name, results):
    for way, result in zip(("own calls", "MPI"), results):
        check(by_name(result)["ioserver"].get("idle_s") is not None, f"{name}, by {way}: the I/O server is one")
        check(result["run"]["gain_s"] is not None, f"{name}, by {way}: the critical path is known")


coupled = os.path.join(built_examples, "coupled")
if os.path.exists(os.path.join(coupled, "ocean")):
    in_folder("examples/coupled", [(1, name, [os.path.join(coupled, name)], "") for name in ("ocean", "atmosphere", "ioserver")],
              on_coupled, also=same_verdict)
oasis = os.path.join(built_examples, "oasis")
if os.path.exists(os.path.join(oasis, "ocean")):
    in_folder("examples/oasis", [(1, name, [os.path.join(oasis, program)], "")
                                 for name, program in (("ocean", "ocean"), ("atmos", "atmosphere"))], on_oasis)
recorded.end()
