"""What cpl_lb_terminate takes over a slow cable: terminate_cost.py BUILD MPI [MBIT_PER_S [DELAY_US [EVENTS]]].

Two nodes of four processes, all of one component, EVENTS (10^6) events each, over a cable of 1000 Mbit/s and 200
microseconds. Beside the time stand what the bytes that crossed to the root's node take at the speed of the cable, and
as plain messages of MPI in the same minute; then how long the times that have to cross would take as they are: 16 bytes
for each event of each process of the other node, or 32 for each event where that node writes its times itself, and
only the earliest and latest cross. By hand only: nothing here can be asserted on a busy machine. Needs the target
terminate_cost.
"""
import os
import re
import sys

from rig import Rig

EACH = 4


def run(rig, words, folder):
    before = rig.cable.bytes(2, 1)
    job = rig.run_mpi(EACH, [rig.build / 'tests/bench/terminate_cost', *words],
                      {'CPL_LB_DIR': str(folder), 'CPL_LB_TIMEOUT': '60'})
    assert job.status == 0, job
    return float(re.search(r'processes: +([0-9.]+) s', job.printed).group(1)), rig.cable.bytes(2, 1) - before


def measure(rig, folder, mbit_per_s, events, plain_B):
    took_s, crossed_B = run(rig, [events, 'library'], folder)
    link_s, _ = run(rig, [events, 'link', crossed_B], folder)
    at_line_s, plain_s = [8e-6 * n / mbit_per_s for n in (crossed_B, plain_B)]
    print(f'{took_s:.2f} s; {1e-6 * crossed_B:.1f} MB crossed: {at_line_s:.2f} s at {mbit_per_s:.0f} Mbit/s '
          f'({took_s / at_line_s:.1f} times that), {link_s:.2f} s as plain messages; '
          f'the times as they are: {1e-6 * plain_B:.1f} MB, {plain_s:.2f} s ({took_s / plain_s:.2f} times that)')


def main():
    build, mpi = sys.argv[1:3]
    mbit_per_s, delay_us, events = [float(word) for word in (sys.argv[3:] + ['1000', '200', '1e6'][len(sys.argv) - 3:])]
    with Rig(build, mpi, ahead_s=(0, 5000)) as rig:
        for ends in (1, 2), (2, 1):
            rig.cable.set(*ends, delay_us, mbit_per_s=mbit_per_s)
        for node in 1, 2:
            (rig.disk_of(node) / 'out').mkdir()
        print(f'load {os.getloadavg()[0]:.1f}')
        for name, folder, plain_B in (('one folder', rig.shared / 'out', 32 * events),
                                      ('a folder each', rig.disk / 'out', 16 * EACH * events)):
            print(name, end=': ')
            measure(rig, folder, mbit_per_s, int(events), plain_B)


if __name__ == '__main__':
    main()
