"""What a run left, and what the model knows to be true (nodes_model.cpp)."""
import json
import math
import pathlib

import netCDF4
import numpy


def info(folder):
    return json.loads((pathlib.Path(folder) / 'load_balancing_info.json').read_text())


def component(run, name):
    return next(c for c in run['components'] if c['name'] == name)


class Timeline:
    """Times in nanoseconds, one row for each process, only the events of the coupling (PUT 1, GET 2)."""

    def __init__(self, folder, name):
        with netCDF4.Dataset(pathlib.Path(folder) / f'timeline_{name}.nc') as f:
            f.set_auto_mask(False)
            coupling = numpy.isin(f['kind'][:], [1, 2])
            self.start = f['timer_strt'][:, coupling] * 1e9
            self.stop = f['timer_stop'][:, coupling] * 1e9
            self.bounds_ns = numpy.atleast_1d(f['clock_error_bound'][:]) * 1e9


def truth(path):
    """Of one process: an array of events, each with four times [ns]. They count from a day of this year, because a double
    has steps of 256 ns where it counts from 1970."""
    times = numpy.loadtxt(path, dtype=numpy.int64, ndmin=2)
    return times % (10 ** 9 * 10 ** 7)


def check_times(folder, truth_file, ranks):
    """Each time in the timelines lies between the two readings of the system's clock around it, give or take the bound
    that the run states for this process. ranks: of each component, in the order of its rows. The zero of the run is
    what the times of rank 0, whose clock is the run's, allow. How far off the worst time is, as a share of its bound."""
    timelines = {name: Timeline(folder, name) for name in ranks}
    rows = [(timelines[name], row, truth(f'{truth_file}.{rank}'), rank)
            for name, of in ranks.items() for row, rank in enumerate(of)]
    rows.sort(key=lambda r: r[3])
    earliest, latest = -math.inf, math.inf  # of zero
    worst = 0.0
    for timeline, row, true, rank in rows:
        start, stop = timeline.start[row], timeline.stop[row]
        assert len(start) == len(true), f'process {rank}: {len(start)} events, not {len(true)}'
        low = min((true[:, 1] - start).min(), (true[:, 3] - stop).min())  # zero is not later than this
        high = max((true[:, 0] - start).max(), (true[:, 2] - stop).max())
        bound = float(timeline.bounds_ns[row])
        if rank == 0:
            earliest, latest = high - bound, low + bound
            assert earliest <= latest, f'process 0 contradicts itself by {earliest - latest} ns'
        off = max(high - latest, earliest - low, 0.0)
        assert off <= bound, f'process {rank}: {off} ns off, and its bound is {bound} ns'
        worst = max(worst, off / bound if bound > 0 else 0.0)
    return worst


def true_waiting_s(truth_file, ranks):
    """Of a component whose processes all did the same: the sum of latest stop - latest start (definitions.md, section 1)
    over the events of the window, which are all but those of the first and the last step. As the least and the most
    that the readings around each event allow."""
    of = [truth(f'{truth_file}.{rank}')[2:-2] for rank in ranks]
    latest = [numpy.max([t[:, i] for t in of], axis=0) for i in range(4)]
    least, most = latest[2] - latest[1], latest[3] - latest[0]
    return 1e-9 * numpy.maximum(least, 0).sum(), 1e-9 * numpy.maximum(most, 0).sum()
