"""The page as a reader meets it: in a real browser, from the file system, with the network off."""
import base64
import json
import re
import subprocess
import time
import zlib

from checks import PIXEL, PLACE, VIEW, check, choose, eventually, fits, opened, rows_of, run_tests, same, text_of
from page_look_tests import LOOK_TESTS
from readable_tests import READABLE_TESTS
from timeline_tests import TIMELINE_TESTS

HOME, RIGHT, ESCAPE = '\ue011', '\ue014', '\ue00c'
BLOCK = re.compile(r'<script type="text/plain" id="([ab]\d+)"( data-packed="no")?>([^<]*)</script>')


def block_bytes(match):
    data = base64.b64decode(match.group(3), validate=True)
    return data if match.group(2) else zlib.decompress(data)


def test_blocks_are_deflate(pages):
    """Another program undoes what the library packed; nothing in the data can end a script element."""
    page = pages.make('names')
    check(not any(m.group(2) for m in BLOCK.finditer(pages.make('long').read_text())), 'what can be packed is packed')
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    check(len(blocks) >= 2, 'blocks are there')
    for block in blocks:
        check(len(block_bytes(block)) > 0, 'a block can be unpacked')
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
    check('<' not in data, 'no < in the data')
    same(json.loads(data)['info']['components'][0]['name'], '<script>alert(1)</script>', 'name')
    check('http:' not in text.replace('http://www.w3.org/2000/svg', '') and 'https:' not in text, 'no address in the page')


def test_names_show_as_text(browser, pages):
    page = pages.page('names')
    opened(browser, page)
    same(browser.run('return document.querySelectorAll("#components-body td:first-child")[0].textContent'),
         '<script>alert(1)</script>', 'name in the table')
    check('made up <i>' in text_of(browser, 'title'), 'name of the run')
    same(browser.run('return document.querySelectorAll("main script, main i:not([style])").length'), 0, 'markup from names')


def test_figures_equal_the_json(browser, pages):
    page = pages.page('names')
    opened(browser, page)
    info = pages.summary(page)
    shown = browser.run('return JSON.parse(document.getElementById("data").textContent)')
    for mine, theirs in zip(shown['info']['components'], info['components']):
        for name in ('loop_s', 'computing_s', 'waiting_s', 'jitter_s', 'imbalance_s', 'events', 'coupling_cost'):
            same(mine[name], theirs[name], name)
    cells = rows_of(browser, '#components-body tbody tr')
    for row, component in zip(cells, info['components']):
        for cell, name in ((2, 'loop_s'), (3, 'computing_s'), (4, 'waiting_s')):
            check(abs(float(row[cell]) / component[name] - 1) < 0.005, f'{name}: {row[cell]} for {component[name]}')
        own = [float(number) for number in re.findall(r'[0-9.]+(?:e-?[0-9]+)?', row[6])]
        for value, name in zip(own, ('mean', 'min', 'max'), strict=True):
            told = component['process_waiting_s'][name]
            check(abs(value - told) <= 0.005 * told, f'{name} of the processes: {row[6]} for {told}')
    weight = lambda name: sum(c[name] * c['processes'] * c['threads'] for c in info['components'])
    share = f'{100 * weight("waiting_s") / weight("loop_s"):.0f} %'
    same(text_of(browser, 'share'), share, 'share of the machine')


def test_events_equal_the_file(browser, pages):
    page = pages.page('names')
    opened(browser, page)
    file = sorted(page.parent.glob('timeline_*.nc'))[0]
    dump = subprocess.run(['ncdump', '-p', '9,17', '-v', 'timer_strt,timer_stop', str(file)], check=True,
                          capture_output=True, text=True).stdout
    which = browser.run('return cplLbTimeline.model.rows.findIndex((r) => r.component.id === arguments[0])',
                        int(re.search(r':component_id = (\d+)', dump).group(1)))
    for name in ('strt', 'stop'):
        values = re.search(rf'timer_{name} =\s*([^;]*);', dump.split('data:')[1]).group(1)
        expected = [round(float(v) * 1e6) for v in values.split(',')]
        got = browser.run(f'return [0, 1].flatMap((p) => [...cplLbTimeline.model.events[arguments[0] + p].'
                          f'{"start" if name == "strt" else "stop"}])', which)
        check(all(abs(a - b) <= 1 for a, b in zip(got, expected)) and len(got) == len(expected), f'timer_{name}')


def test_blocks_as_they_are(browser, pages):
    """The browser reads the same events where nothing is packed, as where there is no zlib."""
    page = pages.make('long')
    script = 'return cplLbTimeline.model.events.map((e) => [[...e.key], [...e.start], [...e.stop]])'
    opened(browser, page)
    packed = browser.run(script)
    plain = lambda m: f'<script type="text/plain" id="{m.group(1)}" data-packed="no">' \
                      f'{base64.b64encode(block_bytes(m)).decode()}</script>'
    page.write_text(BLOCK.sub(plain, page.read_text()))
    opened(browser, page)
    check(len(packed) == 4 and len(packed[0][0]) == 999, 'events are there')
    check(browser.run(script) == packed, 'events of a page that is not packed')


def test_zoom_hover_filter_keys(browser, pages):
    opened(browser, pages.page('names'))
    whole = browser.run(VIEW)
    x, y = browser.run(PLACE, 0, 4)  # event 4 is the third GET
    browser.settle()

    browser.mouse('mouseMoved', x, y)
    for part in ('<script>alert(1)</script>, process 0', 'receive T & "S" <b>', 'day 0 02:00:00'):
        eventually(lambda: text_of(browser, 'hover'),
                   lambda shown, part=part: part in shown, f'hover says {part}')

    def pixel(colour, text):
        eventually(lambda: browser.run(PIXEL, x, y), lambda got: got == colour, text)

    colour = lambda name: browser.run('return rgb(theme.colour(arguments[0]))', name)
    pixel(colour('receive'), 'the colour of waiting to receive')
    # The legend hides it, and shows it again.
    browser.run('document.querySelectorAll("#legend button")[0].click()')
    browser.settle()
    pixel(colour('computing'), 'hidden: the colour of computing')
    browser.run('document.querySelectorAll("#legend button")[0].click()')
    for mode, name in (('field', 'T & "S" <b>'), ('counterpart', 'a&b "c"')):
        choose(browser, 'colour-by', mode)
        browser.settle()
        check(name in text_of(browser, 'legend'), f'legend by {mode}')
    # Wheel: nearer, around the pointer; not while the page itself is being scrolled and for 0.3 s after that. PLACE has
    # scrolled it, and what was drawn since has told the page.
    browser.settle()
    time.sleep(0.31)
    browser.wheel(x, y, -300, False)
    eventually(lambda: browser.run(VIEW), lambda near: near[1] - near[0] < 0.8 * (whole[1] - whole[0]), 'zoomed in')
    browser.wheel(x, y, -300, True)
    eventually(lambda: browser.run(VIEW), lambda near: near[3] - near[2] < whole[3] - whole[2],
               'with Shift in processes')
    # Drag to the left: later.
    before = browser.run(VIEW)
    browser.mouse('mousePressed', x, y)
    browser.mouse('mouseMoved', x - 60, y)
    browser.mouse('mouseReleased', x - 60, y)
    browser.settle()
    check(browser.run(VIEW)[0] > before[0], 'dragged')
    # Keys.
    browser.run('cplLbTimeline.canvas.focus()')
    browser.keys(HOME)
    same(browser.run(VIEW), whole, 'Home shows the whole run')
    browser.keys('+', RIGHT)
    moved = browser.run(VIEW)
    check(moved[1] - moved[0] < whole[1] - whole[0] and moved[0] > whole[0], 'plus and right')
    browser.keys('.')
    browser.settle()  # the redraws after the keys leave the words alone
    words = text_of(browser, 'timeline-said')
    check('process' in words and ('receive' in words or 'send' in words), f'an event is read out: {words}')
    # A date: that of events 6 and 7, which start near 7 s and 8 s.
    browser.run('document.getElementById("jump").value = "day 0 03:00"; document.getElementById("jump-go").click()')
    there = browser.run(VIEW)
    check(there[0] < 7.3e6 < there[1], f'jumped to the date: {there}')
    # Light and dark.
    light = browser.run('return getComputedStyle(document.body).backgroundColor')
    browser.run('document.getElementById("theme").click()')
    check(browser.run('return getComputedStyle(document.body).backgroundColor') != light, 'dark')
    ours = 'getImageData'  # the browser's advice to those who read pixels, which only this test does
    same([m for m in browser.messages() if ours not in m], [], 'console after all that')


def test_critical_path(browser, pages):
    """The same seconds as cpl-lb predict; the longest part first; why there is none."""
    page = pages.page('names')
    opened(browser, page)
    out = subprocess.run([pages.command, 'predict', '--json', str(page.parent)], check=True, capture_output=True).stdout
    wanted = sorted(((c['critical_s'], c['name']) for c in json.loads(out)['components']), reverse=True)
    cells = rows_of(browser, '#path-body tbody tr')
    same([c[0] for c in cells], [name for _, name in wanted], 'components')
    for (_, shown, _), (seconds, _) in zip(cells, wanted):
        check(abs(float(shown) - seconds) < 0.005 * max(seconds, 1e-9), f'{shown} for {seconds} s')
    text = 'return document.getElementById("path-body").textContent'
    measured = json.loads(out)['measured_s']
    same(cells[0][2], f'{100 * wanted[0][0] / measured:.0f} %', 'share of the common loop')
    check(f'explains {100 * sum(s for s, _ in wanted) / measured:.0f} %' in browser.run(text), 'what it leaves out')
    opened(browser, pages.make('one-process'))
    check('n/a: a single component' in browser.run(text), 'why there is none')
    check('the critical path was not computed' in browser.run('document.getElementById("path-body").replaceChildren();'
                                                              'drawPath({critical_path: null});' + text), 'a page without')


MACHINE = """name = 'm <i>'
[[flop_rate]]
vector = 'avx'
threads = 1
GFLOP_per_s = 10
[[bandwidth]]
level = 'DRAM'
threads = 1
GB_per_s = 20
"""


def run_with_regions(pages, *regions):
    """The timelines of a made-up run beside a json that a hand has written the regions into."""
    told = lambda values: {q: {'expression': '1', 'value': v, 'min': v, 'max': v, 'processes': 1} for q, v in values.items()}

    def change(info):
        info['components'][0]['regions'] = [
            {'name': name, 'calls': 1, 'processes': 1, 'min_s': s, 'mean_s': s, 'max_s': s, 'annotations': told(values)}
            for name, s, values in regions]
    page = pages.changed('one-process', 'roofline', change)
    (page.parent / 'm.toml').write_text(MACHINE)
    return page


def test_roofline(browser, pages):
    """As cpl-lb machine roofline says, and by hand: 2e9 operations at 10 GFLOP/s are 0.2 s, and so are 4e9 B at 20 GB/s."""
    if not pages.models:
        return
    pages.make('one-process')
    page = run_with_regions(pages, ('<b>]]>', 0.5, {'flops': 2e9, 'bytes': 1e9}),
                            ('told', 0.4, {'flops': 1e9, 'bytes': 4e9}), ('plain', 1.0, {}))
    place = page.parent
    machine = ['--machine', str(place / 'm.toml'), '--threads', '1']
    pages.report(place, *machine)
    out = subprocess.run([pages.command, 'machine', 'roofline', str(place), '--json'] + machine, check=True, capture_output=True)
    wanted = json.loads(out.stdout)
    opened(browser, page)
    shown = browser.run('return JSON.parse(document.getElementById("data").textContent).roofline')
    for part in ('machine', 'threads', 'ceilings', 'regions', 'remarks'):
        same(shown[part], wanted[part], part)
    cells = rows_of(browser, '#roofline-body tbody tr')
    why = wanted['regions'][2]['why_not']
    same(cells, [['alone: <b>]]>', 'avx flop rate', '2', '4', '10', '0.500', '0.200', '40 %', 'annotations'],
                 ['alone: told', 'DRAM bandwidth', '0.250', '2.50', '5', '0.400', '0.200', '50 %', 'annotations'],
                 ['alone: plain', 'n/a: ' + why, 'n/a', 'n/a', 'n/a', '1', 'n/a', 'n/a', 'n/a']], 'table')
    dots = browser.run('return [...document.querySelectorAll("#roofline-body svg .dot title")].map((t) => t.textContent)')
    same([d.split(': ')[:2] for d in dots], [['alone', '<b>]]>'], ['alone', 'told']], 'dots of the picture')
    same(browser.run('return document.querySelectorAll("#roofline-body b, #roofline-body i, parsererror").length'), 0, 'markup')
    fits(browser, page, 400)
    text = 'const place = document.getElementById("roofline-body"); return place && place.textContent'
    opened(browser, pages.report(place))
    check('--machine NAME adds it' in browser.run(text), 'how to have it')
    for regions, said in ((('plain', 1.0, {}),), 'no region has both'), ((), 'names no regions'):
        run_with_regions(pages, *regions)
        opened(browser, pages.report(place, *machine))
        check(browser.run(text).startswith('n/a: ') and said in browser.run(text), f'why there is none: {browser.run(text)}')
    opened(browser, pages.report(place))
    same(browser.run(text), None, 'nothing said of a run that has nothing')
    bad = subprocess.run([pages.command, 'report', str(place), '--machine', 'nowhere'], capture_output=True, text=True)
    same((bad.returncode, bad.stdout, bad.stderr.count('\n')), (1, '', 1), 'unknown machine')
    check('nowhere' in bad.stderr, bad.stderr)


def test_messages_of_regions(browser, pages):
    """Columns of their own where MPI was recorded; a region without messages beside one with them."""
    pages.make('one-process')
    opened(browser, run_with_regions(pages, ('halo', 0.5, {}), ('solver', 0.4, {})))
    texts = lambda row: rows_of(browser, '#regions-body tr')[row]
    same(texts(0)[-1], 'Imbalance %', 'no columns of messages')
    spread = lambda least, most: {'min': least, 'mean': (least + most) / 2, 'max': most, 'sum': least + most, 'count': 2}
    opened(browser, pages.changed('roofline', 'messages', lambda info: info['components'][0]['regions'][0].update(
        messages=spread(3, 5), message_bytes=spread(10, 14))))
    same(texts(0)[-2:], ['Messages sent', 'Bytes in them'], 'columns of messages')
    same(texts(1)[-2:], ['4', '12'], 'means of 3 and 5 messages, 10 and 14 bytes')
    same(texts(2)[-2:], ['n/a', 'n/a'], 'none')


def check_traffic(browser, processes):
    """Rows send to columns; the square with most has the full colour, whatever is chosen."""
    cells = 'return [...document.querySelectorAll("#efficiency-body svg.traffic rect")].slice(1).map((r) => [r.x.baseVal.value, r.y.baseVal.value, ' \
            'r.width.baseVal.value, Number(r.getAttribute("fill-opacity")), r.textContent])'
    shown = browser.run(cells)
    same(len(shown), 2, 'squares')
    side = shown[0][2]
    same([[round(x / side), round(y / side)] for x, y, *_ in shown], [[1, 0], [0, processes - 1]], 'their places')
    check(shown[1][3] == 1 and shown[0][3] < 0.2, f'bytes: {shown}')
    check('process 0 to process 1: 40 messages' in shown[0][4], f'in words: {shown[0][4]}')
    choose(browser, 'traffic-of', 'messages')
    shown = browser.run(cells)
    check(shown[0][3] == 1 and shown[1][3] < 0.2, f'messages: {shown}')


def test_core_hours(browser, pages):
    """Efficiencies as the json has them; none where MPI was not recorded. Both have a loop, and half of it is useful."""
    there = 'return document.querySelectorAll("#efficiency, nav a[href=\\"#efficiency\\"]").length'
    opened(browser, pages.page('names'))
    same(browser.run(there), 0, 'nothing said of a run without MPI recorded')
    spread = lambda *values: {'min': min(values), 'max': max(values), 'sum': sum(values), 'count': len(values)}

    def record_mpi(info):
        for c in info['components']:
            loop = c['loop_s']
            none = {**spread(0, 0), 'calls': 0}
            c['mpi'] = {'length_s': loop, 'of_whole_run': False, 'useful': spread(0.45 * loop, 0.55 * loop), 'exchanges': spread(0, 0),
                        'point_to_point': {**spread(1, 2), 'calls': 42}, 'collective': none, 'one_sided': none, 'files': none}
        last = info['components'][0]['processes'] - 1
        info['components'][0]['mpi']['traffic'] = {
            'groups': last + 1, 'from': [0, last], 'to': [1, 0], 'messages': [40, 2], 'bytes': [4096, 1048576], 'waited_s': [0.25, 0.5],
            'waited_for': [{'process': 1, 'by': 2, 'waits': 40, 'waited_s': 0.5, 'with_others_s': 0.75, 'in_loop_s': 0.25}]}
        info['components'][1]['mpi'] = {'why_not': 'MPI was <b>'}
    page = pages.changed('names', 'core-hours', record_mpi)
    opened(browser, page)
    same(browser.run(there), 2, 'the section and its link')
    rows = rows_of(browser, '#efficiency-body tbody tr')
    c = pages.summary(page)['components'][0]
    computing = c['computing_s'] / c['loop_s']
    for cell, wanted in zip(rows[0][1:], (0.5, computing, 0.5 / computing, 0.5 / 0.55, 0.55 / computing)):
        check(abs(float(cell) - 100 * wanted) < 0.01 * 100 * wanted, f'{rows[0]}: {cell} for {100 * wanted}')
    same(rows[1][0], 'All cores', 'the run')
    same(rows[1][1], 'n/a', 'no total where a component has none')
    check(['point to point', '42'] in [[r[1], r[-1]] for r in rows[2:]], f'calls: {rows[2:]}')
    check_traffic(browser, c['processes'])
    boxes = browser.run('return [...document.querySelectorAll("#efficiency-body svg:not(.traffic) rect")].map((r) => r.getBoundingClientRect().width)')
    check(abs(boxes[0] / sum(boxes) - 0.5) < 0.01, f'half of the bar is useful: {boxes}')
    check('n/a: inside' in text_of(browser, 'efficiency-body'), 'why there is none')
    fits(browser, page, 360)


def test_runs_that_are_strange(browser, pages):
    for kind in ('one-process', 'no-events', 'many-components', 'long'):
        page = pages.make(kind)
        opened(browser, page)
        check(len(text_of(browser, 'words')) > 10, f'{kind}: words')
        check(page.stat().st_size < 4_000_000, f'{kind}: size')
    same(browser.run('return Math.round(cplLbTimeline.model.t1)'), 10 ** 12, '10^6 s in microseconds')
    check('ks' not in text_of(browser, 'timeline-state'), 'units')


def test_page_without_timelines(browser, pages):
    page = pages.make('one-process')
    data = page.read_text()
    check('"why_not":null' in data, 'a timeline is there')
    page.write_text(data.replace('"why_not":null', '"why_not":"it was switched off"'))
    opened(browser, page)
    check('it was switched off' in text_of(browser, 'timeline'), 'says why')


def test_narrow_and_printed(browser, pages):
    page = pages.page('names')
    fits(browser, page, 360)
    browser.pdf(page.parent / 'page.pdf')
    check((page.parent / 'page.pdf').stat().st_size > 10_000, 'printed')


def test_bins_where_events_do_not_fit(browser, pages):
    """4,096,000 events x processes are above the bound: bins of all, events of some. 256 rows are not folded."""
    page = pages.make('size', 512, 8000)
    opened(browser, page)
    check(page.stat().st_size < 15_000_000, f'size {page.stat().st_size}')
    counts = browser.run('const m = cplLbTimeline.model; return [m.rows.length, m.events.filter((e) => e).length, m.bins, '
                         'm.groups, m.height, document.getElementById("open-group").hidden]')
    same([counts[0]] + counts[3:], [512, 0, 512, True], 'rows, none of them folded')
    check(0 < counts[1] <= 125 and 1024 <= counts[2] <= 8192, f'chosen processes and bins: {counts}')
    # Shares of the bins against the events of the same process: the whole run's waiting, within rounding.
    shares = browser.run('''const m = cplLbTimeline.model, row = m.events.findIndex((e) => e), e = m.events[row];
        let bins = 0; const s = m.parts[0].shares; for (let b = 0; b < m.bins; ++b) bins += s[0][row * m.bins + b] + s[1][row * m.bins + b];
        let exact = 0; e.start.forEach((s, i) => { exact += e.stop[i] - s; });
        return [bins / 255 * (m.t1 - m.t0) / m.bins, exact]''')
    check(abs(shares[0] / shares[1] - 1) < 0.002, f'bins {shares[0]} and events {shares[1]}')


OPEN = 'return cplLbTimeline.model.parts.flatMap((p, i) => p.group >= 0 && p.isOpen ? [i] : [])'


def test_groups_fold_and_open(browser, pages):
    """Two components of 512 processes. A group is a power of two, and at most 64 of all: 16 processes, 32 groups each."""
    page = pages.make('size', 1024, 4000)
    check(page.stat().st_size < 15_000_000, f'size {page.stat().st_size}')
    opened(browser, page)
    same(browser.run('const m = cplLbTimeline.model; return [m.rows.length, m.parts.length, m.groups, m.height]'),
         [1024, 64, 64, 64], 'all folded: a line for each group')
    check('mean of 16 processes' in text_of(browser, 'timeline-groups'), 'what a row is')
    same(browser.run('return document.querySelectorAll("#open-group option").length'), 65, 'list of groups')
    # The mean is that of its processes, which are unpacked when they are asked for: group 33 is ocean's or the
    # atmosphere's second. Waiting of the whole run in both, each share rounded to 1/255.
    means = browser.run_async('''const done = arguments[arguments.length - 1], m = cplLbTimeline.model, part = m.parts[33];
        const packed = part.shares === null;
        m.unpack(part).then(() => {
          const sum = (shares, first, n) => { let s = 0; for (const c of [0, 1]) for (let i = first; i < first + n; ++i) s += shares[c][i]; return s / n; };
          done([packed, sum(m.groupShares, part.group * m.groupBins, m.groupBins), sum(part.shares, 0, part.count * m.bins),
            part.firstProcess, part.lastProcess, part.count]);
        });''')
    check(means[0] and abs(means[1] - means[2]) < 1, f'mean of a group: {means}')
    same(means[3:], [16, 31, 16], 'processes of the second group of a component')
    # By the list, by the pointer, by keys.
    choose(browser, 'open-group', '33')
    eventually(lambda: browser.run(OPEN), lambda got: got == [33], 'opened by the list')
    said = text_of(browser, 'timeline-said')
    check('processes 16 to 31: 16 of 16 are below.' in said and 'of them, the others show shares of' in said, f'what the page holds: {said}')
    same(browser.run('const t = cplLbTimeline; return [t.y0, t.y1, t.model.parts[33].head]'), [33, 50, 1], 'its 16 rows and the mean above')
    browser.run('cplLbTimeline.canvas.focus()')
    browser.keys(ESCAPE)
    eventually(lambda: browser.run(OPEN), lambda got: got == [], 'folded by Esc')
    same(browser.run('return cplLbTimeline.y1'), 64, 'all groups again')
    browser.run('cplLbTimeline.canvas.scrollIntoView({block: "center"})')
    x, y = browser.run('const t = cplLbTimeline, b = t.canvas.getBoundingClientRect(); '
                       'return [b.left + t.gutter + 200, b.top + t.plotHeight * 5.5 / 64]')
    browser.mouse('mouseMoved', x, y)
    eventually(lambda: text_of(browser, 'hover'),
               lambda shown: 'processes 80 to 95: mean of 16' in shown and 'press to open' in shown, 'hover tells the group')
    browser.mouse('mousePressed', x, y)
    browser.mouse('mouseReleased', x, y)
    eventually(lambda: browser.run(OPEN), lambda got: got == [5], 'opened by a press')
    y = browser.run('const t = cplLbTimeline, b = t.canvas.getBoundingClientRect(); return b.top + t.plotHeight * 0.5 / 17')
    time.sleep(0.6)  # or it would be the second press of a double click
    browser.mouse('mousePressed', x, y)
    browser.mouse('mouseReleased', x, y)
    eventually(lambda: browser.run(OPEN), lambda got: got == [], 'folded by a press on the mean')
    same(browser.messages(), [], 'console after all that')


def test_a_group_says_what_is_not_here(browser, pages):
    """A page as one that a run writes, with few of a group's processes: it says so."""
    page = pages.page('size')
    opened(browser, page)
    said = browser.run('const m = cplLbTimeline.model, p = m.parts[0]; p.count = 4; m.events.fill(null); return contentsOf(m, p)')
    check('4 of 16 are below; the other 12 are not in this page' in said and 'single events are not in this page' in said, said)


MAPS = 'return [...document.querySelectorAll("#map-body figure")].filter((f) => !f.hidden).map((f) => [f.querySelector("strong").textContent, f.querySelector("figcaption").textContent])'


def show_map(browser, value):
    choose(browser, 'map-of', value)
    return dict(browser.run(MAPS))


def test_the_map(browser, pages):
    """Which figure is shown: the most uneven one first, lateness, a region."""
    page = pages.make('map')
    opened(browser, page)
    # Computing: 10 s, 2 s above the mean of 8 s. The region in the north: 3 s, 2.4 s above the mean of 0.6 s.
    same(list(dict(browser.run(MAPS))), ['ocean: sea ice <b>'], 'the most uneven figure is shown first')
    maps = show_map(browser, 'computing')
    same(sorted(maps), ['atmosphere: computing', 'ocean: computing'], 'maps')
    check('A grid of 120 × 75 points: i to the right' in maps['ocean: computing'] and 'did not say' in maps['atmosphere: computing'], maps)
    same(browser.run('return [...document.querySelectorAll("#map-of option")].map((o) => o.value)'),
         ['computing', 'late', 'memory', 'region dynamics', 'region sea ice <b>', 'region radiation'], 'what the map can show')
    late = show_map(browser, 'late')['ocean: late at exchanges']
    check('most: process 19' in late, late)
    ice = show_map(browser, 'region sea ice <b>')
    same(list(ice), ['ocean: sea ice <b>'], 'only the ocean has this region')
    # The mean of 8 x 3 s and 32 x 0 s; 3 s are five times as much.
    check('mean 600 ms' in ice['ocean: sea ice <b>'] and '5.0 times the mean' in ice['ocean: sea ice <b>'], ice)


def test_the_map_of_pieces(browser, pages):
    """All pieces of a process have its colour, one is found under the pointer, and boxes around several are told."""
    page = pages.make('pieces')
    opened(browser, page)
    maps = dict(browser.run(MAPS))
    check('A grid of 120 × 8 points' in maps['ocean: computing'] and 'Coarser' not in maps['ocean: computing'], maps)
    check('A grid of 100 × 160 points' in maps['atmosphere: computing'] and 'Coarser than it is: of 4 processes' in maps['atmosphere: computing'], maps)
    # Of 8 rows, j upwards, process p has rows p + 1 and p + 5; the middle of each row on the screen, from above.
    choose(browser, 'map-of', 'memory')
    colours = browser.run('''const c = document.querySelector("#map-body canvas"), all = c.getContext("2d").getImageData(c.width / 2, 0, 1, c.height).data;
        return [...Array(8).keys()].map((n) => [...all.slice(4 * Math.floor((n + 0.5) * c.height / 8)).slice(0, 4)].join())''')
    check(colours[:4] == colours[4:] and len(set(colours)) == 4, f'a colour for each process: {colours}')
    whose = '''const c = document.querySelector("#map-body canvas"), b = c.getBoundingClientRect();
        return [...Array(8).keys()].map((n) => {
          c.dispatchEvent(new PointerEvent("pointermove", {clientX: b.left + b.width / 2, clientY: b.top + (n + 0.5) * b.height / 8}));
          return c.parentNode.querySelector(".hint").textContent.split(":")[0];
        })'''
    same(browser.run(whose), [f'Process {p}' for p in (3, 2, 1, 0, 3, 2, 1, 0)], 'whose each row is')
    same(browser.messages(), [], 'console')


def write_pages(pages, options):
    test_blocks_are_deflate(pages)
    if options.written_only:
        for kind in ('one-process', 'no-events', 'long'):
            pages.make(kind)
        return False
    pages.models = not options.without_models
    return True


TESTS = (test_names_show_as_text, test_figures_equal_the_json, test_critical_path, test_roofline, test_messages_of_regions, test_core_hours,
         test_events_equal_the_file, test_blocks_as_they_are, test_zoom_hover_filter_keys, test_narrow_and_printed,
         test_the_map, test_the_map_of_pieces, test_runs_that_are_strange, test_page_without_timelines, test_bins_where_events_do_not_fit,
         test_groups_fold_and_open, test_a_group_says_what_is_not_here, *TIMELINE_TESTS, *LOOK_TESTS, *READABLE_TESTS)

if __name__ == '__main__':
    run_tests(TESTS, (('written-only', 'for sanitizers: what the browser shows dev has seen'), ('without-models', 'the command has no roofline')), write_pages)
