"""Random programs under MPI, recorded: what is said of them, beside what their replay knows."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "profiling"))
from recorded import check, end  # noqa: E402

mpiexec, record, _, write_script, play = sys.argv[1:6]
seeds = [int(s) for s in sys.argv[6:]]

for seed in seeds:
    with tempfile.TemporaryDirectory() as where:
        script = os.path.join(where, "script")
        words, processes, *lines = subprocess.run([write_script, str(seed), script], capture_output=True, text=True,
                                                  check=True).stdout.splitlines()
        parts = [line.split() for line in lines]
        component_of_rank = []
        for number, (ranges, _, _) in enumerate(parts):
            first, last = ranges.split(":")[1].split("-")
            component_of_rank += [str(number)] * (int(last) - int(first) + 1)
        done = subprocess.run([mpiexec, "-n", processes, record, "--components", ",".join(p[0] for p in parts),
                               play, script, *component_of_rank], cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_ENERGY": "false"})
        check(done.returncode == 0, f"{seed}, {words}: ends well {done.stderr[-300:] if done.returncode else ''}")
        with open(os.path.join(where, "load_balancing_info.json")) as file:
            info = json.load(file)
        why = info["balance"].get("why_no_path") or ""
        check("which nobody" not in why and "ring" not in why, f"{seed}: {why}")
        # Where the largest two shares differ by 15 points, and none computes about half of the time: machines are noisy.
        busy = sorted(((float(path), ranges.split(":")[0]) for ranges, path, computing in parts if float(computing) > 0.5),
                      reverse=True)
        near = any(0.35 < float(computing) < 0.65 for _, _, computing in parts)
        if why or near or not busy or (len(busy) > 1 and busy[0][0] - busy[1][0] < 0.15):
            continue
        check(info["balance"]["slow_side"] == busy[0][1], f"{seed}: slow side {info['balance']['slow_side']}, by the replay {busy}")
end()
