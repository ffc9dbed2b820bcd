"""Pages of many runs in a real browser: cpl-lb balance --html, and cpl-lb history html with its table of 10,000 runs."""
import argparse
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

from checks import Pages, check, quiet, same
from pictures_test import DATA, LONG, readable, renamed
from webdriver import Browser

MANY = 10_000
FIRST = '''return [...document.querySelectorAll('#all-runs tbody tr')].slice(0, 3).map((row) => [...row.cells].map((c) => c.textContent))'''
LAST = '''return [...document.querySelectorAll('#all-runs tbody tr')].slice(-1).map((row) => row.cells[3].textContent)[0]'''
SHOWN = 'return [...document.querySelectorAll("#all-runs tbody tr")].filter((row) => getComputedStyle(row).display !== "none").length'
SORT = '''document.querySelectorAll('#all-runs th button')[arguments[0]].click();
return [...document.querySelectorAll('#all-runs th')].map((head) => head.getAttribute('aria-sort'))'''


def at_both_widths(browser, page, least):
    """No message in the console, nothing asked for, no text on another one, and no sideways scrolling of the page."""
    for width in (1280, 420):
        browser.size(width, 900)
        browser.messages(), browser.requests()
        browser.open_plain(page)
        browser.settle()
        quiet(browser, page)
        readable(browser, page, least, f'at {width}')
        for element in ('documentElement', 'body'):
            wide = browser.run(f'return document.{element}.scrollWidth')
            check(wide <= width, f'{page.name} at {width}: {element} is {wide} wide')


def on_paper(browser, page):
    browser.media('print')
    browser.size(700, 1000)
    cut = browser.run('return [...document.querySelectorAll("table, svg")].filter((t) => t.getBoundingClientRect().right > 701)'
                      '.map((t) => t.textContent.slice(0, 40) + " " + t.getBoundingClientRect().right)')
    same(cut, [], f'{page.name}: wider than the sheet')
    browser.media()


def balance_pages(pages):
    """(page, least number of texts): two measured runs, a table of a whole study with long names, one run."""
    folder = pages.folder
    runs = [str(DATA / 'runs' / which) for which in ('before', 'after')]
    long, odd = 'a_component_whose_name_is_longer_than_usual_and_goes_on', 'ice&<land>'
    laws = {'atm': 900, long: 300, odd: 40}
    rows = [f'{name},{48 * 2 ** n},{work * (1 / 2 ** n + 0.02 * n)}' for name, work in laws.items() for n in range(7)]
    (folder / 'study.csv').write_text('component,processes,seconds\n' + '\n'.join(rows) + '\n')
    for name, arguments, least in (('two', [*runs, '--total', '8'], 60), ('one', [runs[0], '--total', '8'], 40),
                                   ('study', ['--curves', str(folder / 'study.csv'), '--layout', f'max(atm,{long},{odd})', '--total', '1500'], 60)):
        page = folder / f'balance-{name}.html'
        done = subprocess.run([pages.command, 'balance', *arguments, '--html', str(page)], capture_output=True, text=True)
        check(done.returncode == 0, f'balance {name}: {done.stderr}')
        yield page, least


def test_balance(browser, pages):
    for page, least in balance_pages(pages):
        at_both_widths(browser, page, least)
        on_paper(browser, page)
    same(browser.run('return document.querySelectorAll("a").length'), 0, 'no run has a page')


def test_dark(browser, pages):
    """What is written is light on dark ground, inside the pictures, too."""
    browser.media(dark=True)
    browser.size(1280, 900)
    browser.open_plain(pages.folder / 'balance-two.html')
    colours = browser.run('''const light = (c) => c.match(/[0-9.]+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0) / 3;
return [light(getComputedStyle(document.body).backgroundColor), light(getComputedStyle(document.querySelector('svg .paper')).fill),
  Math.min(...[...document.querySelectorAll('p, td, svg text')].map((t) => light(t.ownerSVGElement ? getComputedStyle(t).fill : getComputedStyle(t).color)))]''')
    check(colours[0] < 60 and colours[1] < 60 and colours[2] > 180, f'dark: {colours}')
    browser.media()


def test_compare(browser, pages):
    """The look of the page of a run: its button for dark and light, names of the runs, bars that are right where the window is narrow."""
    page = pages.folder / 'compare.html'
    runs = [str(DATA / 'runs' / which) for which in ('before', 'after')]
    answer = json.loads(subprocess.run([pages.command, 'compare', *runs, '--json', '--html', str(page)], check=True, capture_output=True).stdout)
    for width in (1280, 420):
        browser.size(width, 900)
        browser.messages()
        browser.open_plain(page)
        browser.settle()
        bars = browser.run('return [...document.querySelectorAll(".track")].map((t) => { const b = t.getBoundingClientRect(); return [b.left, b.right, ...[...t.children].map((p) => p.getBoundingClientRect().width)]; })')
        same((len(bars), len({left for left, *_ in bars})), (6, 1), f'at {width}: two bars of each component, all from one line')
        for (left, right, *parts), (component, state) in zip(bars, [(c, s) for c in answer['components'] for s in ('before', 'after')]):
            seconds = [component[part][state] for part in ('computing_s', 'waiting_s')]
            longest = max(sum(component[part][one] for part in ('computing_s', 'waiting_s')) for one in ('before', 'after'))
            check(0 <= left and right <= width, f'at {width}: the whole bar is in the window')
            for wide, value in zip(parts, seconds, strict=True):
                check(abs(wide - value / longest * (right - left - 1)) < 1.5, f'{component["name"]} {state} at {width}: {parts} for {seconds} of {longest}')
        check(browser.run('return document.body.scrollWidth') <= width, 'no sideways scrolling')
        hints = browser.run('return [...document.querySelectorAll(".wide")].map((w) => [w.scrollWidth > w.clientWidth + 1, !w.previousElementSibling.hidden])')
        check(hints and all(scrolls == said for scrolls, said in hints) and any(scrolls for scrolls, _ in hints) == (width == 420), f'hints at {width}: {hints}')
    on_paper(browser, page)
    colour = 'return getComputedStyle(document.body).backgroundColor'
    light = browser.run(colour)
    browser.run('document.getElementById("theme").click()')
    check(browser.run(colour) != light, 'dark after a click')
    browser.media(dark=True)
    browser.open_plain(page)
    same(browser.run('return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]'), ['dark', 'rgb(18, 24, 31)'], 'as the system is')
    browser.media()
    same(browser.messages(), [], 'console')


def many_runs(pages, count):
    """A history of so many runs: one from the command, and copies of its rows."""
    folder = pages.folder
    history = folder / f'history-{count}.sqlite'
    history.unlink(missing_ok=True)
    run = renamed(folder, 'first-run', 'before', {'id': 'run 0', 'started': '2020-01-01T00:00:00Z'}, LONG)
    (pathlib.Path(run) / 'load_balancing_report.html').write_text('<!doctype html><title>The page of a run</title>')
    subprocess.run([pages.command, 'history', 'add', run, '--file', str(history)], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(history) as file:
        columns = [row[1] for row in file.execute('pragma table_info(runs)')]
        first = dict(zip(columns, file.execute('select * from runs').fetchone()))
        rows = []
        for n in range(1, count):
            started = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(1577836800 + 6 * 3600 * n))
            # Speeds that are all different, and no order by name, time or speed is another one's.
            rows.append(tuple({**first, 'key': f'k{n}', 'name': f'run {n}', 'started': started, 'folder': first['folder'] + f'/{n}',
                               'sypd': None if n == 5 else 1 + (7919 * n) % count / 100}.values()))
        file.executemany(f"insert into runs values ({','.join('?' * len(columns))})", rows)
    page = folder / f'history-{count}.html'
    begin = time.monotonic()
    subprocess.run([pages.command, 'history', 'html', '--file', str(history), '-o', str(page)], check=True, stdout=subprocess.DEVNULL)
    print(f'{count} runs: page of {page.stat().st_size / 1e6:.2f} MB written in {time.monotonic() - begin:.2f} s')
    return page


def test_history(browser, pages):
    page = many_runs(pages, 40)
    at_both_widths(browser, page, 20)
    same(browser.run('return document.getElementById("all-runs-hint").hidden'), False, 'at 420 a hint says that the table moves')
    on_paper(browser, page)
    browser.size(1280, 900)
    browser.open_plain(page)
    same(browser.run('return document.getElementById("all-runs-hint").hidden'), True, 'nothing moves at 1280')
    links = browser.run('return [...document.querySelectorAll("#all-runs a")].map((a) => [a.textContent, a.getAttribute("href")])')
    same(links, [['run 0', 'first-run/load_balancing_report.html']], 'only the run that has a page has a link')
    marks = browser.run('return [...document.querySelectorAll("svg.plot a")].map((a) => [a.getAttribute("href"), a.textContent])')
    check(marks and all(href == 'first-run/load_balancing_report.html' and 'run 0 (2020-01-01T00:00:00Z): ' in words for href, words in marks), f'marks lead to it, too: {marks}')
    titled = browser.run('return [...document.querySelectorAll("svg.plot")].map((s) => s.querySelectorAll("circle title, rect title, path title").length)')
    same(titled[:2], [39, 40], 'each mark says its run: 39 speeds, 40 costs')
    browser.run('document.querySelector("#all-runs a").click()')
    browser.settle()
    same(browser.run('return document.title'), 'The page of a run', 'the link leads there')


def test_sorting(browser, pages):
    page = many_runs(pages, 40)
    browser.open_plain(page)
    same(browser.run(SHOWN), 40, 'all are shown where they are not many')
    same([row[1] for row in browser.run(FIRST)], ['run 39', 'run 38', 'run 37'], 'the newest run stands first')
    same(browser.run(SORT, 3)[3], 'descending', 'SYPD, the largest first')
    speeds = sorted((1 + (7919 * n) % 40 / 100 for n in range(1, 40) if n != 5), reverse=True)
    same([row[3] for row in browser.run(FIRST)][1:], [f'{s:.3f}' for s in speeds[:2]], 'by number, behind run 0, which is faster')
    same(browser.run(LAST), 'n/a', 'what is not known stands last')
    same(browser.run(SORT, 3)[3], 'ascending', 'a second click')
    same([row[3] for row in browser.run(FIRST)], [f'{s:.3f}' for s in speeds[::-1][:3]], 'the smallest first')
    same(browser.run(LAST), 'n/a', 'also then')
    same(browser.run(SORT, 1)[1], 'ascending', 'names from A to Z')
    same([row[1] for row in browser.run(FIRST)], ['run 0', 'run 1', 'run 10'], 'by letters')
    same(len(set(browser.run('return [...document.querySelectorAll("#all-runs tbody tr")].map((r) => r.cells[1].textContent)'))), 40, 'no row is lost')
    same(browser.messages(), [], 'console')


def test_ten_thousand(browser, pages):
    page = many_runs(pages, MANY)
    browser.size(1280, 900)
    browser.messages()
    begin = time.monotonic()
    browser.open_plain(page)
    browser.settle()
    opened = time.monotonic() - begin
    begin = time.monotonic()
    browser.run(SORT, 3)
    browser.settle()
    print(f'{MANY} runs: open and drawn after {opened:.2f} s, sorted after {time.monotonic() - begin:.2f} s')
    same(browser.run('return document.querySelectorAll("#all-runs tbody tr").length'), MANY, 'all rows are there')
    same(browser.run(SHOWN), 200, 'the first rows are shown')
    speeds = sorted((1 + (7919 * n) % MANY / 100 for n in range(1, MANY) if n != 5), reverse=True)
    same([row[3] for row in browser.run(FIRST)][1:], [f'{s:.3f}' for s in speeds[:2]], 'sorted are all of them, behind run 0')
    browser.media('print')
    same(browser.run(SHOWN), MANY, 'on paper all are shown')
    browser.media()
    browser.run('document.getElementById("show-all-runs").click()')
    same(browser.run(SHOWN), MANY, 'and after a click')
    same(browser.run('return document.getElementById("show-all-runs")'), None, 'once')
    same(browser.messages(), [], 'console')


def main():
    parser = argparse.ArgumentParser()
    for name in ('command', 'runs', 'folder'):
        parser.add_argument('--' + name, required=True)
    pages = Pages(parser.parse_args())
    pages.folder.mkdir(parents=True)
    with Browser() as browser:
        for test in (test_balance, test_dark, test_compare, test_history, test_sorting, test_ten_thousand):
            test(browser, pages)
            print(test.__name__, 'good', flush=True)
    return 0


if __name__ == '__main__':
    os.environ.setdefault('HOME', '/tmp')
    sys.exit(main())
