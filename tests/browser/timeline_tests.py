"""The timeline of the page: messages, critical path, ends of the loops, a stretch and its table, what is found."""
import json
import re
import subprocess

from checks import PLACE, VIEW, check, eventually, opened, rows_of, same, text_of

SHIFT = 8


def bins_page(pages):
    """4,096,000 events x processes: bins of all, events of some."""
    page = pages.page('bins')
    return page if page.exists() else pages.make('size', 512, 8000, name='bins')


def events_of(page, name):
    """From ncdump: (component id, [process][event] of (start, stop) in seconds, kinds)."""
    dump = subprocess.run(['ncdump', '-p', '9,17', '-v', 'timer_strt,timer_stop,kind', str(page.parent / name)], check=True,
                          capture_output=True, text=True).stdout
    values = lambda v: [float(x) for x in re.search(rf'\b{v} =\s*([^;]*);', dump.split('data:')[1]).group(1).split(',')]
    kinds = [int(k) for k in values('kind')]
    pairs = list(zip(values('timer_strt'), values('timer_stop')))
    rows = [pairs[i:i + len(kinds)] for i in range(0, len(pairs), len(kinds))]
    return int(re.search(r':component_id = (\d+)', dump).group(1)), rows, kinds


def test_messages_are_those_of_export(browser, pages):
    """The same pairs, at the same times, as another program joins them; too many are not drawn, and it says so."""
    page = pages.page('names')
    trace = page.parent / 'trace.json'
    subprocess.run([pages.command, 'export', str(page.parent), '--to', 'perfetto', '-o', str(trace)], check=True, capture_output=True)
    ends = {'s': [], 'f': []}
    for event in json.loads(trace.read_text())['traceEvents']:
        if event['ph'] in ends:
            ends[event['ph']].append((event['id'], event['pid'], event['ts']))
    wanted = sorted((s[1], f[1], s[2], f[2]) for s, f in zip(sorted(ends['s']), sorted(ends['f'])))
    check(len(wanted) == 10, f'pairs of the export: {len(wanted)}')
    opened(browser, page)
    got = sorted(browser.run('const o = cplLbTimeline.overlay; return o.arrowsIn(-1e12, 1e12).arrows.map((a) => '
                             '[a.x.source, a.x.target, a.start, a.stop])'))
    for mine, theirs in zip(got, wanted):
        check(mine[:2] == list(theirs[:2]) and all(abs(a - b) <= 1 for a, b in zip(mine[2:], theirs[2:])), f'{mine} for {theirs}')
    same(len(got), len(wanted), 'number of pairs')
    # Drawn: the picture differs from the one without, and the switch takes them away.
    picture = 'cplLbTimeline.drawNow(); return cplLbTimeline.canvas.toDataURL()'
    switch = 'const b = document.getElementById(arguments[0]); b.click(); '
    for name in ('show-arrows', 'show-path', 'show-loops'):
        before = browser.run(picture)
        check(browser.run(switch + picture, name) != before, f'{name} changes the picture')
        check(browser.run(switch + picture, name) == before, f'{name} and back')
    opened(browser, pages.make('size', 8, 8000))
    state = 'cplLbTimeline.drawNow(); return document.getElementById("timeline-state").textContent'
    lags = browser.run('return cplLbTimeline.data.exchanges.map((x) => x.lag)')
    said = f'Zoom in to see the {8000 - sum(lags):,} messages'.replace(',', '\u202f')  # each field is put 4,000 times
    check(said in browser.run(state), browser.run(state))
    check('messages' not in browser.run('cplLbTimeline.show(1e6, 1.2e6); ' + state), 'few are drawn')


def test_critical_path_as_a_line(browser, pages):
    """Its stretches on the timeline last as long as the table says that the path does in each component."""
    opened(browser, pages.page('names'))
    path = browser.run('return cplLbTimeline.data.critical_path')
    names = {c['id']: c['name'] for c in browser.run('return cplLbTimeline.model.info.components')}
    line = path['line'][0]
    seconds = dict.fromkeys(names.values(), 0.0)
    for component, start, length in zip(line[0::3], line[1::3], line[2::3]):
        check(start >= 0 and length >= 0, 'a stretch has a length')
        seconds[names[component]] += length / 1e6
    starts = line[1::3]
    check(starts == sorted(starts) and len(starts) == path['changes'] + 1, f'in the order of time: {line}')
    for c in path['components']:
        # The line goes on through exchanges in which nobody waits, which the table leaves out.
        check(seconds[c['name']] > c['seconds'] - 1e-5, f'{c}: {seconds}')
    check(sum(seconds.values()) <= path['loop_s'] + 1e-5, f'no longer than the loop: {seconds}')
    check(browser.run('return cplLbTimeline.overlay.shown.path'), 'shown')


def test_ends_of_the_loops(browser, pages):
    """A loop begins where its first step does, and is as long as the table says; the pointer is told."""
    opened(browser, pages.page('names'))
    loops = browser.run('return cplLbTimeline.overlay.loops().map(({c, from, to}) => [c.name, from, to, c.loop_s])')
    same(len(loops), 2, 'components with a loop')
    steps = browser.run('return cplLbTimeline.data.steps.map((s) => s.start_s[0])')
    for (_, first, last, loop_s), start in zip(loops, steps):
        check(abs(first / 1e6 - start) < 1e-6 and abs((last - first) / 1e6 - loop_s) < 1e-6, f'{first} for {start}')
    x, y = browser.run('const t = cplLbTimeline; t.canvas.scrollIntoView({block: "center"}); const b = t.canvas.getBoundingClientRect(); '
                       'return [b.left + t.xOf(arguments[0]), b.top + 60]', loops[0][1])
    browser.mouse('mouseMoved', x, y)
    eventually(lambda: text_of(browser, 'hover'),
               lambda said: said.startswith(loops[0][0] + ': the coupling loop begins'), 'hover says so')


def overlap(a, b, c, d):
    return max(0.0, min(b, d) - max(a, c))


def test_a_stretch_and_its_table(browser, pages):
    """Shift and drag; the table against the same sums from the file, worked out here."""
    page = pages.page('names')
    opened(browser, page)
    x, y = browser.run(PLACE, 0, 4)
    browser.settle()
    for kind, at in (('mousePressed', x - 100), ('mouseMoved', x - 50), ('mouseMoved', x + 60), ('mouseReleased', x + 60)):
        browser.devtools('Input.dispatchMouseEvent', type=kind, x=at, y=y, modifiers=SHIFT,
                         **({'button': 'left', 'clickCount': 1} if kind != 'mouseMoved' else {'button': 'left', 'buttons': 1}))
    t0, t1 = eventually(lambda: browser.run('return cplLbTimeline.stretch'), lambda got: got is not None, 'chosen')
    t0, t1 = t0 / 1e6, t1 / 1e6
    seconds = browser.run('const t = cplLbTimeline; return [(t.timeAt(arguments[0]) - t.timeAt(0)) / 1e6]', 160)[0]
    check(abs((t1 - t0) / seconds - 1) < 0.02, f'160 pixels: {t0} to {t1}')
    whole = browser.run(VIEW)
    check(whole[1] - whole[0] > 1.3e7 - 1, 'the picture has not moved')
    got = browser.run('const m = cplLbTimeline.model; return m.parts.map((p) => { const {sums, exact} = stretchOf(m, p.component, '
                      '...cplLbTimeline.stretch); return [p.component.id, sums, [...sums.waits], exact]; })')
    for file in sorted(page.parent.glob('timeline_*.nc')):
        component, rows, _ = events_of(page, file.name)
        last = [max(row[k][0] for row in rows) for k in range(len(rows[0]))]
        own = sum(overlap(s, min(last[k], e), t0, t1) for row in rows for k, (s, e) in enumerate(row)) / len(rows)
        waiting = sum(overlap(max(s, last[k]), e, t0, t1) for row in rows for k, (s, e) in enumerate(row)) / len(rows)
        _, sums, waits, exact = next(g for g in got if g[0] == component)
        check(exact and own > 0 and waiting > 0, f'{component}: own {own}, waiting {waiting}')
        for name, expected in (('imbalance', own), ('waiting', waiting), ('computing', t1 - t0 - own - waiting)):
            check(abs(sums[name] / 1e6 - expected) < 1e-4, f'{component} {name}: {sums[name]} for {expected} s')
        same([who for who, _ in waits], [3 - component], 'who is waited for')
    cells = rows_of(browser, '#stretch tbody tr')
    same(len(cells), 2, 'rows of the table')
    check(cells[0][0] == '<script>alert(1)</script>' and 'a&b "c"' in cells[0][3], f'names: {cells[0]}')
    # Closed by a key; "s" takes what is shown; the button is for those without a Shift key.
    browser.run('cplLbTimeline.canvas.focus()')
    browser.keys('\ue00c')
    same(browser.run('return [cplLbTimeline.stretch, document.getElementById("stretch").hidden]'), [None, True], 'closed')
    browser.keys('s')
    same(browser.run('return cplLbTimeline.stretch'), whole[:2], 'what is shown')
    browser.run('document.getElementById("select").click()')
    for kind, at in (('mousePressed', x), ('mouseMoved', x + 40), ('mouseReleased', x + 40)):
        browser.mouse(kind, at, y)
    eventually(lambda: browser.run('return cplLbTimeline.stretch'), lambda got: got is not None and got[1] - got[0] < 1e6, 'by the button')


def test_a_stretch_of_bins(browser, pages):
    """Where not all events are there: own imbalance and waiting as from the events of the same processes."""
    opened(browser, bins_page(pages))
    sums = browser.run('''const m = cplLbTimeline.model, c = m.parts[0].component, t0 = m.t0 + 0.4 * (m.t1 - m.t0), t1 = m.t0 + 0.5 * (m.t1 - m.t0);
        const events = emptySums(), bins = emptySums(); let n = 0;
        for (let row = 0; row < m.parts[0].count; ++row) {
          if (!m.pieces[row]) continue;
          n += 1;
          addRow(events, m, row, t0, t1);
          addBins(bins, m, m.cellsOf(m.parts[0], row), 1, t0, t1, c);
        }
        return [n, m.tellsImbalance, ['computing', 'waiting', 'imbalance'].map((name) => [events[name] / n, bins[name] / n]), (t1 - t0)];''')
    check(sums[0] > 10 and sums[1], f'processes with events: {sums[0]}')
    for events, bins in sums[2]:
        check(events > 0 and abs(events - bins) < 0.02 * sums[3], f'bins {bins} for {events}')


def test_what_is_found(browser, pages):
    """A field, again its next event; a step; what is said follows the picture."""
    page = pages.page('names')
    opened(browser, page)
    find = 'document.getElementById("jump").value = arguments[0]; document.getElementById("jump-go").click();'
    cursor = 'const t = cplLbTimeline, c = t.cursor, e = t.model.events[c.row]; return [c.row, e.start[c.piece], t.t0, t.t1]'
    starts = browser.run('''const m = cplLbTimeline.model, all = []; [0, 2].forEach((row) => m.events[row].key.forEach((k, i) => {
        if (m.classes[m.keyOf(row).classes[k]][1] === 2) all.push(m.events[row].start[i]); })); return all.sort((a, b) => a - b)''')
    for start in starts[:3]:
        row, found, t0, t1 = browser.run(find + cursor, 'FLUX')
        check(found == start and t0 < start < t1, f'the next event of a field: {found} for {start}')
    browser.settle()
    hover = 'const h = document.getElementById("hover"); return [h.textContent, h.style.display, h.getBoundingClientRect().left]'
    before = browser.run(hover)
    check(before[1] == 'block' and 'flux' in before[0], f'said at the event: {before}')
    browser.run('const t = cplLbTimeline, w = (t.t1 - t.t0) / 5; t.show(t.t0 + w, t.t1 + w)')
    browser.settle()
    check(browser.run(hover)[2] < before[2] - 50, 'and goes with the picture')
    step = browser.run('return cplLbTimeline.data.steps[0]')
    browser.run(find, 'step 3 of <script>alert(1)</script>')
    there = browser.run(VIEW)
    check(there[0] / 1e6 < step['start_s'][2] and there[1] / 1e6 > step['start_s'][3], f'step 3: {there}')
    check((there[1] - there[0]) / 1e6 < 1.5 * (step['start_s'][3] - step['start_s'][2]), 'and not much more')
    for nothing in ('step 99', 'no such field', 'step 0'):
        browser.run(find, nothing)
        check('Cannot find' in text_of(browser, 'timeline-said'), nothing)
    same(browser.run('return [...document.querySelectorAll("#jump-fields option")].map((o) => o.value)'), ['T & "S" <b>', 'flux'], 'suggested')


WRITTEN = '''const said = [], t = cplLbTimeline, p = CanvasRenderingContext2D.prototype, fill = p.fillText;
p.fillText = function (text, ...rest) { said.push(text); return fill.call(this, text, ...rest); };
t.drawNow(); p.fillText = fill; return said'''


def test_rows_have_names_or_a_scale(browser, pages):
    """Thin rows: numbers of some processes beside the component's name; high ones: each by its name."""
    opened(browser, bins_page(pages))
    said = browser.run(WRITTEN)
    check('ocean' in said and 'atmosphere' in said, f'names: {said}')
    numbers = [int(s) for s in said if s.isdigit()]
    check(len(numbers) >= 6 and all(n % 32 == 0 for n in numbers), f'a scale of 256 processes: {said}')
    said = browser.run('cplLbTimeline.show(0, 1e6, 10, 20); ' + WRITTEN)
    check('ocean 10' in said and 'ocean 19' in said, f'each row by its name: {said}')


TIMELINE_TESTS = (test_messages_are_those_of_export, test_critical_path_as_a_line, test_ends_of_the_loops, test_a_stretch_and_its_table,
                  test_a_stretch_of_bins, test_what_is_found, test_rows_have_names_or_a_scale)
