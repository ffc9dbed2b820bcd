"""What the tests of the page share: pages of made-up runs, and what must hold of each page in a browser."""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import time

from webdriver import Browser


def check(good, text):
    if not good:
        raise AssertionError(text)


def same(got, expected, text):
    check(got == expected, f'{text}: {got!r}, expected {expected!r}')


def eventually(look, good, text, seconds=60):
    """Looks until what was done once has had its effect: on a busy machine a browser may take its time."""
    end = time.monotonic() + seconds
    while True:
        result = look()
        if good(result):
            return result
        check(time.monotonic() < end, f'{text}: {result}')
        time.sleep(0.1)


class Pages:
    def __init__(self, options):
        self.command, self.runs, self.folder = options.command, options.runs, pathlib.Path(options.folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    def make(self, kind, *sizes, name=None):
        place = self.folder / (name or kind)
        subprocess.run([self.runs, kind, str(place), *map(str, sizes)], check=True)
        return self.report(place)

    def report(self, place, *options):
        subprocess.run([self.command, 'report', str(place), *options], check=True, stdout=subprocess.DEVNULL)
        return self.page(place)

    def page(self, name):
        return self.folder / name / 'load_balancing_report.html'

    def changed(self, source, name, change):
        """A copy of the results of a run, with another json."""
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.folder / source, place)
        info = self.summary(self.page(name))
        change(info)
        (place / 'load_balancing_info.json').write_text(json.dumps(info))
        return self.report(place)

    def summary(self, page):
        out = subprocess.run([self.command, 'summary', '--json', str(page.parent)], check=True, capture_output=True)
        return json.loads(out.stdout)


def run_tests(tests, flags=(), before=None):
    """All tests with one browser. flags: (name, help); before(pages, options): False ends it."""
    os.environ.setdefault('HOME', '/tmp')
    parser = argparse.ArgumentParser()
    for name in ('command', 'runs', 'folder'):
        parser.add_argument('--' + name, required=True)
    for name, words in flags:
        parser.add_argument('--' + name, action='store_true', help=words)
    options = parser.parse_args()
    pages = Pages(options)
    pages.folder.mkdir(parents=True)
    if before and before(pages, options) is False:
        return
    with Browser() as browser:
        for test in tests:
            test(browser, pages)
            print(test.__name__, 'good', flush=True)


def rows_of(browser, selector):
    return browser.run('return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].map((c) => c.textContent))', selector)


def text_of(browser, element):
    return browser.run('return document.getElementById(arguments[0]).textContent', element)


def choose(browser, element, value):
    browser.run('const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event("change"))', element, value)


def fits(browser, page, *widths):
    """Nothing makes the page scroll sideways."""
    for width in widths:
        browser.size(width, 900)
        opened(browser, page)
        check(browser.run('return document.documentElement.scrollWidth') <= width, f'{page.parent.name} at {width}: no sideways scrolling')
    browser.size(1280, 900)


@contextlib.contextmanager
def on_paper(browser):
    browser.run('window.dispatchEvent(new Event("beforeprint"))')
    browser.media('print')
    browser.size(700, 1000)
    yield
    browser.media()
    browser.size(1280, 900)
    browser.run('window.dispatchEvent(new Event("afterprint"))')


def fits_the_sheet(browser, page):
    cut = browser.run('return [...document.querySelectorAll("table, svg, #timeline-canvas")].filter((t) => t.getBoundingClientRect().right > 701)'
                      '.map((t) => t.textContent.slice(0, 40) + " " + t.getBoundingClientRect().right)')
    same(cut, [], f'{page.parent.name} {page.name}: wider than the sheet')


def quiet(browser, page):
    """Nothing in the console, and nothing asked for but the page itself."""
    same(browser.messages(), [], f'{page.parent.name}: console')
    same(browser.requests(), ['file://' + str(page)], f'{page.parent.name}: requests')


def opened(browser, page):
    browser.messages(), browser.requests()
    browser.open(page)
    browser.settle()
    quiet(browser, page)


VIEW = 'const t = cplLbTimeline; return [t.t0, t.t1, t.y0, t.y1]'
# Where the middle of an event of a row is on the screen.
PLACE = '''const t = cplLbTimeline, [row, event] = arguments, e = t.model.events[row], box = t.canvas.getBoundingClientRect();
t.canvas.scrollIntoView({block: 'center'});
const b = t.canvas.getBoundingClientRect(), time = (e.start[event] + e.stop[event]) / 2;
return [b.left + t.gutter + (time - t.t0) / (t.t1 - t.t0) * t.plotWidth,
  b.top + (row + 0.7 - t.y0) / (t.y1 - t.y0) * t.plotHeight]'''
PIXEL = '''const [x, y] = arguments, c = document.getElementById('timeline-canvas'), b = c.getBoundingClientRect();
const d = c.getContext('2d').getImageData(x - b.left, y - b.top, 1, 1).data; return [d[0], d[1], d[2]]'''
