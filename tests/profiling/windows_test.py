"""Components that exchange through windows only (windows.c). b waits for a: (60 - 20) ms in each of 12 steps, two thirds of its
time. Where MPI does not show it, that is said, and nothing that is not known."""
import json
import os
import re
import subprocess
import sys
import tempfile

from recorded import by_name, check, end, job, summary_in

mpiexec, record, folder, command = sys.argv[1:5]
by_sleeps = 12 * (0.06 - 0.02)
hidden = "a and b exchange through windows of MPI: who waits there is not known"
beside = "a and b exchange through windows of MPI, too: who waits there is not known"
claims = re.compile("bottleneck|balanced|equally slow|wait for each other|Lost to waiting|to gain|useful work|hardly waits|With a on")


def run(way):
    """The verdict, the summary, b's wait by its own clock, and what predict says."""
    with tempfile.TemporaryDirectory() as where:
        words = [record, "--components", "a:0,b:1", os.path.join(folder, "windows"), way]
        done = subprocess.run(job(mpiexec, [(2, words)]), cwd=where, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "CPL_LB_ENERGY": "false"})
        summary, waited = summary_in(where), re.search(r"waited ([0-9.]+), ([0-9.]+)", done.stdout)
        check(done.returncode == 0 and summary is not None and waited is not None, f"{way}: ends well: {done.stderr[-300:]}")
        seconds = float(waited[1]), float(waited[2])
        # On a busy machine b's sleeps are longer, too.
        check(seconds[0] >= 0.7 * by_sleeps, f"{way}: b waited {seconds[0]} s, by the sleeps {by_sleeps}")
        with open(os.path.join(where, "load_balancing_info.txt")) as file:
            verdict = " ".join(file.read().split("\nComponent")[0].split("\ncpl_lb ")[0].split())
        predicted = subprocess.run([command, "predict", where, "--faster", "a=2"], capture_output=True, text=True)
        again = subprocess.run([command, "summary", where, "--json"], capture_output=True, text=True)
        check(again.returncode == 0 and json.loads(again.stdout)["run"]["waiting_share"] == summary["run"]["waiting_share"],
              f"{way}: the same from its files: {again.stderr}")
        return verdict, summary, seconds, predicted


def waits_for_a(summary):
    w = by_name(summary)["b"]["waiting_for"].get("a", {"get_s": 0, "put_s": 0})
    return w["get_s"] + w["put_s"]


for way in ("lock", "flush", "request", "own", "shared", "answer"):
    verdict, summary, _, predicted = run(way)
    check(hidden in verdict and not claims.search(verdict), f"{way}: {verdict}")
    check(summary["run"]["waiting_share"] is None and summary["run"]["gain_s"] is None and not summary["balance"]["slow_side"],
          f"{way}: {summary['run']['waiting_share']}, {summary['run']['gain_s']}, {summary['balance']['slow_side']}")
    efficiencies = [e for c in [summary["run"], *summary["components"]] for e in c["efficiency"].values()]
    check(set(efficiencies) == {None}, f"{way}: efficiencies {efficiencies}")
    check(predicted.returncode != 0, f"{way}: predict: {predicted.stdout} {predicted.stderr}")
    # Thousands of polls, and no event of them: windows are made and freed, a Barrier, the end of the run, and 12 answers.
    events = {c["name"]: c["events"] for c in summary["components"]}
    check(max(events.values()) <= 6 + (12 if way == "answer" else 0), f"{way}: events {events}")

for way, said in (("fence", "a is the bottleneck: b spends"), ("post", "b only takes data, idle"), ("set_up", "b only takes data, idle")):
    verdict, summary, (whole, inner), _ = run(way)
    got = waits_for_a(summary)
    # The loop leaves out the first step and the last, or, with fences, none: the Barrier and Win_free are like them.
    check(0.95 * inner - 0.005 <= got <= 1.05 * whole + 0.005, f"{way}: b waits {got} s for a, by its own clock {inner} to {whole} s")
    check(said in verdict, f"{way}: {verdict}")
    check((beside in verdict) == (way == "set_up") and hidden not in verdict, f"{way}: what is said of windows")

end()
