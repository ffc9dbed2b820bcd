"""Every picture that the command makes, as a browser draws it: no text lies on another one, and none leaves its picture."""
import json
import pathlib
import shutil
import subprocess

from checks import check, fits_the_sheet, on_paper, run_tests, same

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / 'data'

# Each text as a rectangle, turned as it is drawn: letters without the room for accents and tails that the font leaves.
UNREADABLE = r'''
const corners = (text) => {
  const b = text.getBBox(), m = text.getScreenCTM(), top = b.y + 0.2 * b.height, bottom = b.y + 0.95 * b.height;
  return [[b.x, top], [b.x + b.width, top], [b.x + b.width, bottom], [b.x, bottom]].map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
};
// Two convex shapes are apart where a side of one of them has the other one beyond it.
const apart = (one, other) => one.some((p, i) => {
  const q = one[(i + 1) % 4], nx = p[1] - q[1], ny = q[0] - p[0], along = (r) => nx * r[0] + ny * r[1];
  return Math.max(...one.map(along)) <= Math.min(...other.map(along)) + 0.5 || Math.max(...other.map(along)) <= Math.min(...one.map(along)) + 0.5;
});
const bad = [];
let count = 0;
for (const svg of document.querySelectorAll('svg')) {
  const box = svg.getBoundingClientRect();
  if (box.width === 0) continue;
  const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim() !== '' && getComputedStyle(t).display !== 'none');
  const places = texts.map(corners);
  count += texts.length;
  places.forEach((one, i) => {
    if (one.some(([x, y]) => x < box.left - 1 || x > box.right + 1 || y < box.top - 1 || y > box.bottom + 1)) bad.push('out: ' + texts[i].textContent);
    for (let k = 0; k < i; ++k) if (!apart(one, places[k]) && !apart(places[k], one)) bad.push(texts[k].textContent + ' / ' + texts[i].textContent);
  });
}
return [count, bad.slice(0, 10), bad.length];
'''


def readable(browser, path, least, what):
    count, bad, all_of_them = browser.run(UNREADABLE)
    same(bad, [], f'{path.name}, {what}: texts that cannot be read, {all_of_them} in all')
    check(count >= least, f'{path.name}, {what}: {count} texts, expected {least} or more')


def test_the_check_finds_what_is_wrong(browser, pages):
    page = pages.folder / 'wrong.html'
    page.write_text("<!doctype html><svg width='300' height='100' font-size='13'><text x='10' y='30'>one</text><text x='20' y='32'>two</text>"
                    "<text x='280' y='20'>outside</text><text x='60' y='60'>flat words</text><text x='60' y='75' transform='rotate(-45 60 75)'>turned words</text>"
                    # Below the turned one: only the box around that would meet it.
                    "<text x='110' y='75'>alone</text></svg>")
    browser.open_plain(page)
    count, bad, _ = browser.run(UNREADABLE)
    same((count, sorted(bad)), (6, ['flat words / turned words', 'one / two', 'out: outside']), 'texts that collide')


MACHINE = "name = 'a machine with a long name'\n" + ''.join(
    f"[[flop_rate]]\nvector = '{vector}'\nthreads = 4\nGFLOP_per_s = {rate}\n" for vector, rate in (('avx', 40), ('sse', 38), ('none', 20))) + ''.join(
    f"[[bandwidth]]\nlevel = '{level}'\nthreads = 4\nGB_per_s = {rate}\n" for level, rate in (('L1', 220), ('L2', 200), ('L3', 190), ('DRAM', 20)))
LONG = 'a component whose name is longer than usual'


def tables(folder):
    """Hard cases: regions at one place and with long names, one machine with ceilings close to each other, many runs."""
    (folder / 'm.toml').write_text(MACHINE)
    rows = [f'a region with a long name {n},{1e9 + n * 1e6},{1e9},{0.1 + 0.001 * n}' for n in range(25)]
    rows += [f'r{n},{10 ** (8 + n / 2)},{1e9},{1 + n}' for n in range(8)]
    (folder / 'regions.csv').write_text('region,flops,bytes,seconds\n' + '\n'.join(rows) + '\n')
    (folder / 'bifft.csv').write_text('region,flops,bytes,seconds\n800x720_20,97.53e9,786.16e9,72.10\n')
    (folder / 'study.csv').write_text('cores,SYPD\n' + ''.join(f'{1000 + 2 * n},{20 + 0.02 * n}\n' for n in range(25)))


def renamed(folder, name, source, changes, component=None):
    """A copy of the results of a run without its timelines, with other figures."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    info = json.loads((DATA / 'runs' / source / 'load_balancing_info.json').read_text())
    info['run'].update(changes)
    text = json.dumps(info)
    if component:
        text = text.replace('"ocean"', json.dumps(component))
    (place / 'load_balancing_info.json').write_text(text)
    return str(place)


def pictures(pages):
    """(file, least number of texts) of each picture and page of the command."""
    folder = pages.folder
    tables(folder)
    before, after = (str(DATA / 'runs' / which) for which in ('before', 'after'))
    long = [renamed(folder, 'long-' + which, which, {}, LONG) for which in ('before', 'after')]
    calls = [('roofline.svg', ['machine', 'roofline', str(folder / 'regions.csv'), '--machine', str(folder / 'm.toml')], '--svg', 40),
             ('bifft.svg', ['machine', 'roofline', str(folder / 'bifft.csv'), '--machine', 'xeon_e5_2697v3', '--threads', '1'], '--svg', 10),
             ('models.svg', ['cpmip', 'models', before, '--mode', 'T', '--name', 'MY-ESM'], '--svg', 15),
             ('scaling.svg', ['cpmip', 'study', str(folder / 'study.csv'), '--at-least', '20'], '--svg', 25),
             ('managed.svg', ['manager', 'benchmark', '1', '--start', 'INIT1'], '--svg', 8),
             ('nearest.svg', ['manager', 'benchmark', '3', '--start', 'INIT4', '--search', 'nearest'], '--svg', 8),
             ('compared.html', ['compare', before, after], '--html', 20), ('long.html', ['compare', *long], '--html', 20)]
    for name, call, option, least in calls:
        if call[0] == 'machine' and not pages.models:
            continue
        done = subprocess.run([pages.command, *call, option, str(folder / name)], capture_output=True, text=True)
        check(done.returncode == 0, f'{call}: {done.stderr}')
        yield folder / name, least


def test_pictures(browser, pages):
    for path, least in pictures(pages):
        browser.size(1280, 900)
        browser.open_plain(path)
        readable(browser, path, least, 'as a file')
        text = path.read_text()
        outside = text.replace('http://www.w3.org/2000/svg', '')
        check(not any(part in outside for part in ('http:', 'https:', 'src=', 'url(')), f'{path.name} asks nobody')
        if path.suffix == '.html':
            browser.size(420, 900)
            browser.open_plain(path)
            readable(browser, path, least, 'narrow')
            check(browser.run('return document.documentElement.scrollWidth') <= 420, f'{path.name}: no sideways scrolling')


def test_charts_of_the_page(browser, pages):
    """The page's own pictures: on a wide and a narrow screen, and on paper."""
    place = pages.folder / 'before'
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(DATA / 'runs' / 'before', place)
    machine = ['--machine', str(pages.folder / 'm.toml')] if pages.models else []
    for page in (pages.report(place, *machine), pages.make('names'), pages.make('twelve'), pages.make('long'), pages.make('size', 4, 9000)):
        for width in (1600, 420, 360):
            browser.size(width, 900)
            browser.open(page)
            readable(browser, page, 10, f'{page.parent.name} at {width}')
            check(browser.run('return document.documentElement.scrollWidth') <= width, f'{page.parent.name} at {width}: no sideways scrolling')
        with on_paper(browser):
            readable(browser, page, 10, f'{page.parent.name} on paper')
            fits_the_sheet(browser, page)


def set_up(pages, options):
    pages.models = not options.without_models


if __name__ == '__main__':
    run_tests((test_the_check_finds_what_is_wrong, test_pictures, test_charts_of_the_page), (('without-models', 'the command has no word machine'),), set_up)
