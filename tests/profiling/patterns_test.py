"""Ways of passing messages that were read wrongly once, and who is slow in them (patterns.c)."""
import json
import os
import subprocess
import sys
import tempfile

from recorded import check, end

mpiexec, record, folder = sys.argv[1:4]


def run(case, processes, components):
    with tempfile.TemporaryDirectory() as where:
        names = ["--components", components] if components else []
        done = subprocess.run([mpiexec, "-n", str(processes), record, *names, os.path.join(folder, "patterns"), case], cwd=where,
                              env={**os.environ, "CPL_LB_ENERGY": "false"}, capture_output=True, text=True, timeout=100)
        check(done.returncode == 0, f"{case}: ends well {done.stderr[-300:] if done.returncode else ''}")
        with open(os.path.join(where, "load_balancing_info.json")) as file:
            return json.load(file)


def slow_side(case, info, expected):
    balance = info["balance"]
    check(not balance.get("why_no_path"), f"{case}: the critical path is known: {balance.get('why_no_path')}")
    check(balance["slow_side"] == expected, f"{case}: slow side {balance['slow_side']}")


slow_side("master", run("master", 4, "hub:0,workers:1-3"), "workers")
slow_side("hub", run("hub", 4, "hub:0,ocean:1-2,atmosphere:3"), "atmosphere")

info = run("one_tag", 2, "ocean:0,atmosphere:1")
slow_side("one tag", info, "atmosphere")
# 24 steps; the loop leaves out the first one and the last.
counts = {c["name"]: c["steps"]["count"] for c in info["components"]}
check(counts == {"ocean": 22, "atmosphere": 22}, f"one tag: steps {counts}")

info = run("named", 2, "")
check([c["name"] for c in info["components"]] == ["ocean", "atmosphere"], f"named: {[c['name'] for c in info['components']]}")
slow_side("named", info, "atmosphere")
waits = list(info["components"][0]["waiting_for"])
check(waits == ["atmosphere"], f"named: the ocean waits for {waits}")

info = run("blocks", 3, "")
slow_side("blocks", info, "patterns color 1")
check(info["remarks"] == [] or "matched by their times" not in str(info["remarks"]), f"blocks: remarks {info['remarks']}")
check(all(c["jitter_s"] < c["loop_s"] for c in info["components"]),
      f"blocks: jitter {[c['jitter_s'] for c in info['components']]} in loops {[c['loop_s'] for c in info['components']]}")
# 24 steps, without the first and the last; 24 + 3 gathers.
counts = [c["steps"]["count"] for c in info["components"]]
check(counts == [22, 22], f"blocks: steps {counts}")

slow_side("bcast", run("bcast", 2, "ocean:0,atmosphere:1"), "atmosphere")
end()
