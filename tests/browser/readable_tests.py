"""What a reader of the page has to find at once: the number beside its words, who sits where, fields, hints, whole names, paper that can be read."""
from checks import check, fits, on_paper, opened, rows_of, same, text_of

PAPER_LETTERS = 8.5 * 4 / 3 - 0.01  # points as pixels


def test_the_number_stands_beside_its_line(browser, pages):
    """On one line with what it is a share of, on a wide and a narrow window; all other words stand below."""
    for width in (1280, 420):
        browser.size(width, 900)
        opened(browser, pages.page('names'))
        share, line, words = browser.run('''const box = (b) => [b.left, b.top, b.right, b.bottom], range = document.createRange();
            range.selectNodeContents(document.getElementById('share-line'));
            return [box(document.getElementById('share').getBoundingClientRect()), box(range.getClientRects()[0]), box(document.getElementById('words').getBoundingClientRect())]''')
        check(line[0] >= share[2] and share[1] < line[1] and line[3] <= share[3] + 3, f'at {width}: number {share}, its line {line}')
        check(words[1] >= share[3] - 3, f'at {width}: other words {words} stand below')
        same(text_of(browser, 'share-line'),
             'of the core time in the coupling loop is lost to waiting for other components.', 'its words')
    browser.size(1280, 900)


def test_the_matrix_has_one_order(browser, pages):
    opened(browser, pages.page('names'))
    cells = browser.run('''const c = (name, ...waits) => ({name, loop_s: 10, waiting_s: 1, processes: 1, waiting_for: Object.fromEntries(waits.map((w) => [w, {get_s: 0.5, put_s: 0}]))});
        byId('who-body').replaceChildren();
        drawWho({info: {component_names: ['x', 'y', 'z'], components: [c('x', '(not known)', 'z', 'y'), c('y', 'z', 'x'), c('z', 'x')]}});
        return [...document.querySelectorAll('#who-body tr')].map((r) => [...r.cells].map((cell) => cell.textContent))''')
    same(cells[0], ['', 'for x', 'for y', 'for z', 'for an unknown component'], 'columns')
    same([row[0] for row in cells[1:]], ['x waits', 'y waits', 'z waits'], 'rows')
    same([[cell == '–' for cell in row[1:4]] for row in cells[1:]], [[True, False, False], [False, True, False], [False, True, True]], 'nobody on the diagonal')


def test_what_scrolls_says_so(browser, pages):
    """A line above each table that is wider than the window, and above no other one."""
    found = '''return [...document.querySelectorAll('main .wide')].map((w) => { const hint = w.previousElementSibling;
        return [w.scrollWidth > w.clientWidth + 1, hint.className === 'wide-hint' && hint.getBoundingClientRect().height > 0, hint.textContent]; })'''
    for width, any_ in ((420, True), (1280, False)):
        browser.size(width, 900)
        opened(browser, pages.page('names'))
        tables = browser.run(found)
        check(len(tables) >= 5 and any(scrolls for scrolls, _, _ in tables) == any_, f'tables at {width}: {tables}')
        for scrolls, said, words in tables:
            same((said, 'wider than the window' in words), (scrolls, True), f'at {width}: {words}')
    browser.run('const w = document.querySelector("main .wide"); w.style.width = "200px"; return 0')
    browser.settle()
    same(browser.run(found)[0][:2], [True, True], 'when it becomes narrow')


def test_paper_can_be_read(browser, pages):
    """No table is smaller than 8.5 points or wider than the sheet; one with many columns stands there as several, with all of them."""
    opened(browser, pages.page('names'))
    heads = 'return [...document.querySelectorAll("#components-body table")].filter((t) => t.offsetParent).map((t) => [...t.rows[0].cells].map((c) => c.textContent))'
    whole = browser.run(heads)
    same((len(whole), len(whole[0]) > 8), (1, True), 'one table with many columns')
    with on_paper(browser):
        parts = browser.run(heads)
        tables = browser.run('return [...document.querySelectorAll("main table")].filter((t) => t.offsetParent).map((t) => [parseFloat(getComputedStyle(t).fontSize), t.getBoundingClientRect().right])')
    check(len(parts) > 1 and all(part[0] == 'Component' and len(part) <= 8 for part in parts), f'parts: {parts}')
    same([head for part in parts for head in part[1:]], whole[0][1:], 'all columns, once, in their order')
    check(len(tables) >= 6 and all(size >= PAPER_LETTERS and right <= 701 for size, right in tables), f'letters and right ends: {tables}')
    same(browser.run(heads), whole, 'as before')


def test_links_lead_somewhere(browser, pages):
    """Each link to a place of the page finds something that is shown; there are no others."""
    kinds = [pages.page('names')] + [pages.page(kind) for kind in ('one-process', 'no-events', 'many-components', 'partly-seen')]
    for page in kinds:
        opened(browser, page)
        links = browser.run('''return [...document.querySelectorAll('a')].map((a) => { const href = a.getAttribute('href') || '', to = href.startsWith('#') ? document.getElementById(href.slice(1)) : null;
            return [href, to !== null && to.getBoundingClientRect().height > 0]; })''')
        check(len(links) >= 10 and all(there for _, there in links), f'{page.parent.name}: {[href for href, there in links if not there]}')
        sections = browser.run('return [...document.querySelectorAll("main > section[id]")].map((s) => "#" + s.id)')
        same(browser.run('return [...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href"))'), sections, f'{page.parent.name}: each section has a link')


def test_cut_names_have_their_full_form(browser, pages):
    for width in (1280, 420):
        browser.size(width, 900)
        opened(browser, pages.make('twelve'))
        names = browser.run('return cplLbTimeline.data.info.component_names')
        cut = browser.run('return [...document.querySelectorAll("main svg text, main button, main option, main th, main td")].filter((t) => [...t.childNodes].some((n) => n.nodeType === 3 && n.data.includes("…")))'
                          '.map((t) => [t.firstChild.data || t.textContent, t.querySelector("title") ? t.querySelector("title").textContent : t.title || ""])')
        check(len(cut) >= 3 and all(any(name in whole for name in names) for _, whole in cut), f'at {width}: {cut}')
        same(browser.run('return [...document.querySelectorAll("#components-body tbody tr")].map((r) => r.cells[0].textContent)'), names, 'whole names in the table')
    browser.size(1280, 900)


def test_who_sits_where(browser, pages):
    """Two components of two processes: one of each on both nodes; the ocean has two threads. Squares are cores: 2 + 1 on a node."""
    def nodes(info):
        info['meters']['nodes'] = [{'name': 'nid07', 'processes': 2, 'cores': 3}, {'name': 'nid<b>', 'processes': 2, 'cores': 3}]
        info['clock']['nodes'] = 2
        for c in info['components']:
            c.update(nodes=2, on_nodes=[0, 1], processes_on_nodes=[1, 1])

    page = pages.changed('names', 'layout', nodes)
    opened(browser, page)
    boxes = browser.run('return [...document.querySelectorAll("#layout-body figure")].map((f) => [f.querySelector("strong").textContent, f.textContent, '
                        '[...f.querySelectorAll("path")].map((p) => [p.getAttribute("d").split("M").length - 1, p.getAttribute("fill"), p.textContent])])')
    same(len(boxes), 1, 'one kind of node')
    head, words, paths = boxes[0]
    same(head, '2 nodes like this', 'how many')
    check('nid07, nid<b>' in words and '<script>alert(1)</script>: 1 process' in words, f'names: {words}')
    same(paths, [[1, 'var(--c0)', '<script>alert(1)</script>: 1 process'], [1, 'var(--c1)', 'a&b "c" </script><!-- \u2028 %2C,;\'`: 1 process']], 'a square for each')
    # 100 nodes of 128 cores: 32 processes of 4 threads; and a node of 4.
    drawn = browser.run('''const c = (name, processes, threads) => ({name, processes, threads}), data = {info: {components: [c('ocean', 3200, 4), c('ice', 4, 1)]},
          layout: {kinds: [{count: 100, names: ['n001 to n100'], names_left_out: 0, of: [[0, 32]]}, {count: 1, names: ['m'], names_left_out: 0, of: [[1, 4]]}],
            without: [], nodes_left_out: 0, unassigned_cores: 3}};
        byId('layout-body').replaceChildren(); drawLayout(data);
        return [...document.querySelectorAll('#layout-body svg')].map((s) => [s.querySelector('path').getAttribute('d').split('M').length - 1, s.getBoundingClientRect().width, s.getBoundingClientRect().height])''')
    (squares, wide, high), (few, wide_4, _) = drawn
    check(squares == 128 and wide <= 200 and high <= 200, f'128 cores: {drawn[0]}')
    check(few == 4 and wide_4 >= 60, f'4 cores can be seen: {drawn[1]}')
    text = text_of(browser, 'layout-body')
    check('101 nodes' in text and '32 processes × 4 threads' in text and '3 cores of the run have no process' in text, text)
    check('ice: 4 processes' in browser.run('return [...document.querySelectorAll("#layout-body title")].map((t) => t.textContent)'), 'under the pointer')
    fits(browser, page, 420, 360)
    # Nothing is drawn of what is not known.
    opened(browser, pages.page('names'))
    same(browser.run('return [document.querySelectorAll("#layout-body svg").length, document.getElementById("layout-body").textContent]'),
         [0, 'n/a: the files of this run do not tell on which nodes its processes were.'], 'not known')


def test_fields_with_their_bytes(browser, pages):
    """Bytes beside times; without MPI recorded the reason, once."""
    opened(browser, pages.page('names'))
    heads, *cells = rows_of(browser, '#fields-body tr')
    same(heads, ['Field', 'From', 'To', 'Exchanges', 'Send s', 'Receive s'], 'no column of bytes')
    same(text_of(browser, 'fields-body').count('n/a'), 1, 'the reason, once')
    check('cpl-lb-record' in text_of(browser, 'fields-body'), 'how to know them')
    # 12 events: GET and PUT in turn, six PUTs of each component, of one field each.
    same(sorted(row[:4] for row in cells), sorted([['T & "S" <b>', 'a&b "c" </script><!-- \u2028 %2C,;\'`', '<script>alert(1)</script>', '6'],
                                                   ['flux', '<script>alert(1)</script>', 'a&b "c" </script><!-- \u2028 %2C,;\'`', '6']]), 'fields')
    check(all(0.3 < float(row[4]) < 3 and 0.3 < float(row[5]) < 3 for row in cells), f'times, 6 x a quarter of a second: {cells}')

    def bytes_of(info):
        info['components'][0]['fields'] = [{'name': 'flux', 'counterpart': info['components'][1]['name'], 'messages': 24, 'message_bytes': 3145728}]
    opened(browser, pages.changed('names', 'fields', bytes_of))
    heads, *cells = rows_of(browser, '#fields-body tr')
    same(heads[-2:], ['Messages', 'MiB sent'], 'columns')
    told = {row[0]: row[-2:] for row in cells}
    same((told['flux'], told['T & "S" <b>']), (['24', '3'], ['n/a', 'n/a']), '3,145,728 B are 3 MiB; nothing of the other one')
    same(text_of(browser, 'fields-body').count('n/a:'), 1, 'why, once')


READABLE_TESTS = (test_the_number_stands_beside_its_line, test_the_matrix_has_one_order, test_what_scrolls_says_so, test_paper_can_be_read, test_links_lead_somewhere,
                  test_cut_names_have_their_full_form, test_who_sits_where, test_fields_with_their_bytes)
