"""Tables of pandas from the summary of a run, and from the file of many runs."""
import contextlib
import pathlib
import sqlite3

import pandas

from cpl_lb.errors import Error

HISTORY_VERSION = 1
PROCESS_WAITING = ['process_waiting_mean_s', 'process_waiting_min_s', 'process_waiting_max_s']
IMBALANCE_PARTS = ('processes_s', 'nodes_s', 'moving_s', 'steps_s', 'random_s')
SUMS_OF_STEPS = ('length_s', 'computing_s', 'waiting_s', 'jitter_s')
OPERATIONS_OF_STEPS = ('mapping_s', 'output_s', 'restart_s')  # older versions do not have them
COLUMNS_OF_REGIONS = ['mean_s', 'min_s', 'max_s', 'slowest_process']
EXTREMES_OF_STEPS = ('max_computing_s', 'max_waiting_s', 'max_jitter_s', 'min_computing_s', 'min_waiting_s', 'min_jitter_s')


def balance(summary):
    """What is one number (or true, false, or not known) for each component. Not known is NaN."""
    components = summary['components']
    names = components[0] if components else []
    figures = [name for name in names if all(_is_figure(name, c.get(name)) for c in components)]
    rows = {c['name']: {name: c.get(name) for name in figures} for c in components}
    for c in components:
        rows[c['name']] |= _process_waiting(c) | _imbalance_parts(c)
    figures += PROCESS_WAITING + [f'imbalance_{name}' for name in IMBALANCE_PARTS]
    table = pandas.DataFrame.from_dict(rows, orient='index', columns=figures)
    for name in figures:
        if not all(isinstance(c.get(name), bool) for c in components):
            table[name] = pandas.to_numeric(table[name])  # None among numbers would make objects of them
    return table.rename_axis('component')


def _process_waiting(component):
    """Summaries of older versions do not have it."""
    own = component.get('process_waiting_s') or {}
    return dict(zip(PROCESS_WAITING, (own.get(name) for name in ('mean', 'min', 'max'))))


def _imbalance_parts(component):
    """Nor these."""
    parts = component.get('imbalance_parts') or {}
    return {f'imbalance_{name}': parts.get(name) for name in IMBALANCE_PARTS}


def _is_figure(name, value):
    return not name.startswith('why_') and (value is None or isinstance(value, (bool, int, float)))


def waiting_for(summary):
    rows = [{'component': c['name'], 'other': other, **parts}
            for c in summary['components'] for other, parts in (c.get('waiting_for') or {}).items()]
    table = pandas.DataFrame(rows, columns=['component', 'other', *_parts_of(rows)])
    return table.set_index(['component', 'other'])


def _parts_of(rows):
    """get_s, put_s; where there are collective operations sync_s, too."""
    return ['get_s', 'put_s'] + [name for name in ('sync_s',) if any(name in row for row in rows)]


def traffic(summary):
    index, figures = ['component', 'from', 'to'], ['messages', 'bytes', 'waited_s']
    having = {c['name']: (c.get('mpi') or {}).get('traffic') for c in summary['components']}
    tables = [pandas.DataFrame({'component': name, **{column: t[column] for column in index[1:] + figures}})
              for name, t in having.items() if t and t.get('from')]
    table = pandas.concat(tables) if tables else pandas.DataFrame(columns=index + figures)
    return table.set_index(index)


def waited_for(summary):
    index, figures = ['component', 'process'], ['by', 'waits', 'waited_s', 'with_others_s', 'in_loop_s']
    rows = [{'component': c['name'], **late} for c in summary['components']
            for late in ((c.get('mpi') or {}).get('traffic') or {}).get('waited_for') or []]
    return pandas.DataFrame(rows, columns=index + figures).set_index(index)


def steps(summary):
    tables = {c['name']: _steps_of(c['steps']) for c in summary['components'] if (c.get('steps') or {}).get('start_s')}
    if not tables:
        index = pandas.MultiIndex.from_arrays([[], []], names=['component', 'step'])
        return pandas.DataFrame(columns=['start_s', *SUMS_OF_STEPS, 'steps'], index=index, dtype=float)
    return pandas.concat(tables, names=['component', 'step'])


def _steps_of(columns):
    """A row for each coupling step; of very long runs for each group of steps, with their means, largest and least."""
    group, count = columns.get('group', 1), columns.get('count', len(columns['start_s']))
    numbers = range(0, len(columns['start_s']) * group, group)
    table = pandas.DataFrame({'start_s': columns['start_s']}, index=numbers)
    table['steps'] = [min(group, count - first) for first in numbers]
    for name in SUMS_OF_STEPS + OPERATIONS_OF_STEPS:
        if name in columns:
            table[name] = pandas.to_numeric(pandas.Series(columns[name], index=numbers)) / table['steps']
    for name in EXTREMES_OF_STEPS:
        if columns.get(name):
            table[name] = columns[name]
    if columns.get('date'):
        table['date'] = columns['date']
    return table


def region_steps(summary):
    """Of each region that is known by step: a row for each coupling step, or for each group of steps."""
    tables = {(c['name'], region['name']): pandas.DataFrame(region['steps'], columns=COLUMNS_OF_REGIONS, dtype=float)
              for c in summary['components'] for region in c.get('regions') or [] if region.get('steps')}
    if not tables:
        index = pandas.MultiIndex.from_arrays([[], [], []], names=['component', 'region', 'step'])
        return pandas.DataFrame(columns=COLUMNS_OF_REGIONS, index=index, dtype=float)
    return pandas.concat(tables, names=['component', 'region', 'step'])


def history(path, table='runs'):
    """pandas.DataFrame of the file of `cpl-lb history`: 'runs' by their start, or, with a row for each component of a run,
    'components', 'imbalance' or 'inside'; 'startup' has a row for each run."""
    queries = {'runs': 'SELECT * FROM runs ORDER BY started', 'startup': 'SELECT * FROM startup ORDER BY run'}
    queries |= {name: f'SELECT * FROM {name} ORDER BY run, place' for name in ('components', 'imbalance', 'inside')}
    if table not in queries:
        raise Error(f"table is 'runs', 'components', 'imbalance', 'inside' or 'startup', not {table!r}")
    path = pathlib.Path(path)
    if not path.is_file():
        raise Error(f'{path}: is not a file')
    try:
        with contextlib.closing(sqlite3.connect(f'{path.resolve().as_uri()}?mode=ro', uri=True)) as file:
            (version,), = file.execute('PRAGMA user_version')
            if version != HISTORY_VERSION:
                raise Error(f'{path}: is of version {version}; this module reads {HISTORY_VERSION}')
            rows = pandas.read_sql_query(queries[table], file)
    except (sqlite3.Error, pandas.errors.DatabaseError) as error:
        raise Error(f'{path}: is no file of cpl-lb history: {" ".join(str(error).split())}') from None
    for name in {'submitted', 'started', 'ended'}.intersection(rows):
        rows[name] = pandas.to_datetime(rows[name], utc=True)
    return rows
