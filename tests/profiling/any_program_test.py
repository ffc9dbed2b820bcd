"""cpl-lb-record in front of every kind of program: the job runs, with the sum and the exit status that it has to have.
What can be recorded is, and what cannot is told in one line."""
import os
import shutil
import subprocess
import sys
import tempfile

import recorded
from recorded import check

mpiexec, record, folder, mpi, mpicc = sys.argv[1:6]
other = "mpich" if mpi == "openmpi" else "openmpi"
clean = {name: value for name, value in os.environ.items() if name not in ("ASAN_OPTIONS", "CPL_LB_ENABLED")}
clean.update(CPL_LB_ENERGY="false", LSAN_OPTIONS="detect_leaks=0", ASAN_OPTIONS="detect_leaks=0")
one_component = "cpl_lb: all processes are one component, "


def start(words, env=None, **more):
    return subprocess.run(words, env={**clean, **(env or {})}, capture_output=True, text=True, timeout=100, **more)


def job(programs, env=None):
    """Lines with the sum, the exit status, lines of cpl_lb but the one on components, and results."""
    with tempfile.TemporaryDirectory() as results:
        done = start(recorded.job(mpiexec, programs), {"CPL_LB_DIR": results, **(env or {})})
        lines = [line for line in done.stderr.splitlines() if line.startswith("cpl_lb: ") and one_component not in line]
        sums = [line for line in done.stdout.splitlines() if line.startswith("sum")]
        return sums, done.returncode, lines, recorded.summary_in(results) is not None, done.stderr


def runs(what, program, why=None, options=(), env=None, status=0, told=True):
    """1 + 2 is 3. why: a part of the line on what is not recorded; None: it is recorded."""
    sums, code, lines, results, said = job([(2, [record, *options, *program])], env)
    good = len(sums) == 1 and sums[0].startswith("sum 3") and code == status
    check(good, f"{what}: {sums}, exit status {code}: {'' if good else said[-500:]}")
    check(results == (why is None), f"{what}: {'' if results else 'no '}results")
    check(len(lines) == (1 if why and told else 0) and all(why in line for line in lines), f"{what}: told: {lines}")


def script(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def copied(where, name, bits=0o755):
    path = os.path.join(where, name)
    shutil.copy(program, path)
    os.chmod(path, bits)
    return path


def compiled(where, name, *words):
    """By clang, whatever MPI's command for the compiler else calls."""
    path = os.path.join(where, name)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "any_program.c")
    done = start([mpicc, source, "-o", path, *words], {"OMPI_CC": "clang", "MPICH_CC": "clang"})
    check(done.returncode == 0, f"{name} is compiled: {done.stderr[-300:]}")
    return path


program = os.path.join(folder, "any_program")
asan = os.path.join(folder, "any_program_asan")
static = os.path.join(folder, "static_program")
library = max((name for name in os.listdir(os.path.dirname(record)) if name.startswith(f"libcpl_lb_mpi-{mpi}.so.")),
              key=lambda name: -len(name))  # .so.0, not .so.0.2.0


def sanitizers(where):
    runs("AddressSanitizer", [asan])
    runs("AddressSanitizer, with an exit status", [asan, "3"], status=3)
    runs("AddressSanitizer with options of its own", [os.path.join(folder, "any_program_asan_options")])
    runs("AddressSanitizer, linked statically", [os.path.join(folder, "any_program_asan_static")])
    runs("clang's AddressSanitizer", [compiled(where, "static_asan", "-fsanitize=address")])
    runtime = os.path.dirname(start(["clang", f"-print-file-name=libclang_rt.asan-{os.uname().machine}.so"]).stdout)
    runs("clang's AddressSanitizer as a library", [compiled(where, "shared_asan", "-fsanitize=address", "-shared-libasan",
                                                            f"-Wl,-rpath,{runtime}")])
    runs("clang's UBSan", [compiled(where, "ubsan", "-fsanitize=undefined")])
    runs("switched off", [asan], why="-", told=False, env={"CPL_LB_ENABLED": "false"})
    runs("MemorySanitizer", [os.path.join(folder, "any_program_like_msan")], why="built with MemorySanitizer")
    sets_options = script(where, "sets_options", '#!/bin/sh\nexport ASAN_OPTIONS=detect_leaks=0\nexec "$@"\n')
    runs("AddressSanitizer behind a script that sets its options", [sets_options, asan])
    done = start([record, "sh", "-c", 'echo "$ASAN_OPTIONS"'], {"ASAN_OPTIONS": "detect_leaks=0:color=never"})
    check(done.stdout == "detect_leaks=0:color=never:verify_asan_link_order=0\n", f"the user's options stay: {done.stdout}")


def scripts(where):
    for name, text in (("exec", '#!/bin/sh\nexec "$@"\n'), ("bash", '#!/usr/bin/env bash\n"$@"\n'),
                       ("cd", '#!/bin/sh\ncd /\n"$@"\n'),
                       ("python", "#!/usr/bin/env python3\nimport os, sys\nos.execv(sys.argv[1], sys.argv[1:])\n")):
        runs(name, [script(where, name, text), asan])
    runs("env", ["env", "A=1", program])
    runs("sh -c", ["sh", "-c", f"'{program}'"])
    hidden = script(where, "hidden", f"#!/bin/sh\n'{program}'\n")
    runs("a script that names no program", [hidden])
    os.mkdir(os.path.join(where, "a blank"))
    runs("a blank in the path", [copied(where, "a blank/any program")])
    interpreter = copied(where, "setuid_shell")
    shutil.copy(shutil.which("sh"), interpreter)
    os.chmod(interpreter, 0o4755)
    runs("a setuid interpreter", [script(where, "by_setuid", f"#!{interpreter}\n'{program}'\n")], why="its interpreter")


def without_rights(where):
    for name, bits in (("setuid", 0o4755), ("setgid", 0o2755)):
        runs(name, [copied(where, name, bits)], why="is setuid or setgid")
    # A stand-in for getcap, because only root gives capabilities.
    tools = os.path.join(where, "tools")
    os.mkdir(tools)
    script(tools, "getcap", '#!/bin/sh\ncase $1 in */capable) echo "$1 cap_net_raw=ep" ;; esac\n')
    found_first = {"PATH": tools + ":" + os.environ["PATH"]}
    runs("file capabilities", [copied(where, "capable")], why="has file capabilities", env=found_first)
    runs("no file capabilities", [copied(where, "incapable")], env=found_first)
    # On OpenMPI each executable tells it once. Elsewhere processes only know whether they are the first of the job.
    setuid = os.path.join(where, "setuid")
    asked = start(recorded.job(mpiexec, [(1, ["sh", "-c", 'echo "counts $OMPI_APP_CTX_NUM_PROCS"']), (2, ["true"])]))
    for first, lines in ((True, 1), (False, 1 if "counts 1 2" in asked.stdout else 0)):
        programs = [(1, [record, program]), (2, [record, setuid])]
        sums, code, said, _, _ = job(programs[::-1] if first else programs, {"CPL_LB_TIMEOUT": "1"})
        check(code == 0 and len(sums) == 1 and sum("setuid" in line for line in said) == lines,
              f"one executable of two is not recorded: {lines} lines: {said}")


def without_mpi(where):
    def alone(what, words, code, why=None, env=None, **more):
        done = start(words, env, **more)
        lines = done.stderr.splitlines()
        good = len(lines) == (1 if why else 0) and all(line.startswith("cpl_lb: ") and why in line for line in lines)
        check(done.returncode == code and good, f"{what}: {done.returncode}, {lines}")
        return done.stdout

    for name in ("static_program", "static_pie"):
        alone(name, [record, os.path.join(folder, name)], 0, "linked statically")
        alone(name + " --mpi", [record, "--mpi", other, os.path.join(folder, name)], 0, "linked statically")
        alone(name + ", off", [record, os.path.join(folder, name)], 0, env={"CPL_LB_ENABLED": ".false."})
    alone("for the other MPI", [record, "--mpi", other, "sh", "-c", "exit 7"], 7, f"was not installed for {other}")
    alone("no MPI", [record, "true"], 0)
    check(alone("a command that the shell has, too", [record, "echo", "-n", "x"], 0) == "x", "it is the system's")
    for name in ("a blank", "a:colon"):
        os.makedirs(os.path.join(where, name), exist_ok=True)
        copy = os.path.join(where, name, "cpl-lb-record")
        shutil.copy(record, copy)
        alone(f"{name} in the path of cpl_lb", [copy, "--mpi", mpi, "sh", "-c", "exit 7"], 7, "a blank or a colon")
    both = os.path.join(where, "both")
    os.mkdir(both)
    shutil.copy(record, both + "/cpl-lb-record")
    for name in ("openmpi", "mpich"):
        open(os.path.join(both, library.replace(mpi, name)), "w").close()
    alone("no MPI known", [both + "/cpl-lb-record", "sh", "-c", "exit 7"], 7, "its MPI is not known")
    # The line names the library that was taken, which is none.
    for what, words, env, taken in (("--mpi", ["--mpi", other, "sh", "-c", "exit 7"], {"OMPI_COMM_WORLD_RANK": "0"}, other),
                                    ("an argument", ["sh", "-c", "exit 7", "sh", program], {}, mpi),
                                    ("mpirun of OpenMPI", ["sh", "-c", "exit 7"], {"OMPI_COMM_WORLD_RANK": "0"}, "openmpi"),
                                    ("mpiexec of MPICH", ["sh", "-c", "exit 7"], {"MPI_LOCALRANKID": "0"}, "mpich")):
        alone(f"the MPI by {what}", [both + "/cpl-lb-record", *words], 7, f"libcpl_lb_mpi-{taken}.so", env=env)
    # The program brings a libstdc++ with it that has nothing of what cpl_lb needs.
    old = os.path.join(where, "old")
    os.mkdir(old)
    source = script(where, "nothing.c", "int main(void) { return 7; }\n")
    start([mpicc, "-shared", "-fPIC", "-Wl,-soname,libstdc++.so.6", "-o", old + "/libstdc++.so.6", source])
    start([mpicc, source, "-o", old + "/program", "-Wl,--no-as-needed,--disable-new-dtags,-rpath," + old, old + "/libstdc++.so.6"])
    alone("an old libstdc++", [record, old + "/program"], 7, "cannot load cpl_lb's library into it")
    alone("nobody finds a tool", [record, os.path.join(folder, "static_program")], 0, env={"PATH": "/nonexistent"})
    variables = {name: "mine" for name in ("name", "file", "program", "mpi", "rank", "here", "needed", "library", "text")}
    text = "echo " + " ".join("$" + name for name in variables)
    check(alone("variables", [record, "sh", "-c", text], 0, env=variables) == " ".join(["mine"] * 9) + "\n", "they stay")
    long = "x" * 100_000
    check(alone("a long argument", [record, "sh", "-c", 'echo "$1"', "sh", long], 0) == long + "\n", "it comes through")
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        for what, code in (("exit 7", 7), (static, 0)):
            done = start(["sh", "-c", f'exec "$0" sh -c "$1" {closed}', record, what])
            check(done.returncode == code, f"{what} with {closed}: {done.returncode}")


def not_there(where):
    plain_file = script(where, "plain_file", "")
    os.chmod(plain_file, 0o644)
    for what, code, part in ((os.path.join(where, "missing"), 127, "there is no such program"), ("cpl_lb_missing", 127, "no such"),
                             (plain_file, 126, "not a program"), (where, 126, "not a program")):
        done = start([record, what])
        check(done.returncode == code and part in done.stderr and done.stderr.count("\n") == 1, f"{what}: {done.stderr.strip()}")


def another_mpi(where):
    """A script that starts a program of the other MPI, with the library for this one in front of it."""
    build, run = shutil.which(f"mpicc.{other}"), shutil.which(f"mpiexec.{other}")
    check(build is not None and run is not None, f"{other} is there, too")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "any_program.c")
    start([build, source, "-o", where + "/other"])
    hidden = script(where, "starts_other", f"#!/bin/sh\nexec {where}/other \"$@\"\n")
    for enabled, lines in (("true", 1), ("false", 0)):
        done = start([run, "-n", "2", record, "--mpi", mpi, hidden, "1"], {"CPL_LB_ENABLED": enabled, "LD_PRELOAD": " libm.so.6::"})
        said = [line for line in done.stderr.splitlines() if "cpl-lb-record took the library for" in line]
        check("sum 3, 2 arguments" in done.stdout and len(said) == lines, f"another MPI, enabled {enabled}: {done.stdout} {done.stderr[-500:]}")
    told = start([run, "-n", "2", record, "--mpi", mpi, where + "/other"])
    check("sum 3" in told.stdout and f"was not installed for {other}" in told.stderr, "the program's own MPI counts")


for part in (sanitizers, scripts, without_rights, without_mpi, not_there, another_mpi):
    with tempfile.TemporaryDirectory() as where:
        part(where)
recorded.end()
