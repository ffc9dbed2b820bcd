"""Tables of pandas from the summary of a run, and from those of many runs."""
import pandas

TIMES_OF_RUN = ('submitted', 'started', 'ended')
FIGURES_OF_RUN = {'cores': 'run', 'wall_s': 'run', 'simulated_s': 'run', 'sypd': 'run', 'asypd': 'cpmip', 'chsy': 'run', 'jpsy': 'cpmip',
                  'energy_J': 'meters', 'waiting_share': 'run'}
PROCESS_WAITING = ['process_waiting_mean_s', 'process_waiting_min_s', 'process_waiting_max_s']
IMBALANCE_PARTS = ('processes_s', 'nodes_s', 'random_s')
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


def runs(rows):
    """The rows of row_of_run as a table, in the order of their starts. Not known is NaN, NaT or None."""
    table = pandas.DataFrame(rows, columns=['run', 'folder', *TIMES_OF_RUN, *FIGURES_OF_RUN, 'slow_side', 'late_nodes'])
    for name in TIMES_OF_RUN:  # each by itself: the time of submission has the form that the user gave it
        times = [pandas.to_datetime(time, utc=True, errors='coerce') for time in table[name]]
        table[name] = pandas.Series(times, dtype='datetime64[ns, UTC]')
    for name in FIGURES_OF_RUN:
        table[name] = table[name].astype(float)
    return table.sort_values('started', kind='stable', ignore_index=True)


def row_of_run(folder, summary):
    """TypeError and the like: a member is not what it should be."""
    run = summary['run']
    row = {'run': run.get('id'), 'folder': str(folder), **{name: run.get(name) for name in TIMES_OF_RUN},
           'slow_side': (summary.get('balance') or {}).get('slow_side'), 'late_nodes': late_nodes(summary)}
    for name in ('run', *TIMES_OF_RUN, 'slow_side'):
        if not isinstance(row[name], (str, type(None))):
            raise TypeError(f'{name} is no text')
    for name, part in FIGURES_OF_RUN.items():
        row[name] = (summary.get(part) or {}).get(name)
        if not isinstance(row[name], (int, float, type(None))):
            raise TypeError(f'{part}.{name} is no number')
    return row


def late_nodes(summary):
    """Nodes that the rest of a component waits for: for 1 % of its loop or more, and a tenth of its imbalance."""
    late = []
    for c in summary['components']:
        parts = c.get('imbalance_parts') or {}
        waited_s = parts.get('nodes_s') or 0
        if waited_s > 0 and waited_s >= 0.01 * c['loop_s'] and waited_s >= 0.1 * c['imbalance_s']:
            late.append(parts.get('late_node'))
    return list(dict.fromkeys(name for name in late if name))
