"""How the page says and prints its figures: words with their meaning, charts with extremes, everything on paper."""
from checks import check, opened, same


def names_page(pages):
    return pages.folder / 'names' / 'load_balancing_report.html'


def test_words_where_the_figures_stand(browser, pages):
    """Each marked word has a line at the end of the page, and says the same where it stands."""
    opened(browser, names_page(pages))
    words = browser.run('return [...document.querySelectorAll("main a.word")].map((a) => { const t = document.querySelector(a.getAttribute("href")); '
                        'return [a.textContent, a.title, t && t.nextSibling.textContent]; })')
    shown = {text for text, _, _ in words}
    for text in ('Jitter s', 'Imbalance s', 'Waiting s', 'Loop s', 'coupling step', 'jitter'):
        check(text in shown, f'{text} has a meaning: {shown}')
    for text, title, line in words:
        check(line == title and len(line) > 20, f'{text}: {title} and {line}')


def test_charts_keep_the_extremes(browser, pages):
    """9,000 events are some 4,500 steps, several to a point: thin lines for the largest of them."""
    page = pages.make('size', 4, 9000, name='many-steps')
    opened(browser, page)
    steps = browser.run('return cplLbTimeline.data.steps[0]')
    check(steps['group'] > 1 and len(steps['start_s']) <= 2048, f'steps share points: {steps["group"]}')
    for name in ('computing_s', 'waiting_s', 'jitter_s'):
        pairs = list(zip(steps['most'][name], steps[name]))
        check(len(pairs) == len(steps['start_s']) and all(most >= mean for most, mean in pairs), f'{name}: at least the mean')
    same(browser.run('return document.querySelectorAll("#steps-body path.most").length'), 3, 'thin lines')
    opened(browser, names_page(pages))
    same(browser.run('return document.querySelectorAll("#steps-body path.most").length'), 0, 'none where each step has a point')


def test_paper_has_all(browser, pages):
    """All components, and charts that are scaled to the sheet; afterwards the page is as it was."""
    opened(browser, names_page(pages))
    charts = 'return [...document.querySelectorAll("#steps-body h3")].map((h) => h.textContent)'
    same(browser.run(charts), [], 'one component to choose')
    browser.run('window.dispatchEvent(new Event("beforeprint"))')
    same(browser.run(charts), ['<script>alert(1)</script>', 'a&b "c" </script><!-- \u2028 %2C,;\'`'], 'all components')
    browser.media('print')
    browser.size(700, 1000)
    wide = browser.run('return [...document.querySelectorAll("main svg")].map((s) => [s.getBoundingClientRect().right, s.hasAttribute("viewBox")])')
    check(len(wide) >= 8 and all(right <= 700 and whole for right, whole in wide), f'charts fit the sheet whole: {wide}')
    browser.media()
    browser.size(1280, 900)
    browser.run('window.dispatchEvent(new Event("afterprint"))')
    same(browser.run(charts), [], 'as before')


def test_coupling_fields_have_colours_first(browser, pages):
    """The field that is exchanged comes before one that only goes to a file, whichever takes more time."""
    opened(browser, names_page(pages))
    for field, first in ((1, 'flux'), (2, 'T & "S" <b>')):
        names = browser.run('const m = cplLbTimeline.model, before = m.classes; m.classes = before.map(([k, f, c]) => f === arguments[0] ? [4, f, 0] : [k, f, c]); '
                            'const v = m.view("field"); m.classes = before; return v.categories.map((c) => c.name)', field)
        same((names[0], len(names)), (first, 2), 'fields by colour')


LOOK_TESTS = (test_words_where_the_figures_stand, test_charts_keep_the_extremes, test_paper_has_all, test_coupling_fields_have_colours_first)
