"""The site of the documentation (packaging/site) as a reader meets it: in a real browser, from the disk and from a web server.

Each page is opened in the width of a telephone, and the text that the browser shows is compared with the markdown.
"""
import argparse
import collections
import functools
import http.server
import pathlib
import re
import subprocess
import threading

from checks import check, eventually, same
from webdriver import Browser

ENTER = '\ue007'
NARROW = 420
# What stands in <>: names to be filled in, headers, templates. Marks of HTML that the pages use are none.
IN_BRACKETS = re.compile(r'<(?!br>|!)/?[A-Za-z][\w .,:*/+-]*>')
LOOK = '''const main = document.querySelector('[role=main]'), copy = document.body.cloneNode(true);
copy.querySelectorAll('pre, script').forEach((e) => e.remove());
const prose = copy.querySelector('[role=main]').cloneNode(true);
prose.querySelectorAll('code').forEach((e) => e.remove());
const page = document.scrollingElement, width = page.clientWidth;
const scrolls = (e) => e && getComputedStyle(e).overflowX === 'auto', inside = (e) => scrolls(e.closest('pre')) || scrolls(e.closest('table'));
return {title: document.title, heading: main.querySelector('h1') && main.querySelector('h1').innerText, shown: main.innerText,
  text: copy.textContent, prose: prose.textContent,
  paragraphs: [...prose.querySelectorAll('p, td')].map((e) => e.textContent),
  wide: page.scrollWidth > width ? [...main.querySelectorAll('*')].filter((e) => !inside(e) &&
    e.getBoundingClientRect().right > width).map((e) => e.tagName + ' ' + e.textContent.slice(0, 60)).slice(0, 3).concat(page.scrollWidth) : [],
  links: [...document.links].map((a) => a.href.split('#')[0])}'''


def pages_of(source):
    """The documents that are pages of the site: all but data of the tests and forms of the code's host."""
    names = subprocess.run(['git', 'ls-files', '-z', '*.md'], cwd=source, check=True, capture_output=True, text=True).stdout
    return [name for name in names.split('\0') if name and not name.startswith(('tests/', '.'))]


def place(name):
    path = pathlib.PurePosixPath(name)
    return str(path.with_name('index.html') if path.name == 'README.md' else path.with_suffix('.html'))


def in_brackets(text):
    return collections.Counter(IN_BRACKETS.findall(re.sub(r'\s+', ' ', text)))


def test_names_are_found():
    """The comparison itself, on a text by hand."""
    found = in_brackets('# `a_<name>.nc`\nan <other\nname> <br> 1 < 2 > 0 `<name>` #include <cpl_lb/cpl_lb.h>')
    same(found, {'<name>': 2, '<other name>': 1, '<cpl_lb/cpl_lb.h>': 1}, 'names in <>')


def look_at(browser, site, name, source):
    check((site / place(name)).is_file(), f'{name}: no page')
    browser.open_plain(site / place(name))
    seen = browser.run(LOOK)
    same(browser.messages(), [], f'{name}: console')
    check(seen['heading'], f'{name}: no heading')
    check('`' not in seen['title'] + seen['text'], f'{name}: a raw backtick: ' +
          ' | '.join(re.findall(r'.{0,40}`.{0,40}', seen['title'] + '\n' + seen['text'])))
    left = re.findall(r'.{0,30}(?:\]\(|\*\*|\| *---).{0,30}', seen['prose'])
    same(left, [], f'{name}: raw marks of markdown')
    lists = [text for text in seen['paragraphs'] if re.search(r'\n *(?:-|\d+\.) ', text)]
    same(lists, [], f'{name}: lists without an empty line before them')
    text = re.sub(r'<!--.*?-->', '', (source / name).read_text(encoding='utf-8'), flags=re.S)
    same(in_brackets(seen['shown']), in_brackets(text), f'{name}: names in <> that are shown')
    same(seen['wide'], [], f'{name}: wider than {NARROW} pixels')
    return seen


def test_pages(browser, site, source):
    browser.size(NARROW, 900)
    names = pages_of(source)
    seen = {place(name): look_at(browser, site, name, source) for name in names}
    # From the first page the others are reached by links.
    reached, to_do = set(), ['index.html']
    while to_do:
        page = to_do.pop()
        if page not in reached and page in seen:
            reached.add(page)
            here = (link.removeprefix(f'file://{site}/') for link in seen[page]['links'])
            to_do += [link for link in here if link.endswith('.html')]
    same(sorted(set(seen) - reached), [], 'pages that no link leads to')
    check(f'file://{site}/reference/index.html' in seen['index.html']['links'], 'no link to the reference')
    return {page: one['heading'] for page, one in seen.items()}


def open_search(browser, address):
    browser.call('POST', '/url', {'url': address})
    button = '[data-target="#mkdocs_search_modal"], [data-bs-target="#mkdocs_search_modal"]'  # mkdocs 1.4; 1.6
    browser.run('document.querySelector(arguments[0]).click()', button)
    eventually(lambda: browser.run('return document.activeElement.id'), lambda name: name == 'mkdocs-search-query',
               'the field of the search has the keyboard')


RESULTS = 'return [...document.querySelectorAll("#mkdocs-search-results a")].map((a) => a.href)'


def test_search(browser, root, headings):
    """root: the address of the site, from the disk or from a server."""
    browser.size(1280, 900)
    open_search(browser, f'{root}/docs/tutorial.html')
    browser.keys(*'scripts cannot RECORDED')
    place = 'scripts-and-programs-that-cannot-be-recorded'
    found = eventually(lambda: browser.run(RESULTS), lambda found: found and found[0] == f'{root}/docs/record.html#{place}',
                       'the best result')
    check(len(browser.run('return [...document.querySelectorAll("#mkdocs-search-results mark")].map((e) => e.textContent)')) > 0,
          'the words are marked')
    browser.keys(ENTER)
    eventually(lambda: browser.run('return location.href'), lambda address: address == found[0], 'Enter opens the best result')
    top = eventually(lambda: browser.run('return document.getElementById(arguments[0]).getBoundingClientRect().top', place),
                     lambda top: 0 <= top < 900, 'the place is in view')
    check(top > 40, f'the place is under the bar: {top}')
    # Each page is found by its heading; what is nowhere is said to be nowhere.
    browser.run('document.getElementById("mkdocs-search-query").focus()')
    open_search(browser, f'{root}/index.html')
    ask = '''const field = document.getElementById('mkdocs-search-query');
field.value = arguments[0]; field.dispatchEvent(new Event('input')); '''
    browser.run(ask, 'tutorial')
    eventually(lambda: browser.run(RESULTS), len, 'the index is read')
    for page, heading in headings.items():
        found = browser.run(ask + RESULTS, heading)
        check(found and found[0].split('#')[0] == f'{root}/{page}', f'search for "{heading}" of {page}: {found[:3]}')
    browser.run(ask, 'nosuchwordanywhere')
    same(browser.run('return document.getElementById("mkdocs-search-results").textContent'),
         'Nothing has all these words. Try fewer of them, or a part of one.', 'nothing found')
    same(browser.messages(), [], 'console of the search')


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--site', required=True, type=pathlib.Path)
    parser.add_argument('--source', required=True, type=pathlib.Path)
    options = parser.parse_args()
    site = options.site.resolve()
    test_names_are_found()
    with Browser() as browser, \
            http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        headings = test_pages(browser, site, options.source)
        test_search(browser, f'file://{site}', headings)
        test_search(browser, f'http://127.0.0.1:{server.server_port}', headings)
        server.shutdown()
    print(f'{len(headings)} pages, good')


if __name__ == '__main__':
    main()
