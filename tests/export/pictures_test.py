"""cpl-lb report --scripts: pictures whose every bin is worked out again here, and scripts that draw them. Of the two
timelines of page_runs the first holds its picture."""
import pathlib
import re
import subprocess
import sys

from made_run import check, made_run

BINS = 2048


def variables(file, *names):
    dump = subprocess.run(['ncdump', '-p', '9,17', '-v', ','.join(names), str(file)], check=True, capture_output=True,
                          text=True).stdout
    texts = [re.sub(r'\s', '', re.search(rf'\n {name} =([^;]*);', dump).group(1)).split(',') for name in names]
    number = {text: float(text) if text != '_' else None for text in set().union(*texts)}
    return [[number[text] for text in one] for one in texts], dump


def expected_row(kinds, starts, stops, end):
    """The events of page_runs do not nest: each takes its time from the bins it touches, computing is the rest."""
    width = end / BINS
    shares = [dict() for _ in range(BINS)]
    for kind, start, stop in zip(kinds, starts, stops):
        for b in range(int(start / width), min(int(stop / width) + 1, BINS)):
            length = min(stop, (b + 1) * width) - max(start, b * width)
            shares[b][kind] = shares[b].get(kind, 0) + max(length, 0)
    row = []
    for share in shares:
        share[-1] = width - sum(share.values())
        row.append((share, max(share, key=share.get)))
    return row


def main():
    command, folder = made_run('names')
    printed = subprocess.run([command, 'report', str(folder), '--scripts'], check=True, capture_output=True,
                             text=True).stdout.split()
    check(all(pathlib.Path(p).exists() for p in printed) and len(printed) == 1 + 2 + 3, f'files: {printed}')
    pictures = 0
    for timeline in folder.glob('timeline_*.nc'):
        (kinds, starts, stops), timeline_dump = variables(timeline, 'kind', 'timer_strt', 'timer_stop')
        (raster, elapsed, process_of_row), dump = variables(folder / timeline.name.replace('timeline_', 'raster_'),
                                                            'kind_dominant', 'elapsed', 'process')
        # 512 rows for two processes: 256 of each, around its number.
        check(len(raster) == 512 * BINS and 'kind_dominant:flag_meanings = "COMPUTING UNDF PUT GET' in dump, 'raster')
        check([round(p) for p in process_of_row] == [0] * 256 + [1] * 256, 'process')
        for row in range(512):
            first = row // 256 * 256
            check(raster[row * BINS:][:BINS] == raster[first * BINS:][:BINS], f'row {row} is not row {first}')
        end = 13.0  # page_runs: 12 events, one step of a second after them
        check(abs(elapsed[0] - end / BINS / 2) < 1e-9 and abs(elapsed[-1] - (end - end / BINS / 2)) < 1e-9, 'elapsed')
        if 'kind_dominant' in timeline_dump:
            (of_timeline,), _ = variables(timeline, 'kind_dominant')
            check(of_timeline == raster[:BINS] + raster[256 * BINS:][:BINS], 'the picture in the timeline')
            pictures += 1
        n = len(kinds)
        for process in (0, 1):
            row = expected_row(kinds, starts[process * n:][:n], stops[process * n:][:n], end)
            for b, (share, kind) in enumerate(row):
                got = int(raster[process * 256 * BINS + b])
                # A tie within rounding may go either way.
                check(got == kind or abs(share[got] - share[kind]) < 1e-6, f'bin {b}: {got}, expected {share}')
    check(pictures == 1, 'one timeline holds its picture')
    # 12 events: the reference occurs six times, which makes four whole steps.
    check('step = 4 ;' in dump, 'coupling steps')
    drawn = subprocess.run([sys.executable, str(folder / 'timeline.py')], capture_output=True, text=True)
    check(drawn.returncode == 0, drawn.stderr)
    check((folder / 'timeline.png').read_bytes()[:4] == b'\x89PNG', 'timeline.png')
    listed = re.search(r'for file in (.*);', (folder / 'ncview.sh').read_text()).group(1).split()
    check(sorted(listed) == sorted(p.name for p in folder.glob('raster_*.nc')), f'ncview.sh: {listed}')
    subprocess.run(['sh', '-n', str(folder / 'ncview.sh')], check=True)
    ferret(folder)
    print('pictures: good')


def ferret(folder):
    script = ('. /usr/share/ferret-vis/bin/ferret_paths; export FER_PALETTE=". $FER_PALETTE" FER_DATA=". $FER_DATA";'
              'PATH=/usr/bin:$PATH; pyferret3 -nojnl -nodisplay -script ./timeline.jnl')
    out = subprocess.run(['sh', '-c', script], cwd=folder, capture_output=True, text=True, timeout=120)
    pictures = sorted(p.name[:6] for p in folder.glob('*_*.png'))
    check(pictures == ['raster', 'timeli'] and 'ERR' not in out.stdout + out.stderr, f'{pictures}\n{out.stdout}{out.stderr}')


main()
