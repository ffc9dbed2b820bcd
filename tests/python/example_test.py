"""examples/python on two runs of examples/minimal_c: pictures are drawn, and what it prints and draws is what the files hold."""
import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

import cpl_lb

parser = argparse.ArgumentParser()
for option in ('example', 'model', 'folder', 'mpiexec', 'command', 'page'):
    parser.add_argument('--' + option, required=True)
OPTIONS = parser.parse_args()
WORK = pathlib.Path(OPTIONS.folder)


def check(good, text):
    if not good:
        raise AssertionError(text)


def model(name, processes):
    folder = WORK / name
    folder.mkdir(parents=True)
    done = subprocess.run([OPTIONS.mpiexec, '-n', str(processes), OPTIONS.model], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, 'CPL_LB_ENABLED': '1'}, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    return folder


def dumped(file, variable):
    text = subprocess.run(['ncdump', '-p', '9,17', '-v', variable, str(file)], check=True, capture_output=True,
                          text=True).stdout
    return [float(v) for v in re.search(rf'\n {variable} =([^;]*);', text).group(1).split(',')]


def looked_at(*folders):
    done = subprocess.run([sys.executable, '-W', 'error::UserWarning', OPTIONS.example, *map(str, folders)], cwd=WORK,
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    pictures = sorted(p.name for p in WORK.glob('*.png'))
    for name in pictures:
        check((WORK / name).read_bytes()[:4] == b'\x89PNG', name)
        (WORK / name).unlink()
    return done.stdout, pictures


shutil.rmtree(WORK, ignore_errors=True)
before, after = model('before', 2), model('after', 4)
printed, drawn = looked_at(before, after)
check(drawn == ['before_after.png', 'timeline.png', 'waiting.png'], f'drawn: {drawn}')
check(looked_at(after)[1] == ['timeline.png', 'waiting.png'], 'one run')

summary = json.loads((before / 'load_balancing_info.json').read_text())
for c in summary['components']:
    row = [float(v) for v in re.search(rf'^{c["name"]} +1 +(.*)$', printed, re.M).group(1).split()]
    numpy.testing.assert_allclose(row, [c[name] for name in ('loop_s', 'computing_s', 'waiting_s', 'jitter_s')], atol=1e-6)

# The library wrote the steps twice, into the summary and into the timeline, which another program reads here.
run = cpl_lb.open(before)
check(str(run) == f'<cpl_lb run {summary["run"]["id"]} in {before}: ocean, atmosphere>', str(run))
for component in run.components:
    steps = run.steps.loc[component]
    check(len(steps) == 18, f'{len(steps)} steps')  # 20 in the model, less the first and the last one, as docs/definitions.md
    for ours, theirs in (('start_s', 'step_start'), ('length_s', 'step_length'), ('computing_s', 'step_computing'),
                         ('waiting_s', 'step_waiting'), ('jitter_s', 'step_jitter'), ('date', 'step_date')):
        numpy.testing.assert_allclose(steps[ours], dumped(before / f'timeline_{component}.nc', theirs), rtol=1e-12, atol=1e-9)
with run.timeline('ocean') as timeline:
    check(list(timeline.kind.values) == ['PUT'] * 20 + ['TERM'], f'{timeline.kind.values}')
    check(set(timeline.field.values[:20]) == {'SST'} and set(timeline.counterpart.values[:20]) == {'atmosphere'}, 'names')
    check(list(timeline.date.values[:20]) == [3600 * i for i in range(20)], 'dates')

# The lines of docs/python.md as they stand there, with this run in the folder that they name.
os.chdir(WORK)
before.rename('results')
# Four runs, and a folder without one. Of three runs one node is late, and of one of these another one, too.
LATE = {'a': [], 'b': ['nid7'], 'c': ['nid7', 'nid9'], 'd': ['nid7']}
for day, (name, nodes) in enumerate(LATE.items(), 1):
    changed = json.loads(pathlib.Path('results/load_balancing_info.json').read_text())
    changed['run'].update(id=name, started=f'2026-03-0{day}T04:00:00Z')
    for c, node in zip(changed['components'], nodes):
        c['imbalance_parts'] = {'nodes_s': c['loop_s'], 'late_node': node}
        c['imbalance_s'] = c['loop_s']
    pathlib.Path('runs', name).mkdir(parents=True)
    pathlib.Path('runs', name, 'load_balancing_info.json').write_text(json.dumps(changed))
pathlib.Path('runs/empty').mkdir()
os.environ['MPLBACKEND'] = 'Agg'
lines = re.findall(r'```python\n(.*?)```', pathlib.Path(OPTIONS.page).read_text(encoding='utf-8'), re.S)
check(len(lines) == 3, f'{len(lines)} pieces of Python in the page')
names = {}
with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()) as complaints:
    exec('\n'.join(lines), names)
check('computing_s' in said.getvalue(), said.getvalue())
check([line for line in said.getvalue().splitlines() if ' late ' in line] == ['nid7 is late in 3 of 4 runs'], said.getvalue())
check(re.fullmatch(r'cpl_lb: runs/empty: holds no results[^\n]*; left out\n', complaints.getvalue()), complaints.getvalue())
check(pathlib.Path('runs.png').read_bytes()[:4] == b'\x89PNG', 'the picture of all runs')
drawn = {label.get_text() for label in names['node'].get_yticklabels()}
check({'nid7', 'nid9'} <= drawn, f'{drawn}')
check(list(names['speed'].lines[0].get_ydata()) == [summary['run']['sypd']] * 4, 'speeds')
# All the atmosphere's events are receives but TERM: seconds in GET are at least its waiting in the loop.
in_get = float((names['receives'].stop - names['receives'].start).sum())
check(in_get >= run.balance.loc['atmosphere', 'waiting_s'] - 1e-6, f'{in_get} s in GET')
print('example: good')
