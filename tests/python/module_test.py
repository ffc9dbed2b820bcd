"""The module cpl_lb on runs of page_runs: held against ncdump, `cpl-lb export --to csv`, the summaries, and figures by hand."""
import argparse
import contextlib
import copy
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tracemalloc
import unittest

import numpy
import pandas

import cpl_lb

parser = argparse.ArgumentParser()
for option in ('command', 'runs', 'folder'):
    parser.add_argument('--' + option, required=True)
OPTIONS = parser.parse_args()
WORK = pathlib.Path(OPTIONS.folder)


def made(kind, *sizes, summary=True):
    """A folder with a run of page_runs, and with the summary that the command makes of it."""
    folder = WORK / f'{kind}_{len(list(WORK.iterdir()))}'
    subprocess.run([OPTIONS.runs, kind, str(folder), *map(str, sizes)], check=True)
    if summary:
        text = subprocess.run([OPTIONS.command, 'summary', str(folder), '--json'], check=True, capture_output=True).stdout
        (folder / 'load_balancing_info.json').write_bytes(text)
    return folder


def dumped(file, variable):
    text = subprocess.run(['ncdump', '-p', '9,17', '-v', variable, str(file)], check=True, capture_output=True,
                          text=True).stdout
    values = re.search(rf'\n {variable} =([^;]*);', text).group(1)
    return [math.nan if v.strip() == '_' else float(v) for v in values.split(',')]


class Tables(unittest.TestCase):
    def test_balance_is_the_summary(self):
        folder = made('names')
        summary = json.loads((folder / 'load_balancing_info.json').read_text())
        run = cpl_lb.open(str(folder))
        self.assertEqual(run.summary, summary)
        self.assertEqual(list(run.balance.index), [c['name'] for c in summary['components']])
        self.assertEqual(run.balance.index.name, 'component')
        for c in summary['components']:
            for name in ('processes', 'computing_s', 'waiting_s', 'coupling_cost', 'is_io_server', 'startup_s'):
                self.assertEqual(run.balance.loc[c['name'], name], c[name])
            for name in ('mean', 'min', 'max'):
                self.assertEqual(run.balance.loc[c['name'], f'process_waiting_{name}_s'], c['process_waiting_s'][name])
            for name in ('processes_s', 'nodes_s', 'random_s'):
                part, column = c['imbalance_parts'][name], run.balance.loc[c['name'], f'imbalance_{name}']
                self.assertTrue(column == part or (part is None and math.isnan(column)))
            # Not known is null there and NaN here, among numbers.
            self.assertIsNone(c['hwm_B'])
            self.assertTrue(math.isnan(run.balance.loc[c['name'], 'hwm_B']))
        self.assertNotIn('why_no_window', run.balance)
        self.assertEqual(run.balance['waiting_s'].dtype, float)
        self.assertTrue(numpy.allclose(run.balance.computing_s + run.balance.waiting_s, run.balance.loop_s, rtol=1e-12))

    def test_summaries_of_older_versions_have_no_waiting_of_processes(self):
        old = cpl_lb.tables.balance({'components': [{'name': 'ocean', 'waiting_s': 2.5}]})
        self.assertEqual(old.loc['ocean', 'waiting_s'], 2.5)
        self.assertTrue(math.isnan(old.loc['ocean', 'process_waiting_mean_s']))

    def test_waiting_for_whom_adds_up(self):
        run = cpl_lb.open(made('names'))
        self.assertEqual(list(run.waiting_for.columns), ['get_s', 'put_s'])
        for name in run.components:
            self.assertAlmostEqual(run.waiting_for.loc[name].to_numpy().sum(), run.balance.loc[name, 'waiting_s'], places=12)

    def test_traffic(self):
        self.assertEqual(len(cpl_lb.open(made('names')).traffic), 0)
        self.assertEqual(list(cpl_lb.open(made('names')).traffic.columns), ['messages', 'bytes', 'waited_s'])
        of_ocean = {'groups': 3, 'from': [0, 2], 'to': [1, 0], 'messages': [4, 1], 'bytes': [32, 8], 'waited_s': [0.5, 0.25]}
        table = cpl_lb.tables.traffic({'components': [{'name': 'ocean', 'mpi': {'traffic': of_ocean}}, {'name': 'ice', 'mpi': {}}]})
        self.assertEqual(table.loc[('ocean', 2, 0), 'bytes'], 8)
        self.assertEqual(table.waited_s.sum(), 0.75)

    def test_waited_for(self):
        self.assertEqual(len(cpl_lb.open(made('names')).waited_for), 0)
        late = [{'process': 3, 'by': 2, 'waits': 10, 'waited_s': 1.5, 'with_others_s': 2, 'in_loop_s': 1.25},
                {'process': 0, 'by': 1, 'waits': 4, 'waited_s': 0.5, 'with_others_s': 0.5, 'in_loop_s': 0.25}]
        table = cpl_lb.tables.waited_for({'components': [{'name': 'ice', 'mpi': {}}, {'name': 'land', 'mpi': {'traffic': None}},
                                                         {'name': 'ocean', 'mpi': {'traffic': {'waited_for': late}}}]})
        self.assertEqual(list(table.index), [('ocean', 3), ('ocean', 0)])
        self.assertEqual(table.loc[('ocean', 3), 'in_loop_s'], 1.25)
        self.assertEqual(list(table.columns), ['by', 'waits', 'waited_s', 'with_others_s', 'in_loop_s'])

    def test_steps_add_up_to_the_loop(self):
        run = cpl_lb.open(made('names'))
        for name in run.components:
            steps = run.steps.loc[name]
            self.assertEqual(list(steps.index), [0, 1, 2, 3])  # 12 events: six times the reference, four whole steps
            # page_runs gives one date, in hours, to two events; the first step begins with the second date.
            self.assertEqual(list(steps.date), [3600, 7200, 10800, 14400])
            for column in ('length', 'computing', 'waiting'):
                whole = run.balance.loc[name, {'length': 'loop'}.get(column, column) + '_s']
                self.assertAlmostEqual(steps[column + '_s'].sum(), whole, places=12)
            self.assertTrue(numpy.allclose(steps.start_s.diff()[1:], steps.length_s[:-1], atol=1e-9))

    def test_regions_by_step(self):
        folder = made('one-process')
        path = folder / 'load_balancing_info.json'
        self.assertEqual(len(cpl_lb.open(folder).region_steps), 0)
        summary = json.loads(path.read_text())
        summary['components'][0]['regions'] = [
            {'name': 'short', 'calls': 1},
            {'name': 'dynamics', 'steps': {'mean_s': [1, 2], 'min_s': [0.5, 2], 'max_s': [1.5, None], 'slowest_process': [0, None]}}]
        path.write_text(json.dumps(summary))
        table = cpl_lb.open(folder).region_steps
        self.assertEqual(list(table.index), [('alone', 'dynamics', 0), ('alone', 'dynamics', 1)])
        self.assertEqual(list(table.mean_s), [1, 2])
        self.assertTrue(math.isnan(table.max_s.iloc[1]))
        self.assertEqual(table.slowest_process.iloc[0], 0)

    def test_groups_of_steps_are_means(self):
        folder = made('one-process')
        path = folder / 'load_balancing_info.json'
        summary = json.loads(path.read_text())
        summary['components'][0]['steps'] = {
            'count': 5, 'group': 3, 'start_s': [1, 10], 'length_s': [9, 4], 'computing_s': [6, 3], 'waiting_s': [3, 1],
            'jitter_s': [0, 0.5], 'max_computing_s': [4, 2], 'max_waiting_s': [2, 1], 'max_jitter_s': [0, 0.5],
            'min_computing_s': [0.5, 1], 'date': []}
        path.write_text(json.dumps(summary))
        steps = cpl_lb.open(folder).steps.loc['alone']
        self.assertEqual(list(steps.index), [0, 3])
        self.assertEqual(list(steps.steps), [3, 2])  # 5 steps: 3 and what is left
        self.assertEqual(list(steps.length_s), [3, 2])  # 9 / 3, 4 / 2
        self.assertEqual(list(steps.computing_s), [2, 1.5])
        self.assertEqual(list(steps.jitter_s), [0, 0.25])
        self.assertEqual(list(steps.max_computing_s), [4, 2])
        self.assertEqual(list(steps.min_computing_s), [0.5, 1])
        self.assertNotIn('min_waiting_s', steps)  # a run of before there were least
        self.assertNotIn('date', steps)

    def test_a_run_without_a_loop_has_empty_tables(self):
        run = cpl_lb.open(made('no-events'))
        self.assertEqual(len(run.steps), 0)
        self.assertEqual(len(run.waiting_for), 0)
        self.assertTrue(run.balance.loop_s.isna().all())
        with run.timeline('silent') as timeline:
            self.assertEqual(timeline.sizes['event'], 0)
            self.assertEqual(timeline.sizes['process'], 3)


class Timelines(unittest.TestCase):
    def test_all_events_are_those_of_the_csv(self):
        folder = made('names')
        subprocess.run([OPTIONS.command, 'export', str(folder), '--to', 'csv', '-o', str(folder / 'events.csv')], check=True,
                       capture_output=True)
        with open(folder / 'events.csv', encoding='utf-8', newline='') as file:
            expected = list(csv.DictReader(file))
        run = cpl_lb.open(folder)
        seen = []
        for name in run.components:
            with run.timeline(name) as timeline:
                table = timeline[['start', 'stop']].to_dataframe().reset_index()
            table['component'] = name
            seen.append(table)
        seen = pandas.concat(seen)
        self.assertEqual(len(seen), 2 * 2 * 12)

        def keys(rows, unit=''):
            return sorted((r['component'], int(r['process']), r['kind'], r['field'], r['counterpart'], float(r['date']),
                           int(r['rank']), *(round(float(r[name + unit]) * 1e9) for name in ('start', 'stop')))
                          for r in rows)
        self.assertEqual(keys(seen.to_dict('records')), keys(expected, '_s'))

    def test_times_and_picture_are_those_of_ncdump(self):
        folder = made('names')
        run = cpl_lb.open(folder)
        file = next(f for f in folder.glob('timeline_*.nc') if 'script' in f.name and 'a_b' not in f.name)
        with run.timeline(run.components[0]) as timeline:
            self.assertEqual(timeline.start.dims, ('process', 'event'))
            self.assertEqual(timeline.start.attrs['units'], 's')
            for ours, theirs in (('start', 'timer_strt'), ('stop', 'timer_stop'), ('elapsed', 'elapsed'),
                                 ('kind_dominant', 'kind_dominant')):
                numpy.testing.assert_array_equal(timeline[ours].values.ravel(), dumped(file, theirs))

    def test_utc_is_the_start_and_the_seconds(self):
        folder = made('names')
        path = folder / 'load_balancing_info.json'
        summary = json.loads(path.read_text())
        with self.assertRaisesRegex(cpl_lb.Error, 'start of the run is not known'):
            cpl_lb.open(folder).timeline(summary['components'][0]['name'], clock='utc')
        summary['run']['started'] = '2026-02-28T23:59:50Z'  # page_runs knows none
        path.write_text(json.dumps(summary))
        run = cpl_lb.open(folder)
        with run.timeline(run.components[0], clock='utc') as utc, run.timeline(run.components[0]) as seconds:
            self.assertEqual(str(utc.start.dtype), 'datetime64[ns]')
            # Events lie a second apart: the tenth starts in the next day, 10 s after that start.
            first = pandas.Timestamp('2026-02-28T23:59:50')
            for process, event in ((0, 0), (1, 9)):
                expected = first + pandas.Timedelta(round(float(seconds.start[process, event]) * 1e9), 'ns')
                self.assertEqual(pandas.Timestamp(utc.start[process, event].values), expected)
            self.assertEqual(pandas.Timestamp(utc.elapsed[-1].values).floor('s'), pandas.Timestamp('2026-03-01T00:00:02'))

    def test_pieces_are_the_same_as_pieces_of_the_whole(self):
        run = cpl_lb.open(made('names'))
        with run.timeline(run.components[1]) as whole:
            whole.load()
        for piece in ({'event': 3}, {'event': slice(2, 9, 3), 'process': 1}, {'event': [7, 1, 1]}):
            with run.timeline(run.components[1]) as timeline:
                for name in ('kind', 'field', 'counterpart', 'start', 'stop'):
                    known = {dim: at for dim, at in piece.items() if dim in timeline[name].dims}
                    self.assertTrue(timeline[name].isel(known).equals(whole[name].isel(known)), (name, piece))

    def test_nothing_is_read_before_it_is_needed(self):
        run = cpl_lb.open(made('size', 32, 20000))  # start and stop of the ocean: 16 x 20000 x 16 bytes = 5 MB
        whole = 16 * 20000 * 16
        with run.timeline('ocean') as timeline:  # what was imported now is no matter of the next
            del timeline
        tracemalloc.start()
        with run.timeline('ocean') as timeline:
            row = timeline[['start', 'stop']].isel(process=5, event=slice(100, 200)).load()
            self.assertEqual(row.sizes['event'], 100)
            _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # Headers, a list of names, 2048 coordinates. The names of the kinds alone, 44 bytes each, would be 0.9 MB.
        self.assertLess(peak, whole / 8)

    def test_the_timeline_of_this_run_only(self):
        folder = made('names')
        run = cpl_lb.open(folder)
        name = run.components[0]
        with run.timeline(name) as timeline:
            starts = timeline.start.values
        # Before it in the alphabet lies one of another run with the same component.
        other = (made('long') / 'timeline_ocean.nc').read_bytes()
        (folder / 'timeline_0.nc').write_bytes(other.replace(b'made up <i>', b'made up <j>'))
        with run.timeline(name) as timeline:
            numpy.testing.assert_array_equal(timeline.start.values, starts)
        for file in folder.glob('timeline_[!0]*.nc'):
            file.unlink()
        with self.assertRaisesRegex(cpl_lb.Error, 'no timeline of .* of the run made up'):
            run.timeline(name)

    def test_timelines_of_oasis(self):
        folder = WORK / 'oasis'
        folder.mkdir()
        # Layout of TR/CMGC/20/176: numbers only. Ocean is 1 and atmosphere 2, as the command takes their alphabet to be.
        for name, kind, other, start in (('atmosphere', 1, 2, 0), ('ocean', 2, 1, 0.5)):
            events = ', '.join([str(kind)] * 6)
            starts = ', '.join(str(start + i) for i in range(6))
            stops = ', '.join(str(1 + i) for i in range(6))
            cdl = (f'netcdf timeline_{name} {{ dimensions: nx = 6 ; ny = 1 ; variables: float timer_strt(ny, nx) ; '
                   'float timer_stop(ny, nx) ; int kind(nx) ; int field(nx) ; int component(nx) ; data: '
                   f'kind = {events} ; field = 1, 1, 1, 1, 1, 1 ; component = {", ".join([str(other)] * 6)} ; '
                   f'timer_strt = {starts} ; timer_stop = {stops} ; }}')
            subprocess.run(['ncgen', '-o', str(folder / f'timeline_{name}.nc')], input=cdl.encode(), check=True)
        run = cpl_lb.open(folder)  # no load_balancing_info.json: the command makes it
        self.assertEqual(run.components, ['atmosphere', 'ocean'])
        with run.timeline('ocean') as timeline:
            self.assertEqual(list(timeline.kind.values), ['GET'] * 6)
            self.assertEqual(list(timeline.counterpart.values), ['atmosphere'] * 6)
            self.assertEqual(list(timeline.start.values[0]), [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])


def changed(folder, **members):
    """The summary in that folder with other members: of `run`, `cpmip` and `meters`, and parts of the imbalance of its first
    component."""
    path = folder / 'load_balancing_info.json'
    summary = json.loads(path.read_text())
    component = summary['components'][0]
    for name, value in members.items():
        if name == 'nodes_s':
            component['imbalance_parts'] = {'nodes_s': value * component['loop_s'], 'late_node': 'nid0042'}
            component['imbalance_s'] = 0.2 * component['loop_s']
        else:
            part = {'asypd': 'cpmip', 'jpsy': 'cpmip', 'energy_J': 'meters'}.get(name, 'run')
            summary[part][name] = value
    path.write_text(json.dumps(summary))
    return summary


class ManyRuns(unittest.TestCase):
    def opened(self, folders):
        """The table, and the lines that were said."""
        with contextlib.redirect_stderr(io.StringIO()) as said:
            table = cpl_lb.open_all(folders)
        return table, said.getvalue().splitlines()

    def test_rows_are_the_summaries(self):
        folders, summaries = [], []
        for kind, day in (('names', 3), ('long', 2), ('one-process', 4)):  # not in the order of their starts
            folders.append(made(kind))
            summaries.append(changed(folders[-1], id=f'run {day}', started=f'2026-01-0{day}T06:00:00Z', ended=f'2026-01-0{day}T07:00:00Z',
                                     submitted=f'2026-01-0{day} 06:30+01', sypd=2.5 * day, chsy=None, asypd=1.5 * day, jpsy=1e9 * day,
                                     energy_J=None if day == 4 else 7e6 * day))
        table, said = self.opened(folders)
        self.assertEqual(said, [])
        self.assertEqual(list(table.index), [0, 1, 2])
        self.assertEqual(list(table.run), ['run 2', 'run 3', 'run 4'])
        self.assertEqual(list(table.folder), [str(folders[i]) for i in (1, 0, 2)])
        self.assertEqual(list(table.started), [pandas.Timestamp(f'2026-01-0{day}T06:00:00Z') for day in (2, 3, 4)])
        self.assertEqual(list(table.started - table.submitted), [pandas.Timedelta(minutes=30)] * 3)
        self.assertTrue(table.chsy.isna().all())
        for row, summary in zip(table.to_dict('records'), (summaries[i] for i in (1, 0, 2))):
            for column, part in (('cores', 'run'), ('wall_s', 'run'), ('simulated_s', 'run'), ('sypd', 'run'), ('waiting_share', 'run'),
                                 ('asypd', 'cpmip'), ('jpsy', 'cpmip'), ('energy_J', 'meters')):
                known = summary[part][column]
                self.assertTrue(row[column] == known or (known is None and math.isnan(row[column])), (column, row[column], known))
            self.assertEqual(row['slow_side'], summary['balance']['slow_side'])
            self.assertEqual(row['late_nodes'], [])

    def test_a_start_that_is_not_known_comes_last(self):
        first, second = made('one-process'), made('one-process')
        changed(first, id='a', started=None, submitted='yesterday evening')
        changed(second, id='b', started='2026-01-02T06:00:00Z')
        table, said = self.opened([first, second])
        self.assertEqual((list(table.run), said), (['b', 'a'], []))
        self.assertTrue(pandas.isna(table.started[1]) and pandas.isna(table.submitted[1]))

    def test_a_node_is_late_from_one_per_cent_of_the_loop_and_a_tenth_of_the_imbalance(self):
        folders = [made('one-process') for _ in range(3)]
        for n, (folder, share) in enumerate(zip(folders, (0.0199, 0.021, 0.0))):  # the imbalance is 20 % of the loop
            changed(folder, id=str(n), nodes_s=share)
        self.assertEqual(list(self.opened(folders)[0].late_nodes), [[], ['nid0042'], []])
        little = made('names')
        summary = changed(little, nodes_s=0.009)
        summary['components'][0]['imbalance_s'] = summary['components'][0]['imbalance_parts']['nodes_s']
        (little / 'load_balancing_info.json').write_text(json.dumps(summary))
        self.assertEqual(list(self.opened([little])[0].late_nodes), [[]])

    def test_what_cannot_be_read_is_one_line_and_left_out(self):
        good, empty, cut, odd = made('one-process'), WORK / 'none_in_here', made('one-process'), made('one-process')
        empty.mkdir()
        path = cut / 'load_balancing_info.json'
        path.write_text(path.read_text()[:-40])
        changed(odd, sypd='fast')
        table, said = self.opened([empty, cut, good, odd, WORK / 'gone'])
        self.assertEqual(list(table.folder), [str(good)])
        self.assertEqual(len(said), 4)
        for line, words in zip(said, (f'{empty}: holds no results', f'{cut}/load_balancing_info.json: is no JSON',
                                      f'{odd}: load_balancing_info.json is damaged: run.sypd is no number', 'gone: is not a folder')):
            self.assertTrue(line.startswith('cpl_lb: ') and words in line and line.endswith('; left out'), line)

    def test_a_copy_counts_once(self):
        folder = made('one-process')
        copied = WORK / 'a_copy'
        shutil.copytree(folder, copied)
        for again in (copied, folder):
            table, said = self.opened([folder, again])
            self.assertEqual((len(table), said), (1, [f'cpl_lb: {again}: is the same run as {folder}; left out']))

    def test_no_runs_are_a_table_with_the_same_columns(self):
        none, some = self.opened([])[0], self.opened([made('one-process')])[0]
        self.assertEqual(len(none), 0)
        self.assertEqual(list(none.dtypes.items()), list(some.dtypes.items()))
        for one in ('runs', WORK):
            with self.assertRaisesRegex(cpl_lb.Error, 'open_all takes a list of folders'):
                cpl_lb.open_all(one)


class BadInput(unittest.TestCase):
    def said(self, text, call, *arguments):
        with self.assertRaises(cpl_lb.Error) as caught:
            call(*arguments)
        self.assertRegex(str(caught.exception), text)
        self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_folders(self):
        empty = WORK / 'empty'
        empty.mkdir()
        self.said('gone: is not a folder', cpl_lb.open, WORK / 'gone')
        self.said('empty: holds no results', cpl_lb.open, empty)
        self.said('is not a folder', cpl_lb.open, next(iter(made('names').iterdir())))
        damaged = empty / 'timeline_ocean.nc'
        damaged.write_bytes(b'no netCDF')
        self.said('empty: cpl-lb summary: .*timeline_ocean.nc', cpl_lb.open, empty)
        path, os.environ['PATH'] = os.environ['PATH'], '/nowhere'
        try:
            self.said('empty: holds no load_balancing_info.json, and the command', cpl_lb.open, empty)
        finally:
            os.environ['PATH'] = path

    def test_summaries(self):
        folder = made('one-process')
        path = folder / 'load_balancing_info.json'
        good = json.loads(path.read_text())
        other = copy.deepcopy(good)
        other['schema'] = 'cpl_lb/2'
        nameless = copy.deepcopy(good)
        del nameless['components'][0]['name']
        for text, what in ((json.dumps(other), "schema is 'cpl_lb/2'; this module reads 'cpl_lb/1'"), ('[1, 2]', 'schema is None'),
                           (json.dumps(good)[:-20], 'is no JSON'), ('', 'is no JSON'),
                           (json.dumps(nameless), 'no components with names')):
            path.write_text(text)
            self.said(what, cpl_lb.open, folder)
        path.write_bytes(b'\xff\xfe')
        self.said('cannot be read', cpl_lb.open, folder)

    def test_timelines(self):
        folder = made('one-process')
        run = cpl_lb.open(folder)
        self.said("no component 'ocaen'; there are alone", run.timeline, 'ocaen')
        self.said("clock is 'run' or 'utc'", run.timeline, 'alone', 'local')
        file = folder / 'timeline_alone.nc'
        whole = file.read_bytes()
        file.write_bytes(whole[:100])
        self.said('timeline_alone.nc: cannot be read', run.timeline, 'alone')
        file.write_bytes(whole.replace(b'timer_strt', b'timer_left'))
        self.said('timeline_alone.nc: is no timeline of cpl_lb: it has no timer_strt', run.timeline, 'alone')
        file.unlink()
        self.said('no timeline of alone of the run', run.timeline, 'alone')


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
os.environ['PATH'] = str(pathlib.Path(OPTIONS.command).parent) + ':' + os.environ['PATH']
unittest.main(argv=['module_test'])
