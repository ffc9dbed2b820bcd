"""cpl-lb report --scripts: pictures whose every bin is worked out again here, and scripts that draw them. Of the two
timelines of page_runs the first holds its picture."""
import pathlib
import re
import subprocess
import sys

import matplotlib.pyplot as plt
from made_run import check, made_run

BINS = 2048
KEY = 48  # rows below the processes that show what colour is what
GET, PUT, COMPUTING = (0xd5, 0x5e, 0), (0, 0x72, 0xb2), (0xcf, 0xd9, 0xe3)


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
    check(all(pathlib.Path(p).exists() for p in printed) and len(printed) == 1 + 2 + 4, f'files: {printed}')
    pictures, rasters = 0, {}
    for timeline in folder.glob('timeline_*.nc'):
        (kinds, starts, stops), timeline_dump = variables(timeline, 'kind', 'timer_strt', 'timer_stop')
        (raster, elapsed, process_of_row), dump = variables(folder / timeline.name.replace('timeline_', 'raster_'),
                                                            'kind_dominant', 'elapsed', 'process')
        check_key(raster, dump)
        rasters[timeline.stem.split('_', 1)[1]] = [raster[at * BINS:(at + 1) * BINS] for at in (0, 256)]
        # 512 rows for two processes: 256 of each, around its number.
        check(len(raster) == (512 + KEY) * BINS and 'kind_dominant:flag_meanings = "COMPUTING UNDF PUT GET' in dump, 'raster')
        check([round(p) for p in process_of_row[:512]] == [0] * 256 + [1] * 256, 'process')
        rows = [raster[row * BINS:(row + 1) * BINS] for row in range(512)]
        check(all(row == rows[at // 256 * 256] for at, row in enumerate(rows)), 'rows of one process differ')
        end = 13.0  # page_runs: 12 events, one step of a second after them
        check(abs(elapsed[0] - end / BINS / 2) < 1e-9 and abs(elapsed[-1] - (end - end / BINS / 2)) < 1e-9, 'elapsed')
        if 'kind_dominant' in timeline_dump:
            (of_timeline,), _ = variables(timeline, 'kind_dominant')
            check(of_timeline == raster[:BINS] + raster[256 * BINS:][:BINS], 'the picture in the timeline')
            check('kind_dominant:valid_range = -1b, 11b ;' in timeline_dump, 'valid_range of kind_dominant')
            pictures += 1
        check('kind:valid_range = 0, 11 ;' in timeline_dump, 'valid_range of kind')
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
    ferret(folder, rasters)
    print('pictures: good')


def check_key(raster, dump):
    """ncview spreads its colours over the values of a file: with the key these are the same in all of them."""
    check(f'kind_dominant:key_rows = {KEY} ;' in dump, 'key_rows')
    key = [raster[row * BINS:(row + 1) * BINS] for row in range(512, 512 + KEY)]
    check(all(value is None for row in key[:KEY // 3] for value in row), 'a gap of a third')
    # 13 values on 2048 bins: the first bin of value v is the first b with 13 b / 2048 >= v + 1.
    expected = [b * 13 // BINS - 1 for b in range(BINS)]
    check(all(row == expected for row in key[KEY // 3:]), 'the key')
    values = {value for value in raster if value is not None}
    check((min(values), max(values)) == (-1, 11), f'{values}')


def ferret(folder, rasters):
    """The line of docs/timelines.md as it stands there, with Debian's programs and nothing else in the environment."""
    page = (pathlib.Path(__file__).parents[2] / 'docs/timelines.md').read_text(encoding='utf-8')
    line = re.search(r'`(pyferret [^`]*)`', page).group(1)
    check(line in (folder / 'timeline.jnl').read_text().splitlines()[0], 'the line in the script')
    environment = {'PATH': '/usr/bin:/bin', 'HOME': str(folder)}
    eggs = sorted(pathlib.Path('/usr/lib/python3/dist-packages').glob('p*-*.egg'))
    if eggs:  # Debian 13's, as the page says
        environment['PYTHONPATH'] = ':'.join(map(str, eggs))
    out = subprocess.run(['sh', '-c', line], cwd=folder, env=environment,
                         capture_output=True, text=True, timeout=120, check=False)
    pictures = sorted(folder.glob('*_*.png'))
    check([p.name[:6] for p in pictures] == ['raster', 'timeli'] and 'ERR' not in out.stdout + out.stderr,
          f'{pictures}\n{out.stdout}{out.stderr}')
    for picture in pictures:
        rows = rasters[picture.stem.split('_', 1)[1]]
        drawn = [pixels(picture, colour) for colour in (PUT, GET, COMPUTING)]
        expected = [sum(row.count(kind) for row in rows) / BINS / 2 for kind in (1, 2, -1)]
        for got, share in zip(drawn, expected):
            # The boxes of the legend are as many pixels of each colour: 0.3 x 0.35 of 9.2 x 4.5 inches.
            check(abs(got / sum(drawn) - share) < 0.02, f'{picture.name}: {drawn}, expected {expected}')


def pixels(picture, colour):
    image = plt.imread(picture)[..., :3] * 255
    return int((abs(image - colour).max(axis=-1) < 4).sum())


main()
