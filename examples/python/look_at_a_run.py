"""Looks at a coupled run, and at a second one after processes were moved, with xarray, pandas and matplotlib.

    PYTHONPATH=<where cpl_lb is installed>/lib/python3/dist-packages python3 look_at_a_run.py BEFORE [AFTER]

BEFORE and AFTER are folders of results. Writes waiting.png, timeline.png and, with AFTER, before_after.png where you are.
Editors that know cells (# %%) run it piece by piece, as a notebook; there, put the folders into `folders`.
"""
# %% The runs
import sys

import matplotlib
if 'ipykernel' not in sys.modules:
    matplotlib.use('Agg')  # pictures go to files, without a screen
import matplotlib.pyplot as plt
from matplotlib.colors import BoundaryNorm, ListedColormap

import cpl_lb

folders = sys.argv[1:3] or ['before', 'after']
runs = [cpl_lb.open(folder) for folder in folders]
run = runs[0]
columns = ['processes', 'loop_s', 'computing_s', 'waiting_s', 'jitter_s']
print(run.balance[columns].to_string())
print(run.waiting_for.to_string())
BESIDE = {'loc': 'upper left', 'bbox_to_anchor': (1.01, 1), 'frameon': False}  # where legends stand

# %% Who waits, and when? Each component in each of its coupling steps
figure, axis = plt.subplots(figsize=(9, 4), layout='constrained')
for component, steps in run.steps.groupby(level='component', sort=False):
    share = 100 * steps.waiting_s / steps.length_s
    last = steps.iloc[-1]
    edges = [*steps.start_s, last.start_s + last.steps * last.length_s]
    axis.stairs(share, edges, baseline=None, linewidth=1.5, label=component)
axis.set_title('Waiting in each coupling step')
axis.set_xlabel('time [s since the start of the run]')
axis.set_ylabel('waiting [% of the step]')
axis.set_ylim(-2, 102)
axis.legend(**BESIDE)
figure.savefig('waiting.png', dpi=120)

# %% What did each process do? The picture in each timeline: 2048 bins of time, whatever the length of the run
NAMES = ['computing', 'UNDF', 'PUT', 'GET', 'MAP', 'OUT', 'READ', 'RST', 'TRN', 'PART', 'ENDF', 'TERM', 'SYNC']
COLOURS = ['#cfd9e3', '#7f8790', '#0072b2', '#d55e00', '#009e73', '#b8508a', '#b8508a', '#8f3a6a', '#8f3a6a',
           '#8c7a00', '#8c7a00', '#9aa4ae', '#e69f00']
pictures = {c: run.timeline(c).kind_dominant.load() for c in run.components}
heights = [len(p.process) for p in pictures.values()]
figure, axes = plt.subplots(len(pictures), sharex=True, squeeze=False, figsize=(9, 1.5 + 0.8 * len(pictures)),
                            height_ratios=[max(h, max(heights) / 4) for h in heights], layout='constrained')
seen = set()
for axis, (component, picture) in zip(axes[:, 0], pictures.items()):
    half = float(picture.elapsed[0])  # the first bin begins at 0
    axis.imshow(picture, cmap=ListedColormap(COLOURS), norm=BoundaryNorm([k - 1.5 for k in range(14)], 13), aspect='auto',
                interpolation='nearest', extent=(0, float(picture.elapsed[-1]) + half, len(picture.process) - 0.5, -0.5))
    axis.set_yticks(range(0, len(picture.process), max(len(picture.process) // 4, 1)))
    axis.set_ylabel(component + '\nprocess', rotation=0, ha='right', va='center')
    seen.update(int(k) for k in set(picture.values.ravel()) if k == k)  # where a component does not run stands NaN
axes[-1, 0].set_xlabel('time [s since the start of the run]')
figure.suptitle('What each process did most')
axes[0, 0].legend(handles=[plt.Rectangle((0, 0), 1, 1, color=COLOURS[k + 1], label=NAMES[k + 1]) for k in sorted(seen)],
                  **BESIDE)
figure.savefig('timeline.png', dpi=120)

# %% The events behind it: the five longest receives of the first component, read from the file now
timeline = run.timeline(run.components[0])
events = timeline[['start', 'stop']].isel(process=0).to_dataframe()
events['length'] = events.stop - events.start
print(events[events.kind == 'GET'].nlargest(5, 'length')[['field', 'counterpart', 'start', 'length']].to_string())

# %% Before and after moving processes from one component to another
if len(runs) == 2:
    figure, axes = plt.subplots(1, 2, sharey=True, figsize=(9, 4), layout='constrained')
    for axis, one, title in zip(axes, runs, ('before', 'after')):
        table = one.balance.dropna(subset=['loop_s'])
        names = [f'{name}\nprocesses: {n}' for name, n in table.processes.items()]
        axis.bar(names, table.computing_s, color='#0072b2', label='computing')
        axis.bar(names, table.waiting_s, bottom=table.computing_s, color='#e69f00', label='waiting')
        axis.set_title(f'{title}: {one.summary["run"]["wall_s"]:.1f} s in all')
    axes[0].set_ylabel('coupling loop [s]')
    axes[1].legend(**BESIDE)
    figure.savefig('before_after.png', dpi=120)
