"""Ways of passing messages that were read wrongly once, and who is slow in them (patterns.c)."""
import json
import os
import re
import subprocess
import sys
import tempfile

from recorded import check, end, job, summary_in

mpiexec, record, folder = sys.argv[1:4]


def run(case, processes, components, output=None):
    with tempfile.TemporaryDirectory() as where:
        names = ["--components", components] if components else []
        done = subprocess.run([mpiexec, "-n", str(processes), record, *names, os.path.join(folder, "patterns"), case], cwd=where,
                              env={**os.environ, "CPL_LB_ENERGY": "false"}, capture_output=True, text=True, timeout=100)
        check(done.returncode == 0, f"{case}: ends well {done.stderr[-300:] if done.returncode else ''}")
        if output is not None:
            output.append(done.stdout)
        with open(os.path.join(where, "load_balancing_info.json")) as file:
            return json.load(file)


def slow_side(case, info, expected):
    balance = info["balance"]
    check(not balance.get("why_no_path"), f"{case}: the critical path is known: {balance.get('why_no_path')}")
    check(balance["slow_side"] == expected, f"{case}: slow side {balance['slow_side']}")


slow_side("master", run("master", 4, "hub:0,workers:1-3"), "workers")
slow_side("hub", run("hub", 4, "hub:0,ocean:1-2,atmosphere:3"), "atmosphere")


def without(case, who, processes):
    """The job of `processes`, {component: how many}, in which `who` is not recorded. Gives the summary and the verdict."""
    program = [os.path.join(folder, "patterns"), case]
    with tempfile.TemporaryDirectory() as where:
        words = job(mpiexec, [(count, program if name == who else [record, "--component", name, *program])
                              for name, count in processes.items()])
        done = subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_ENERGY": "false", "CPL_LB_TIMEOUT": "2"})
        check(done.returncode == 0, f"{case} without {who}: ends well {done.stderr[-300:] if done.returncode else ''}")
        with open(os.path.join(where, "load_balancing_info.txt")) as file:
            return summary_in(where), " ".join(file.read().split("-----")[0].split())


# One program of three or two is not recorded: the verdict says who waits for it, and that its record would tell.
for case, who, processes in (("hub", "atmosphere", {"hub": 1, "ocean": 2, "atmosphere": 1}),
                             ("hub", "hub", {"hub": 1, "ocean": 2, "atmosphere": 1}),
                             ("master", "hub", {"hub": 1, "workers": 3}), ("master", "workers", {"hub": 1, "workers": 3})):
    info, words = without(case, who, processes)
    check(info["balance"]["slow_side"] is None and info["run"]["gain_s"] is None, f"{case} without {who}: neither slow side nor gain")
    check("A program was not recorded, and without its record nobody can know what the bottleneck is: " in words
          and " of its time waiting for it" in words, f"{case} without {who}: {words}")
    # Processes of one component may: how they do is known from their own records.
    between = words.replace("processes wait for each other", "")
    check("is the bottleneck" not in between and "wait for each other" not in between, f"{case} without {who}: nothing more")

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
# Each waits 5 and 35 ms in turns, the component 35 ms in each step: more than any of its processes. The loop goes from
# the second step to the last one.
said = []
info = run("in_turns", 3, "ocean:0-1,atmosphere:2", said)
ocean = info["components"][0]
own = ocean["process_waiting_s"]
told = re.findall(r"waited \d ([0-9.]+) ([0-9.]+)", said[0])
waited = sorted(float(seconds) for seconds, _ in told)
# Both clocks look at the same calls; between their readings a process may lose its processor.
bound = 0.02 * ocean["loop_s"] + max(float(lost) for _, lost in told)
check(len(waited) == 2 and abs(own["min"] - waited[0]) < bound and abs(own["max"] - waited[1]) < bound,
      f"in turns: by the processes' own clocks {waited} s, told {own}, bound {bound:.4f}")
check(own["min"] <= own["mean"] <= own["max"] and own["count"] == 2, f"in turns: the mean lies between: {own}")
check(ocean["waiting_s"] > own["max"], f"in turns: the component waits {ocean['waiting_s']} s")
end()
