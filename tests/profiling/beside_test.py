"""The same run recorded twice, by its own calls or its adapter and by MPI: both must say the same of the waiting."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import recorded
from recorded import by_name, check

mpiexec, record, folder, beside, examples, built_examples, tutorial = sys.argv[1:8]
least_s = 0.1  # of a wait that must agree ...
tolerance = 0.01
# A process may lose its processor between the two looks at the clock: a turn of the others is some 4 ms, and may come
# once in each coupling step of the run, of 0.1 s and more (an I/O server's own steps are longer: several coupling
# steps). What is counted twice, or not, is a tenth of the wait at least.
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
    results = [recorded.summary_in(path) for path in [out, *second]]
    for result, path in zip(results, [out, *second]):
        if result is not None:
            result["folder"] = path
    good = done.returncode == 0 and len(results) == 2 and None not in results
    check(good, f"{name}: ends well, with both results: {(done.stdout + done.stderr)[-600:] if not good else ''}")
    return results if good else None


def compare(name, results):
    """The waiting of each component in the whole run: the loops of the two may begin one step apart, because they begin
    with the most frequent field, and MPI's fields are other ones than the program's. MPI also sees what a coupler
    exchanges to set itself up, which is in its start-up."""
    own, mpi = (by_name(r) for r in results)
    check(sorted(own) == sorted(mpi), f"{name}: components {sorted(own)}, by MPI {sorted(mpi)}")
    compared = 0
    turns = turn_s * max(c["steps"]["count"] for c in own.values())
    for component in own:
        by_calls, by_mpi = (c[component]["whole_waiting_s"] for c in (own, mpi))
        if by_calls <= least_s:
            continue
        compared += 1
        set_up = mpi[component]["startup"]["waiting_s"] or 0
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


def exchanges(result):
    """(source, target): how often each field went, as both ends counted it. A field all of whose events begin before the
    loop sets the coupler up; a further call for the same messages is no exchange."""
    found = {}
    for component, figures in by_name(result).items():
        path = os.path.join(result["folder"], f"timeline_{component}.nc")
        text = subprocess.run(["ncdump", "-v", "kind,field,component,timer_strt", path], capture_output=True, text=True, check=True).stdout
        names = re.search(r":component_names = ([^;]*);", text).group(1).replace('"', "").strip().split(",")
        fields = re.search(r":field_names = ([^;]*);", text).group(1).replace('"', "").strip().split(",")
        kinds, events, others, starts = ([float(n) for n in re.search(rf"\n {v} =([^;]*);", text).group(1).split(",")]
                                         for v in ("kind", "field", "component", "timer_strt"))
        in_loop = {f for f, start in zip(events, starts) if start > figures["startup"]["length_s"]}
        for (kind, field, other), times in collections.Counter(zip(kinds, events, others)).items():
            other = int(other)
            if kind in (1, 2) and field in in_loop and " #" not in fields[int(field) - 1]:
                key = (component, names[other - 1]) if kind == 1 else (names[other - 1], component)
                found.setdefault(key, {}).setdefault("PUT" if kind == 1 else "GET", []).append(times)
    return found


def on_tutorial(where):
    """Two days: FSENDOCN goes each 7200 s, FSENDATM each 10,800 s."""
    data = os.path.join(tutorial, "data")
    for name in os.listdir(data):
        shutil.copy(os.path.join(data, name), where)
    with open("/usr/share/doc/liboasis3-doc/examples/tutorial/data_oasis3/namcouple_TP") as file:
        text = file.read()
    write(where, namcouple=re.sub(r"\n\s*21600\n", "\n 172800\n", text).replace("EXPOUT", "EXPORTED"))


def same_story(name, results):
    """model2 computes 96 x 10 ms, model1 48 x 5 ms. The two loops may begin or end one step apart."""
    waits = []
    for way, result in zip(("the adapter", "MPI"), results):
        balance = result["balance"]
        check(balance["slow_side"] == "model2" and not balance["why_no_path"],
              f"{name}, by {way}: slow side {balance['slow_side']} {balance['why_no_path'] or ''}")
        found = exchanges(result)
        truth = {("model1", "model2"): 172800 // 7200, ("model2", "model1"): 172800 // 10800}
        loop = by_name(result)["model1"]
        waits.append((loop["waiting_s"], loop["steps"]["spread"]["waiting"]["max_s"]))
        check(found == {pair: {"PUT": [n], "GET": [n]} for pair, n in truth.items()}, f"{name}, by {way}: exchanges {found}")
    (first, step), (second, other_step) = waits
    check(abs(second - first) <= tolerance * first + 24 * turn_s + max(step, other_step),
          f"{name}: in its loop model1 waits {first:.6f} s, by MPI {second:.6f} s")


if os.path.isdir(tutorial): # where OASIS is installed
    in_folder("OASIS's tutorial", [(1, model, [os.path.join(tutorial, "longer_" + model)], "") for model in ("model1", "model2")],
              on_tutorial, also=same_story)
recorded.end()
