"""What cpl_lb_terminate takes over a slow cable: terminate_cost.py BUILD MPI [MBIT_PER_S [DELAY_US [EVENTS]]].

Two nodes of four processes, all of one component, EVENTS (10^6) events each, over a cable of 1000 Mbit/s and 200
microseconds. Beside the time stands what the bytes that crossed to the root's node take at the speed of the cable. By
hand only: nothing here can be asserted on a busy machine. Needs the target terminate_cost.
"""
import re
import sys

from rig import Rig


def measure(rig, folder, mbit_per_s, events):
    before = rig.cable.bytes(2, 1)
    job = rig.run_mpi(4, [rig.build / 'tests/bench/terminate_cost', events, 'library'],
                      {'CPL_LB_DIR': str(folder), 'CPL_LB_TIMEOUT': '60'})
    assert job.status == 0, job
    crossed_B = rig.cable.bytes(2, 1) - before
    took_s = float(re.search(r'processes: +([0-9.]+) s', job.printed).group(1))
    at_line_s = 8e-6 * crossed_B / mbit_per_s
    print(f'{took_s:.2f} s; {1e-6 * crossed_B:.1f} MB crossed, {at_line_s:.2f} s at {mbit_per_s:.0f} Mbit/s: '
          f'{took_s / at_line_s:.2f} times')


def main():
    build, mpi = sys.argv[1:3]
    mbit_per_s, delay_us, events = [float(word) for word in (sys.argv[3:] + ['1000', '200', '1e6'][len(sys.argv) - 3:])]
    with Rig(build, mpi, ahead_s=(0, 5000)) as rig:
        for ends in (1, 2), (2, 1):
            rig.cable.set(*ends, delay_us, mbit_per_s=mbit_per_s)
        for node in 1, 2:
            (rig.disk_of(node) / 'out').mkdir()
        for name, folder in ('one folder', rig.shared / 'out'), ('a folder each', rig.disk / 'out'):
            print(name, end=': ')
            measure(rig, folder, mbit_per_s, int(events))


if __name__ == '__main__':
    main()
