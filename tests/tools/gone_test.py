"""gone_test.py COMMAND: a command or option that earlier versions had ends with one line that says so, and status 2."""
import subprocess
import sys

command = sys.argv[1]

# What issue and CHANGELOG name, and where the line has to lead.
GONE = [
    ("history show .", "open_all"),
    ("history", "open_all"),
    ("import runs a b", "mpirun"),
    ("recover . --job=7", "mpirun"),
    ("cpmip . --centre form", "PUE"),
    ("cpmip --plan --scaling t.csv --years 5 --compare-svg x.svg", "cpmip study"),
    ("cpmip plan t.csv --years 5 --order a,b", "cpmip study"),
    ("cpmip . --compare --csv", "cpmip jobs --csv"),
    ("watch . --openmetrics out", "--json"),
    ("import timers --kind nemo timing.output", "cpl-lb-record"),
    ("import timers --kind=pace x.json", "e3sm_timing"),
    ("balance . --members 3", "cpmip plan"),
    ("balance . --launch pbs", "--template"),
    ("balance . --launch=cime", "--template"),
    ("balance . --tiles 3", "--allowed"),
    ("energy --gpu-limit 155 --gpu-average 91", "gpu_power_share"),
    ("energy t.csv --seconds 5", "host_idle_W"),
    ("energy t.csv --host-idle=30", "host_idle_W"),
    ("machine power t.csv --gpu-share 0.5", "gpu_power_share"),
    ("machine project t.csv --machine m --latency 1e-6", "[[network]]"),
    ("cpmip plan t.csv --years 5 --transfer-jobs a*", "cpmip jobs"),
    ("cpmip --plan --scaling t.csv --years 5 --resolution 1e6 --complexity 10", "--compare-svg"),
    ("project --loops x.csv --machine m --in 3", "in_B"),
    ("project --loops x.csv --machine m --out=3", "out_B"),
    ("project --loops x.csv --machine m --latency 1e-6", "[[network]]"),
    ("project --loops x.csv --machine m --halo 2", "--point-B"),
    ("project --loops x.csv --machine m --svg x.svg", "--json"),
    ("machine workflow x.toml --svg=x.svg", "--json"),
    ("machine gpu x --show", "machine gpu --json"),
    ("assert . --octave x.m", "--set"),
    ("machine fit x --all-threads", "--process-threads"),
    ("balance . --block 8", "multiple-of-8"),
    ("tune --block 8 -- sh", "multiple-of-8"),
    ("manager . --node-memory 64", "--cores-per-node 128:256"),
    ("balance . --template x -o y", "> FILE"),
    ("balance table --curves x --no-sharing", "--layout"),
    ("tune --order a,b -- sh", "order"),
    ("balance nodes . --kinds a=1:2 --share a+b --host-cores 2", "--share atmosphere:2+ocean"),
    ("predict nodes . --kinds a=1:2 --share a+b --host-cores=2", "--share atmosphere:2+ocean"),
    ("balance . --kinds a=1:2 --share a+b --host-cores 2", "--share atmosphere:2+ocean"),
    ("predict changes . --lag T=1 --pes a=4 --allowed a=4", "--pes ... --allowed"),
    ("predict . --lag T=1 --pes a=4 --allowed a=4", "--pes ... --allowed"),
    ("manager --loops x.csv", "whole coupling cycles"),
]
failed = 0
for words, leads_to in GONE:
    done = subprocess.run([command, *words.split()], capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode != 2 or len(lines) != 1 or " is gone: " not in lines[0] or leads_to not in lines[0] or done.stdout:
        failed += 1
        print(f"{words}: status {done.returncode}, {done.stderr!r}")
# A word of the user's own command is not ours.
done = subprocess.run([command, "tune", "nowhere", "--", "sh", "-c", "exit 3", "--launch", "pbs"], capture_output=True, text=True)
if " is gone: " in done.stderr:
    failed += 1
    print(f"behind --: {done.stderr!r}")
sys.exit(1 if failed else 0)
