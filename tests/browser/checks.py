"""What the tests of the page share: pages of made-up runs, and what must hold of each page in a browser."""
import json
import pathlib
import shutil
import subprocess
import time


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
        subprocess.run([self.command, 'report', str(place)], check=True, stdout=subprocess.DEVNULL)
        return place / 'load_balancing_report.html'

    def summary(self, page):
        out = subprocess.run([self.command, 'summary', '--json', str(page.parent)], check=True, capture_output=True)
        return json.loads(out.stdout)


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
