"""Two components in Python: `ocean` sends every 0.1 s, `atmosphere` waits, and prints how long, as two_models.c does."""
import sys
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
waited = 0.0
for step in range(8):
    if sys.argv[1] == "ocean":
        time.sleep(0.1)
        world.send({"sst": step}, dest=1, tag=7)
    else:
        before = time.perf_counter()
        got = world.recv(source=0, tag=7)
        if 1 <= step < 7:
            waited += time.perf_counter() - before
        if got != {"sst": step}:
            print("wrong:", got, flush=True)
if sys.argv[1] != "ocean":
    print(f"waited {waited:.6f}", flush=True)
