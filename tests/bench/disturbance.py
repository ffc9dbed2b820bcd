#!/usr/bin/env python3
"""How long processes are ready and have no processor: the figure behind "Caution: processes of ..." (docs/definitions.md).

disturbance.py EXAMPLE EXECUTABLES FOLDER [CASE...]: runs the coupled model of EXAMPLE (examples/coupled) with loads that
compute (or sleep), as many processes as processors and twice as many, alone and beside processes that do nothing but
compute. "Others": what everything else on the machine took of its processors meanwhile; the figures of "alone" are
worth something where that is little.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

PROCESSORS = os.cpu_count()


def busy_seconds():
    """Of all processors since the machine started, everything but idle and waiting for disks."""
    fields = [int(f) for f in open('/proc/stat').readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf('SC_CLK_TCK')


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds_of(pid):
    fields = open(f'/proc/{pid}/stat').read().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def run(example, bin_folder, folder, each, computes):
    """The model with `each` processes for ocean and for atmosphere: 40 steps of 0.1 s."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'namelist_cpl_lb').write_text('&namcpl_lb ln_lb = .true., ln_report = .false. /\n')
    (folder / 'namelist_coupled').write_text('&namrun nn_steps = 40, nn_output = 99, nn_restart = 99 /\n')
    load = f"&namload rn_load = 0.1, ln_busy = {'.true.' if computes else '.false.'} /\n"
    for component in ('ocean', 'atmosphere'):
        (folder / f'namelist_{component}').write_text(load)
    subprocess.run([example / 'run.sh', '--bin', bin_folder, '--np', str(each), str(each), '0', folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads((folder / 'load_balancing_info.json').read_text()), (folder / 'load_balancing_info.txt').read_text()


def measure(example, bin_folder, folder, case):
    each, neighbours, computes = case
    others = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(neighbours)]
    started, busy, own = time.monotonic(), busy_seconds(), own_seconds()
    try:
        info, text = run(example, bin_folder, folder, each, computes)
        took = time.monotonic() - started
        rest = busy_seconds() - busy - (own_seconds() - own) - sum(seconds_of(process.pid) for process in others)
    finally:
        for process in others:
            process.kill()
            process.wait()
    shares = [component['no_processor']['max'] / component['loop_s'] for component in info['components']]
    return max(shares), 'disturbed' in text, rest / took / PROCESSORS


CASES = {
    'sleeping, alone': (PROCESSORS // 2, 0, False),
    'computing, alone': (PROCESSORS // 2, 0, True),
    'computing, one busy process beside': (PROCESSORS // 2, 1, True),
    'computing, a busy process for each processor beside': (PROCESSORS // 2, PROCESSORS, True),
    'computing, two processes for each processor': (PROCESSORS, 0, True),
}


def main():
    example, bin_folder, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    print(f'{PROCESSORS} processors')
    for name in sys.argv[4:] or CASES:
        share, said, rest = measure(example, bin_folder, folder / name.replace(' ', '_').replace(',', ''), CASES[name])
        print(f"{name}: up to {100 * share:.1f} % of a loop, {'' if said else 'not '}called disturbed; "
              f"others took {100 * rest:.0f} %", flush=True)


if __name__ == '__main__':
    main()
