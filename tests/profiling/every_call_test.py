"""Every row of the table of MPI's calls, with and without the recording: what the model sees is the same, and no row is
without a call. The recorder stands in front of another profiling library, which sees all calls, too (listener.cpp)."""
import os
import subprocess
import sys
import tempfile

from recorded import check, end

mpiexec, record, folder, listener = sys.argv[1:5]
# OpenMPI's other ways to a window need hardware. OpenMPI 5 has no pt2pt any more.
version = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=True).stdout
windows = "sm,rdma" if "(Open MPI) 5" in version else "sm,pt2pt"


def run(program, options=None, listen=False, preload=None, processes=2):
    """Sorted output, all that was said, exit status, and what the listener of each process heard."""
    with tempfile.TemporaryDirectory() as where:
        words = [mpiexec, "-n", str(processes)]
        libraries = preload or ([listener] if listen else [])
        if libraries:
            words += ["env", "LD_PRELOAD=" + ":".join(libraries)]
        words += ([record] + options if options is not None else []) + program
        done = subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_ENERGY": "false", "OMPI_MCA_osc": windows,
                                   "LISTENER_FILE": os.path.join(where, "heard")})
        heard = []
        for rank in range(processes):
            path = os.path.join(where, f"heard.{rank}")
            heard.append([line.split() for line in open(path)] if os.path.exists(path) else [])
        lines = [line for line in done.stdout.splitlines() if line[:2] in ("0 ", "1 ")]
        return sorted(lines), done.stdout + done.stderr, done.returncode, heard


def table(heard, kind):
    return {words[1]: int(words[2]) for words in heard if words[0] == kind}


every = [os.path.join(folder, "every_call")]
plain, said, code, _ = run(every)
check(code == 0 and len(plain) > 300, f"alone: {len(plain)} lines: {said[-500:] if code else ''}")
alone, chapters = None, 1
for what, options in (("without recording", None), ("one component", ["--component", "all"]),
                      ("two components", ["--components", "a:0,b:1"])):
    lines, said, code, heard = run(every, options, listen=True)
    differs = [pair for pair in zip(plain, lines) if pair[0] != pair[1]][:3]
    check(code == 0 and lines == plain, f"{what}: the same is printed: {said[-500:] if code else differs}")
    rows = {words[1] for words in heard[0] if words[0] == "row"}
    calls = [table(h, "call") for h in heard]
    missing = sorted(r for r in rows if not any(c.get(r, 0) for c in calls))
    check(len(rows) > 150 and not missing, f"{what}: all of {len(rows)} rows are called, and seen by the library behind: {missing}")
    # No call comes twice or is lost on its way through the recorder. How often a program polls differs, and the library
    # sends its own messages with some functions.
    varies = {"MPI_" + name for name in ("Test", "Testall", "Testany", "Testsome", "Iprobe", "Improbe", "Win_test", "Isend",
                                         "Request_get_status", "Parrived", "Irecv", "Imrecv", "Cancel")}
    counted = [{n: c for n, c in one.items() if n not in varies} for one in calls]
    if options is not None: # the library tries whether there is a communicator left, frees that, and makes its own
        for one in counted:
            one["MPI_Comm_create"] -= 2
            one["MPI_Comm_free"] -= 1
    if options is None:
        alone = counted
        chapters = 2 if "MPI_Send_c" in rows else 1 # with and without large counts
        continue
    differs = [{n: (here.get(n, 0), there.get(n, 0)) for n in here | there if here.get(n, 0) != there.get(n, 0)}
               for here, there in zip(counted, alone)]
    check(counted == alone, f"{what}: as many calls as without: {differs}")
    inside = [table(h, "inside") for h in heard]
    if what == "one component":
        # The oracle for files and windows: what the library behind saw, and the waits for their requests, which are 10 of
        # File_i... (two_models and hardships have the counts of messages) and 4 of Rput and its relatives.
        of_files = [sum(c for n, c in one.items() if n.startswith("MPI_File_")) + 10 * chapters for one in calls]
        check([i.get("3") for i in inside] == of_files, f"{what}: files: {inside}, calls and waits: {of_files}")
        sided = ("MPI_Win_", "MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Fetch", "MPI_Compare_and", "MPI_Rput", "MPI_Rget",
                 "MPI_Racc")
        of_windows = [sum(c for n, c in one.items() if n.startswith(sided)) + 4 * chapters for one in calls]
        check([i.get("2") for i in inside] == of_windows, f"{what}: one-sided: {inside}, calls and waits: {of_windows}")
    if what == "two components":
        # No call of both is inside: on files and windows there is only what waits for nobody.
        names = ("File_read", "File_read_at", "File_read_shared", "File_iread", "File_iread_at", "File_iread_shared",
                 "File_iread_all", "File_iread_at_all", "File_read_all_begin", "File_read_at_all_begin",
                 "File_read_ordered_begin")
        names += tuple(name.replace("read", "write") for name in names) + ("File_delete",)
        alone_there = {"MPI_" + name + large for name in names for large in ("", "_c")}
        # ... of whose requests 6 have waits inside.
        of_files = [sum(c for n, c in one.items() if n in alone_there) + 6 * chapters for one in calls]
        check([i.get("3") for i in inside] == of_files, f"{what}: files: {inside}, calls and waits: {of_files}")

# Fortran: the calls of representative.inc, counted there by hand for each class. Collective: Ibarrier, Iallreduce and their
# Waitall, Cart_create, Neighbor_allgather, Comm_dup, two of Comm_free. One-sided: Win_create, two fences, Get, Win_free. Files:
# open, set_view, write_at_all, iread_at and its Wait, close. Point to point: Send, Irecv, and Test as often as needed; two of Irecv, Cancel and Wait, of which nothing came.
by_hand = {"1": 8, "2": 5, "3": 6}
for program in sys.argv[5:]:
    words = [os.path.join(folder, program)]
    plain, said, code, _ = run(words)
    check(code == 0 and len(plain) == 12, f"{program} alone: {len(plain)} lines: {said[-300:] if code else ''}")
    for what, options in (("one component", ["--component", "all"]), ("two components", ["--components", "a:0,b:1"])):
        lines, said, code, heard = run(words, options, listen=True)
        check(code == 0 and lines == plain, f"{program}, {what}: the same is printed: {said[-500:] if lines != plain else ''}")
        inside = [table(h, "inside") for h in heard]
        if what == "one component":
            check(all({c: i.get(c) for c in by_hand} == by_hand and i.get("0", 0) >= 9 for i in inside),
                  f"{program}, {what}: calls inside {inside}, by hand {by_hand}")
        else:
            check([table(h, "span").get("2") for h in heard] == [1, 1], f"{program}, {what}: one message came to each")

end()
