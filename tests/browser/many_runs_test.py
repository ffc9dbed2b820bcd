"""Pages of many runs in a real browser: cpl-lb balance --html and cpl-lb compare --html."""
import json
import subprocess

from checks import check, fits_the_sheet, on_paper, quiet, run_tests, same
from pictures_test import DATA, readable


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


def balance_pages(pages):
    """(page, least number of texts): two measured runs, a table of a whole study with long names, one run."""
    folder = pages.folder
    runs = [str(DATA / 'runs' / which) for which in ('before', 'after')]
    long, odd = 'a_component_whose_name_is_longer_than_usual_and_goes_on', 'ice&<land>'
    laws = {'atm': 900, long: 300, odd: 40}
    rows = [f'{name},{48 * 2 ** n},{work * (1 / 2 ** n + 0.02 * n)}' for name, work in laws.items() for n in range(7)]
    (folder / 'study.csv').write_text('component,processes,seconds\n' + '\n'.join(rows) + '\n')
    for name, arguments, least in (('two', [*runs, '--total', '8'], 60), ('one', [runs[0], '--total', '8'], 40),
                                   ('study', ['table', '--curves', str(folder / 'study.csv'), '--layout', f'max(atm,{long},{odd})', '--total', '1500'], 60)):
        page = folder / f'balance-{name}.html'
        done = subprocess.run([pages.command, 'balance', *arguments, '--html', str(page)], capture_output=True, text=True)
        check(done.returncode == 0, f'balance {name}: {done.stderr}')
        yield page, least


def test_balance(browser, pages):
    for page, least in balance_pages(pages):
        at_both_widths(browser, page, least)
        with on_paper(browser):
            fits_the_sheet(browser, page)
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
    with on_paper(browser):
        fits_the_sheet(browser, page)
    colour = 'return getComputedStyle(document.body).backgroundColor'
    light = browser.run(colour)
    browser.run('document.getElementById("theme").click()')
    check(browser.run(colour) != light, 'dark after a click')
    browser.media(dark=True)
    browser.open_plain(page)
    same(browser.run('return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]'), ['dark', 'rgb(18, 24, 31)'], 'as the system is')
    browser.media()
    same(browser.messages(), [], 'console')


if __name__ == '__main__':
    run_tests((test_balance, test_dark, test_compare))
