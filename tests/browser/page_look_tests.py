"""How the page says and prints its figures: words with their meaning, charts with extremes, everything on paper, for those who use
keys only."""
import pathlib
import re
import subprocess

from checks import VIEW, check, eventually, on_paper, opened, same, text_of

DOCS = pathlib.Path(__file__).resolve().parents[2] / 'docs'
TAB, RIGHT, END, ENTER = '\ue004', '\ue014', '\ue010', '\ue007'


def test_words_where_the_figures_stand(browser, pages):
    """Each marked word has a line at the end of the page, and says the same where it stands."""
    opened(browser, pages.page('names'))
    words = browser.run('return [...document.querySelectorAll("main a.word")].map((a) => { const t = document.querySelector(a.getAttribute("href")); '
                        'return [a.textContent, a.title, t && t.nextSibling.textContent]; })')
    shown = {text for text, _, _ in words}
    for text in ('lost to waiting', 'critical path', 'Jitter s', 'Imbalance s', 'Waiting s', 'Loop s', 'coupling step', 'jitter'):
        check(text in shown, f'{text} has a meaning: {shown}')
    for text, title, line in words:
        check(line.startswith(title + ' docs/') and len(title) > 20, f'{text}: {title} and {line}')
    # Each heading of a table but those that say nothing but what stands below them.
    plain = {'', 'Component', 'Step', 'Starts at', 'Date', 'What', 'Value', 'Unit', 'What it means', 'for whom', 'Meter', 'Quantity', 'Of each'}
    browser.run('cplLbTimeline.select([cplLbTimeline.t0, cplLbTimeline.t1])')
    heads = browser.run('return [...document.querySelectorAll("main th")].filter((h) => !h.querySelector("a.word")).map((h) => h.textContent)')
    check(len(heads) > 3 and all(h in plain or h.startswith('for ') for h in heads), f'headings without a meaning: {set(heads) - plain}')
    kinds = browser.run('return [...document.querySelectorAll("#legend button:not(.tool)")].map((b) => [b.textContent, b.title])')
    check(len(kinds) >= 2 and all(len(title) > 20 and title != text for text, title in kinds), f'colours without a meaning: {kinds}')
    # Where docs say more.
    heading = lambda line: re.sub(r'[^a-z0-9 -]', '', line.lstrip('# ').lower()).replace(' ', '-')
    for address in set(browser.run('return Object.values(glossary).map(([, , docs]) => docs)')):
        page, _, anchor = address.partition('#')
        lines = (DOCS / page).read_text().splitlines()
        check(not anchor or anchor in [heading(line) for line in lines if line.startswith('#')], f'{address} is there')


def test_what_changes_stands_first(browser, pages):
    """80 events, 40 steps: in the later half four seconds lie between two events instead of one. It is in the banner and in a table."""
    opened(browser, pages.make('changing'))
    banner = browser.run('const b = document.getElementById("banner"); return [b.hidden, b.getBoundingClientRect().bottom <= document.getElementById("words").getBoundingClientRect().top, '
                         '[...b.children].map((p) => p.textContent)]')
    same(banner[:2], [False, True], 'a banner above the verdict')
    told = {name: re.fullmatch(r'(\w+) computes ([\d.]+) s a step until step (\d+) of its loop, then ([\d.]+) s\.', line.replace('\u00a0', ' '))
            for name, line in zip(('ocean', 'atmosphere'), banner[2])}
    check(len(banner[2]) == 2 and all(found and found[1] == name for name, found in told.items()), f'what changes: {banner[2]}')
    table = browser.run('const t = [...document.querySelectorAll("#components-body table")].find((t) => t.caption.textContent === "Computing that changes during the run"); '
                        'return [...t.rows].map((r) => [...r.cells].map((c) => c.textContent))')
    same(table[0], ['Component', 'Steps', 'From s', 'To s', 'Computing of a step s'], 'no column that is empty')
    # A step is two events of 0.25 s, so 1.5 s of computing and later 7.5 s; 0.1 s of each end is random.
    for name, found in told.items():
        rows = [row for row in table[1:] if row[0] == name]
        same([row[1] for row in rows], [f'1 to {found[3]}', f'{int(found[3]) + 1} to {rows[-1][1].split(" ")[-1]}'], 'a row for each part')
        check(17 <= int(found[3]) <= 20 and 1.1 < float(rows[0][4]) < 1.9 and 7.1 < float(rows[1][4]) < 7.9, f'{name}: {rows}')
        same([float(f'{float(row[4]):.3g}') for row in rows], [float(found[2]), float(found[4])], 'as in the words')
        # The first 40 events take until 41 s, the others four times as long.
        (first, until), (after, last) = [(float(row[2]), float(row[3])) for row in rows]
        check(first < 6 and 34 < until <= after < 48 and last > 180, f'{name}, when: {rows}')
    links = browser.run('const t = [...document.querySelectorAll("#components-body table")].pop(); return t.querySelectorAll("th a.word").length')
    same(links, 4, 'headings with a meaning')


def test_charts_keep_the_extremes(browser, pages):
    """9,000 events are some 4,500 steps, several to a point: a band from the least to the largest of them."""
    page = pages.make('size', 4, 9000, name='many-steps')
    opened(browser, page)
    steps = browser.run('return cplLbTimeline.data.steps[0]')
    check(steps['group'] > 1 and len(steps['start_s']) <= 2048, f'steps share points: {steps["group"]}')
    for name in ('computing_s', 'waiting_s', 'jitter_s'):
        threes = list(zip(steps['least'][name], steps[name], steps['most'][name]))
        check(len(threes) == len(steps['start_s']) and all(least <= mean <= most for least, mean, most in threes), f'{name}: around the mean')
        check(any(least < most for least, _, most in threes), f'{name}: not all alike')
    # Where the band ends at the least and the largest of all: in pixels, of a picture of 200 with 8 above and 26 below, and 0 at its foot.
    high = max(max(steps['most'][name]) for name in ('computing_s', 'waiting_s', 'jitter_s'))
    for n, name in enumerate(('computing_s', 'waiting_s', 'jitter_s')):
        box = browser.run('const b = document.querySelectorAll("#steps-body path.extremes")[arguments[0]].getBBox(); return [b.y, b.y + b.height]', n)
        for got, value in zip(box, (max(steps['most'][name]), min(steps['least'][name]))):
            check(abs(got - (8 + 166 * (1 - value / high))) < 0.1, f'{name}: {box} for {value} of {high}')
    opened(browser, pages.page('names'))
    same(browser.run('return document.querySelectorAll("#steps-body path.extremes").length'), 0, 'none where each step has a point')


def test_paper_has_all(browser, pages):
    """All components, and charts that are scaled to the sheet; afterwards the page is as it was."""
    opened(browser, pages.page('names'))
    charts = 'return [...document.querySelectorAll("#steps-body h3")].map((h) => h.textContent)'
    same(browser.run(charts), [], 'one component to choose')
    with on_paper(browser):
        same(browser.run(charts), ['<script>alert(1)</script>', 'a&b "c" </script><!-- \u2028 %2C,;\'`'], 'all components')
        # Drawn for the sheet: letters are not smaller than on the screen; the timeline has more pixels than the sheet shows.
        letters = browser.run('return [...document.querySelectorAll("main svg.series text")].map((t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)')
        check(len(letters) >= 10 and min(letters) > 11, f'letters on paper: {min(letters)}')
        same(browser.run('const c = cplLbTimeline.canvas; return [c.clientWidth, c.width]'), [680, 2040], 'timeline on paper')
        left = browser.run('return [...document.querySelectorAll("button, select, input")].filter((b) => b.offsetParent && !b.closest("#legend")).map((b) => b.outerHTML)')
        same(left, [], 'nothing to press on paper')
        wide = browser.run('return [...document.querySelectorAll("main svg")].map((s) => [s.getBoundingClientRect().right, s.hasAttribute("viewBox")])')
        check(len(wide) >= 8 and all(right <= 700 and whole for right, whole in wide), f'charts fit the sheet whole: {wide}')
    same(browser.run(charts), [], 'as before')
    check(browser.run('return cplLbTimeline.canvas.clientWidth') > 1000, 'the timeline is as before')


def test_keys_alone(browser, pages):
    """All that can be pressed can be reached with Tab, and shows that it has the focus; a chart says its figures to keys, too."""
    opened(browser, pages.page('names'))
    stops = []
    for _ in range(200):
        browser.keys(TAB)
        stop = browser.run('const a = document.activeElement, s = getComputedStyle(a); return [a.id || a.className.baseVal || a.textContent, '
                           'a.tagName, s.outlineStyle, parseFloat(s.outlineWidth), parseFloat(s.outlineOffset), a.closest("#timeline-frame") !== null]')
        if stop[1] == 'BODY':
            break
        stops.append(stop)
    same(stop[1], 'BODY', 'Tab comes to an end')
    for name, tag, style, width, offset, is_cut in stops:
        check(style == 'solid' and width >= 2 and (not is_cut or offset <= -width), f'{name} ({tag}) shows that it has the focus: {style} {width} {offset}')
    names = [stop[0] for stop in stops]
    for name in ('theme', 'colour-by', 'zoom-in', 'jump', 'jump-go', 'show-arrows', 'select', 'timeline-canvas', 'steps-of', 'series'):
        check(name in names, f'{name} is reached: {names}')
    steps = browser.run('const s = document.querySelector("#steps-body svg.series"); s.focus(); return cplLbTimeline.data.steps[0]')
    said = 'return document.querySelector("#steps-body .hint").textContent'
    browser.keys(RIGHT, RIGHT)
    figures = browser.run('return [duration(arguments[0]), duration(arguments[1])]', steps['start_s'][1], steps['waiting_s'][1])
    same(browser.run(said).startswith(figures[0] + ': ') and f'waiting {figures[1]}' in browser.run(said), True, f'the second step: {browser.run(said)}')
    browser.keys(END)
    check(browser.run(said).startswith(browser.run('return duration(arguments[0])', steps['start_s'][-1]) + ': '), 'the last step')
    browser.keys(ENTER)
    there = eventually(lambda: browser.run(VIEW), lambda view: view[0] / 1e6 < steps['start_s'][-1] < view[1] / 1e6, 'Enter shows it')
    check((there[1] - there[0]) / 1e6 < 2 * steps['length_s'][-1], f'that step, not much more: {there}')


def test_narrow_tables_say_what_they_are(browser, pages):
    """What a table is about stands in the window, also when the table is wider; the timeline's axis has several times."""
    browser.size(420, 900)
    opened(browser, pages.page('names'))
    captions = browser.run('return [...document.querySelectorAll("main caption")].map((c) => { const b = c.getBoundingClientRect(); return [c.textContent, b.left, b.right]; })')
    check(len(captions) >= 4 and all(left >= 0 and right <= 420 for _, left, right in captions), f'captions: {captions}')
    wide = browser.run('return [...document.querySelectorAll(".wide")].filter((w) => w.scrollWidth > w.clientWidth + 1).map((w) => w.tabIndex)')
    check(len(wide) >= 1 and all(at == 0 for at in wide), 'what scrolls can be reached by keys')
    said = browser.run('''const said = [], t = cplLbTimeline, p = CanvasRenderingContext2D.prototype, fill = p.fillText;
        p.fillText = function (text, ...rest) { said.push(text); return fill.call(this, text, ...rest); };
        t.drawNow(); p.fillText = fill; return said.filter((s) => / s$/.test(s))''')
    check(len(said) >= 2, f'times on the axis: {said}')
    browser.size(1280, 900)


def test_an_io_server_is_striped(browser, pages):
    """It is idle, and nobody waits for it: no colour that stands for something else, in the picture and in the timeline."""
    page = pages.page('names')
    opened(browser, page)
    same(browser.run('return document.querySelectorAll("#picture pattern").length'), 0, 'no stripes without one')
    browser.run('''const c = cplLbTimeline.model.info.components[0]; c.is_io_server = true; drawPicture(cplLbTimeline.data);
        const m = cplLbTimeline.model; cplLbTimeline.views.clear(); cplLbTimeline.setMode("kind"); cplLbTimeline.overlay.shown = {}; cplLbTimeline.drawNow()''')
    fills = browser.run('return [...document.querySelectorAll("#picture rect")].map((r) => r.getAttribute("fill"))')
    check('url(#idle-stripes)' in fills and 'var(--receive)' in fills, f'bars: {fills}')
    check('idle' in text_of(browser, 'legend'), 'legend')
    colours = browser.run('''const t = cplLbTimeline, m = t.model, i = m.pieces[0].start.findIndex((_, i) => m.classes[m.classOf(0, i)][0] === 2);
        const last = m.arrivalsOf(0)[m.events[0].key[i]], at = (Math.max(m.pieces[0].start[i], last) + m.pieces[0].stop[i]) / 2;
        const x = Math.round(t.gutter + (at - t.t0) / (t.t1 - t.t0) * t.plotWidth), y = Math.round(t.plotHeight / m.height / 2);
        const data = t.canvas.getContext("2d").getImageData(x, y, 1, 12).data, seen = new Set();
        for (let p = 0; p < 12; ++p) seen.add([...data.slice(4 * p, 4 * p + 3)].join());
        const hex = (name) => rgb(theme.colour(name)).join();
        return [[...seen].sort(), [hex("away"), hex("paper")].sort()]''')
    same(colours[0], colours[1], 'stripes in the row of the I/O server')


def test_what_is_not_seen_is_not_computing(browser, pages):
    """Time in MPI inside a component and a process that nobody saw have colours and words of their own."""
    opened(browser, pages.make('partly-seen'))
    legend = text_of(browser, 'legend')
    for words in ('computing, or anything else outside the coupler', 'in MPI, inside the component', 'not known'):
        check(words in legend, f'{words}: {legend}')
    # Events are near each second and take a quarter: 0.6 s and 10.6 s lie between two. The first third is in MPI.
    said = browser.run('return [[0, 2.6e6], [0, 10.6e6], [2, 2.6e6], [3, 2.6e6]].map(([row, t]) => cplLbTimeline.describeRow(row, t))')
    for words, part in zip(said, ('in MPI inside the component 100 %', 'in MPI inside the component 0 %', 'computing, or anything else outside the coupler, ',
                                  'not known, 13')):
        check(part in words, f'{part}: {words}')
    shares = browser.run('''const t = cplLbTimeline, m = t.model;
        return m.parts.map((part) => { const {sums} = stretchOf(m, part.component, m.t0, m.t1); return [sums.inmpi, sums.unseen, sums.computing].map((v) => v / 1e6); })''')
    # 13 s, of which 12 events leave some 10, a third of it in MPI. One of the second's two processes is not seen.
    check(2.5 < shares[0][0] < 4 and shares[0][1] == 0 and 6 < shares[0][2] < 7.5, f'recorded: {shares[0]}')
    check(shares[1][0] == 0 and 6.4 < shares[1][1] < 6.6 and 4.5 < shares[1][2] < 5.5, f'coupled by its first: {shares[1]}')
    seen = browser.run('''const t = cplLbTimeline; t.overlay.shown = {}; t.drawNow();
        const at = (row, s) => { const set = new Set(), x = Math.round(t.gutter + (s * 1e6 - t.t0) / (t.t1 - t.t0) * t.plotWidth), y = Math.round((row + 0.5) * t.plotHeight / 4);
          const {data} = t.canvas.getContext('2d').getImageData(x, y, 1, 16); for (let p = 0; p < 16; ++p) set.add([...data.slice(4 * p, 4 * p + 3)].join()); return [...set].sort(); };
        const hex = (...names) => names.map((n) => rgb(theme.colour(n)).join()).sort();
        return [[at(0, 2.6), hex('computing-line', 'computing')], [at(0, 10.6), hex('computing')], [at(3, 2.6), hex('computing', 'paper')]]''')
    for got, expected in seen:
        same(got, expected, 'colours between the events')


def test_the_banner(browser, pages):
    opened(browser, pages.page('names'))
    same(browser.run('const b = document.getElementById("banner"); return [b.hidden, b.textContent]'), [True, ''], 'nothing to say')
    browser.run('drawBanner({said_first: ["3 of 5 processes are missing.", "<b>"]})')
    same(browser.run('const b = document.getElementById("banner"); return [b.hidden, b.textContent, b.querySelectorAll("b").length]'),
         [False, '3 of 5 processes are missing.<b>', 0], 'the banner')


def test_coupling_fields_have_colours_first(browser, pages):
    """The field that is exchanged comes before one that only goes to a file, whichever takes more time."""
    opened(browser, pages.page('names'))
    for field, first in ((1, 'flux'), (2, 'T & "S" <b>')):
        names = browser.run('const m = cplLbTimeline.model, before = m.classes; m.classes = before.map(([k, f, c]) => f === arguments[0] ? [4, f, 0] : [k, f, c]); '
                            'const v = m.view("field"); m.classes = before; return v.categories.map((c) => c.name)', field)
        same((names[0], len(names)), (first, 2), 'fields by colour')


def test_rows_of_many_components_are_seen(browser, pages):
    """1,000 components in 426 lines of pixels: what separates and marks them does not hide what they do."""
    page = pages.page('many-components')
    opened(browser, page)
    share = browser.run('''const t = cplLbTimeline, h = Math.round(t.plotHeight);
        t.drawNow(); // between two events, which start near each second
        const x = Math.round(t.gutter + (0.6e6 - t.t0) / (t.t1 - t.t0) * t.plotWidth), wanted = rgb(theme.colour('computing')).join();
        const data = t.canvas.getContext('2d').getImageData(x, 0, 1, h).data;
        let same = 0; for (let y = 0; y < h; ++y) same += [...data.slice(4 * y, 4 * y + 3)].join() === wanted ? 1 : 0;
        return same / h''')
    check(share > 0.9, f'the colour of computing where all compute: {share}')
    check('ends of the loops' in text_of(browser, 'timeline-state'), 'says what is not drawn')


LUCIA = '''  Processing OASIS LUCIA log files
  Load balance analysis

  Component -         Calculations   -     Waiting time (s) - # cpl step :

  fesom                    1600.00                400.00          4377
  oifs                     1500.00                500.00          4377

  Additional informations
  Component -  OASIS mean interpolation time -    Jitter  (s):
  fesom                  12.50                       3.25
  oifs                    0.00                       4.00

   lucia completed successfully
'''
CLOCKS = '''Tabulating mpp_clock statistics across      4 PEs...

                                          tmin          tmax          tavg          tstd  tfrac grain pemin pemax
Total runtime                       100.000000    100.000000    100.000000      0.000000  1.000     0     0     3
Main loop                            89.000000     89.000000     89.000000      0.000000  0.890     0     0     3
Ocean                                70.000000     80.000000     75.000000      0.500000  0.750     1     0     3
 MPP_STACK high water mark=          0
'''
OF_ONE_PROCESS = '''
************ PROCESS      0 (     0) ************

Stats for thread 0:
                                On  Called Recurse     Wallclock          max          min     UTR Overhead
  "CPL:ATM_RUN"                  -      48    -       100.000000     2.500000     2.000000      0.000000
  "a:CAM_run1"                   -      48    -        60.000000     2.000000     1.000000      0.000000

Overhead sum =  0.01 wallclock seconds
'''


def test_timers_say_what_they_know(browser, pages):
    """Runs from timers: no column, headline or picture without a figure, and no hint for who records."""
    place = pages.folder / 'timers'
    place.mkdir(parents=True, exist_ok=True)
    heads = lambda part: browser.run(f'return [...document.querySelectorAll("#{part}-body th")].map((h) => h.textContent)')
    text = lambda part: browser.run(f'return document.getElementById("{part}").textContent')

    def imported(name, content):
        (place / name).write_text(content)
        subprocess.run([pages.command, 'import', 'timers', str(place / name), '-o', str(place / f'{name}.run')], check=True, stdout=subprocess.DEVNULL)
        opened(browser, place / f'{name}.run' / 'load_balancing_report.html')

    imported('fms.out', CLOCKS)
    same(browser.run('return getComputedStyle(document.getElementById("share")).display'), 'none', 'no headline without a figure')
    same(heads('components')[:4], ['Component', 'Processes', 'Loop s', 'Computing s'], 'what the timers tell')
    check(not {'Waiting s', 'Of a process s', 'Jitter s', 'Events'} & set(heads('components')), f'columns of n/a: {heads("components")}')
    for words in ('cpl_lb_set', 'ln_energy', 'cn_submitted'):
        check(words not in text('cpmip-body'), f'a hint for a run that was recorded: {words}')
    check('Dropped events' not in text('provenance-body') and 'error at most' not in text('provenance-body'), 'no clock of a run without times')
    imported('model_timing.0000', OF_ONE_PROCESS)
    check('mean over the processes' not in text('components'), 'one process is no mean')
    same(heads('regions'), ['Region', 'Component', 'Calls', 'Processes', 'Mean s'], 'of one process')
    check('imbalance' not in text('regions-body') and 'of one process' not in text('regions-body'), text('regions-body'))
    imported('lucia', LUCIA)
    same(text('subtitle'), '2 components', 'neither processes nor a wall clock time is known')
    titles = browser.run('return [...document.querySelectorAll("#picture rect title")].map((t) => t.textContent)')
    same(titles[:2], ['fesom: computing 80 %, 1\u202f600 s', 'fesom: waits 20 %, 400 s'], 'waiting for nobody knows whom')
    same(heads('components'), ['Component', 'Loop s', 'Computing s', 'Waiting s', 'Waiting %', 'Jitter s', 'Mapping s', 'Figure', 'Timer that told it'], 'columns')
    check('tell nothing of parts' in text('regions-body') and 'cpl_lb_region' not in text('regions-body'), text('regions-body'))
    # Heights that nobody knows are all the same, and say nothing.
    heights = set(browser.run('return [...document.querySelectorAll("#picture svg rect")].map((r) => Number(r.getAttribute("height")))'))
    same(heights, {26}, 'bars')
    check('Height' not in text('picture') and 'core' not in text('picture'), text('picture'))


LOOK_TESTS = (test_timers_say_what_they_know, test_what_changes_stands_first, test_words_where_the_figures_stand, test_charts_keep_the_extremes, test_paper_has_all, test_keys_alone,
              test_narrow_tables_say_what_they_are, test_an_io_server_is_striped, test_what_is_not_seen_is_not_computing, test_the_banner, test_rows_of_many_components_are_seen, test_coupling_fields_have_colours_first)
