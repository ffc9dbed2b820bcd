"""Real runs whose ocean is slow in its first steps: what is told, predicted, and true by the processes' own clocks.
Arguments: mpirun with its options, the model, cpl-lb, a folder; `all` for the whole table of docs/evidence/predictions.md."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

import coupled_page

mpirun, model, command, folder = sys.argv[1].split(), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
STEPS = 40
CASES = [(40, 4, 2), (30, 4, 2), (24, 4, 2), (20, 3, 3), (20, 4, 2)] if 'all' in sys.argv else [(20, 3, 3)]


def run(oceans, airs, slow):
    place = folder / f'{oceans}_{airs}_{slow}'
    if place.exists():
        return place
    place.mkdir(parents=True)
    with open(place / 'printed', 'w', encoding='utf-8') as out:
        subprocess.run([*mpirun, str(oceans + airs), model, str(oceans), str(slow), str(STEPS)], cwd=place, stdout=out, check=True)
    return place


def cpl_lb(*words):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, check=True).stdout


def computing(place, name):
    """By step, the first left out: from its last process's leave to its last process's arrival."""
    clocks = [[tuple(map(float, line.split())) for line in path.read_text().splitlines()] for path in place.glob(name + '_*.clock')]
    came, left = ([max(p[s][i] for p in clocks) for s in range(STEPS)] for i in (0, 1))
    return [c - l for c, l in zip(came[1:], left)]


def loop(ocean, air):
    """Each waits for the other in each step. The loop begins and ends with the exchange of the second step and the last."""
    return sum(max(o, a) for o, a in zip(ocean[1:], air[1:]))


shutil.rmtree(folder, ignore_errors=True)
print('slow until, counts: measured, predicted, by the clocks of the measured run, really [s]')
for slow, oceans, airs in CASES:
    place = run(2, 4, slow)
    ocean, air = computing(place, 'ocean'), computing(place, 'atmosphere')
    answer = json.loads(cpl_lb('predict', place, '--pes', f'ocean={oceans},atmosphere={airs}', '--json'))
    now, then = loop(ocean, air), loop([o * 2 / oceans for o in ocean], [a * 4 / airs for a in air])
    real = run(oceans, airs, slow)
    really = loop(computing(real, 'ocean'), computing(real, 'atmosphere'))
    print(f'{slow}, {oceans}+{airs}: {answer["measured_s"]:.3f}, {answer["predicted_s"]:.3f}, {then:.3f}, {really:.3f}', flush=True)
    # A step more or less at the ends of the loop.
    ratio = answer['predicted_s'] / answer['measured_s'] / (then / now)
    assert 0.95 < ratio < 1.05, f'{ratio} of what the processes say by their own clocks'

    info = json.loads((place / 'load_balancing_info.json').read_text())
    again = json.loads(cpl_lb('summary', place, '--json'))
    assert again['run']['changes'] == info['run']['changes'] and again['balance'] == info['balance'], 'the same is known later'
    said, told = (re.sub(r'analysis: : [\d.]+', '', ' '.join(text.split()))
                  for text in ((place / 'load_balancing_info.txt').read_text(), cpl_lb('summary', place)))
    assert said == told, 'the same is told later'
    # What came after each step of the loop: its first is the computing before the third exchange.
    heavy, light = ocean[1:slow - 1], ocean[slow - 1:]
    if light and min(heavy) > 2 * max(light): # else the machine was so busy that nobody could tell
        parts = [c for c in info['run']['changes'] if c['component'] == 'ocean']
        before, after = ([c['computing_s'] for c in parts if (c['last_step'] <= slow - 2) == slow_ones] for slow_ones in (True, False))
        assert before and after and min(before) > 2 * max(after), parts
        assert slow - 2 in [c['last_step'] for c in parts] and parts[-1]['last_step'] == STEPS - 2, parts
        # A busy machine may add parts of its own.
        words = rf'ocean computes [\d.]+ s a step .*until step {slow - 2}\b'
        assert re.search(words, said.split(' is the bottleneck')[0]), said[:500]
        told = cpl_lb('predict', place)
        assert re.search('Remark: ' + words, told), told
    cpl_lb('report', place, '-o', place / 'again.html')
    differ = coupled_page.differences_of(place / 'load_balancing_report.html', place / 'again.html')
    assert not differ, '\n'.join(differ)
    page = coupled_page.held(place / 'again.html')[0]
    assert page['info']['run']['changes'] == info['run']['changes'], 'the page has the parts'
