"""One clock from nodes whose clocks differ: clocks_test.py BUILD MPI CASE [RUNS].

CASE clocks: clocks thousands of seconds apart (time namespaces), with a drift (tests/stubs/skewed_clock.c), over a cable
that takes 2000 microseconds one way and 50 the other. CASE random: RUNS times with delays up to 5 ms, asymmetries up to the
delay itself, jitter, offsets and drifts by a fixed seed. In each run every time in the timelines has to be true within the
bound that the run states (results.py, check_times). Not part of the tests; once by hand:
  python3 tests/nodes/clocks_test.py build/dev openmpi random 100
"""
import random
import sys

from nodes_test import good, model, settings
from results import check_times, info
from rig import Rig

RANKS = {'ocean': [0], 'atmosphere': [1]}  # one process on each node


def run_once(rig, number, there_us, back_us, jitter_us, skew):
    rig.cable.set(1, 2, there_us, jitter_us)
    rig.cable.set(2, 1, back_us, jitter_us)
    folder, truth = rig.shared / f'out{number}', rig.shared / f'truth{number}'
    preload = {'LD_PRELOAD': str(rig.build / 'tests/stubs/libskewed_clock.so'), 'SKEW_1': skew}
    # What jitter and asymmetry do to the order of a PUT and a GET is within the bound: never a violation.
    good(rig.run_mpi(1, model(rig, truth, steps=20, ocean_ms=8, atmosphere_ms=3),
                     {**settings(folder, CPL_LB_CLOCK='gettime'), **preload}))
    run = info(folder)
    assert run['clock']['nodes'] == 2, run['clock']
    assert run['clock']['order_violations'] == 0, run['clock']
    return run['clock']['error_bound_s'], check_times(folder, truth, RANKS)


def clocks(rig):
    bound_s, share = run_once(rig, 0, 2000, 50, 0, '100 30')
    # Half of the fastest round trip; a cable is never faster than it is said to be.
    assert bound_s >= 0.5 * (2000e-6 + 50e-6), bound_s
    # The offset is off by half the difference of both ways, 975 of at least 1025 microseconds, give or take half of
    # what the round trip took longer: a bound that were much too large would not come out so.
    print(f'bound {1e6 * bound_s:.0f} microseconds, off by {100 * share:.0f} % of it')


def random_runs(rig, runs):
    dice = random.Random(18)
    shares = []
    for number in range(runs):
        delay_us = dice.uniform(20, 5000)
        asymmetry_us = dice.uniform(-delay_us, delay_us)
        values = (delay_us + asymmetry_us, delay_us - asymmetry_us, dice.choice([0, 0, dice.uniform(0, 500)]))
        skew = f'{dice.uniform(-2000, 2000):.6f} {dice.uniform(-200, 200):.1f}'
        bound_s, share = run_once(rig, number, *values, skew)
        shares.append(share)
        print(f'{number}: {values[0]:.0f} and {values[1]:.0f} microseconds, jitter {values[2]:.0f}, clock {skew}: bound '
              f'{1e6 * bound_s:.1f} microseconds, off by {100 * share:.1f} %', flush=True)
    print(f'{runs} of {runs} within their bounds; the worst time of a run is off by {100 * min(shares):.0f} to '
          f'{100 * max(shares):.0f} % of its bound')


def main():
    build, mpi, case = sys.argv[1:4]
    with Rig(build, mpi, ahead_s=(0, 5000)) as rig:
        if case == 'clocks':
            clocks(rig)
        else:
            random_runs(rig, int(sys.argv[4]))
    print(f'nodes {case}: good')


if __name__ == '__main__':
    main()
