"""One run: its summary, and its timelines by component; and many runs as a table."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys

from cpl_lb import tables
from cpl_lb.errors import Error

SCHEMA = 'cpl_lb/1'
SUMMARY = 'load_balancing_info.json'


class Run:
    """What a run left in its folder. Tables are made when they are asked for first, and kept."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise Error(f'{self.folder}: is not a folder')
        #: load_balancing_info.json as a dict: docs/load_balancing_info.md
        self.summary = _summary(self.folder)

    def __repr__(self):
        return f'<cpl_lb run {self.id} in {self.folder}: {", ".join(self.components)}>'

    @property
    def id(self):
        """The run's name in all its files (run.id of the summary)."""
        return self.summary['run'].get('id')

    @property
    def components(self):
        """The names of the components, in the order of their ids."""
        return [c['name'] for c in self.summary['components']]

    @functools.cached_property
    def balance(self):
        """pandas.DataFrame: a row for each component, a column for each of its figures in the summary [s, B, J]."""
        return tables.balance(self.summary)

    @functools.cached_property
    def waiting_for(self):
        """pandas.DataFrame: get_s and put_s of each component (first index) for each other (second index)."""
        return tables.waiting_for(self.summary)

    @functools.cached_property
    def traffic(self):
        """pandas.DataFrame: messages, bytes and waited_s inside each component (first index), from one group of its processes
        to another (second and third index). Empty if MPI was not recorded."""
        return tables.traffic(self.summary)

    @functools.cached_property
    def waited_for(self):
        """pandas.DataFrame: of each component (first index) up to five processes (second index) for whose messages others
        inside it wait longest [s]. Empty if MPI was not recorded."""
        return tables.waited_for(self.summary)

    @functools.cached_property
    def steps(self):
        """pandas.DataFrame: the coupling steps [s] of each component (first index) by their number (second index)."""
        return tables.steps(self.summary)

    @functools.cached_property
    def region_steps(self):
        """pandas.DataFrame: regions' times [s] by component, region and number of the coupling step."""
        return tables.region_steps(self.summary)

    def timeline(self, component, clock='run'):
        """xarray.Dataset of a component: nothing but the header is read before it is used.

        clock: 'run': times are seconds since the run's start; 'utc': times are datetime64. The run's start is known to
        the second, so that 'utc' is up to a second off as a whole, the times between events are not.
        """
        if component not in self.components:
            raise Error(f'{self.folder}: no component {component!r}; there are {", ".join(self.components)}')
        if clock not in ('run', 'utc'):
            raise Error(f"clock is 'run' or 'utc', not {clock!r}")
        from cpl_lb import timelines  # so that the tables do without xarray
        return timelines.read(self.folder, component, self.summary, clock)


def open_all(folders):
    """pandas.DataFrame: a row for each run of these folders, in the order of their starts.

    What cannot be read, and what is a copy of a run before it, is told in one line on standard error and left out.
    """
    if isinstance(folders, (str, os.PathLike)):
        raise Error(f'open_all takes a list of folders, such as glob.glob({str(folders)!r})')
    rows, folder_of = [], {}
    for folder in folders:
        try:
            row = _row(folder)
            same = tuple(row[name] for name in ('run', 'started', 'ended', 'wall_s'))
            if same in folder_of:
                raise Error(f'{folder}: is the same run as {folder_of[same]}')
        except Error as error:
            print(f'cpl_lb: {error}; left out', file=sys.stderr)
            continue
        folder_of[same] = folder
        rows.append(row)
    return tables.runs(rows)


def _row(folder):
    run = Run(folder)
    try:
        return tables.row_of_run(folder, run.summary)
    except (AttributeError, KeyError, TypeError) as error:
        raise Error(f'{folder}: {SUMMARY} is damaged: {_one_line(error)}') from None


def _summary(folder):
    path = folder / SUMMARY
    if path.exists():
        source = str(path)
        try:
            text = path.read_text(encoding='utf-8')
        except (OSError, UnicodeDecodeError) as error:
            raise Error(f'{path}: cannot be read: {_one_line(error)}') from None
    elif any(folder.glob('timeline_*.nc')):
        source = f'cpl-lb summary {folder} --json'
        text = _worked_out(folder)
    else:
        raise Error(f'{folder}: holds no results: neither {SUMMARY} nor timeline_*.nc')
    try:
        summary = json.loads(text)
    except ValueError as error:
        raise Error(f'{source}: is no JSON: {_one_line(error)}') from None
    return _checked(summary, source)


def _checked(summary, source):
    schema = summary.get('schema') if isinstance(summary, dict) else None
    if schema != SCHEMA:
        raise Error(f'{source}: its schema is {schema!r}; this module reads {SCHEMA!r}')
    components = summary.get('components')
    if (not isinstance(summary.get('run'), dict) or not isinstance(components, list)
            or not all(isinstance(c, dict) and isinstance(c.get('name'), str) for c in components)):
        raise Error(f'{source}: has no run, or no components with names')
    return summary


def _worked_out(folder):
    """Timelines alone (of OASIS3-MCT, for example): the command works the summary out."""
    command = shutil.which('cpl-lb')
    if command is None:
        raise Error(f'{folder}: holds no {SUMMARY}, and the command cpl-lb, which makes it from the timelines, is not '
                    'in PATH')
    done = subprocess.run([command, 'summary', str(folder), '--json'], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(f'{folder}: cpl-lb summary: {_one_line(done.stderr)}')
    return done.stdout


def _one_line(error):
    return ' '.join(str(error).split())
