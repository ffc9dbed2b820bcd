"""What mkdocs leaves to do: titles as text, names that do not break, an index for a search without a web server."""
import html
import json
import pathlib
import re

from mkdocs.structure.nav import Link

SHORT_WORD_WITH_HYPHEN = r'(?<!\S)(?=\S{1,40}(?!\S))\S*-\S*'
KEEP = r'<span class="whole">\g<0></span>'


def on_nav(nav, **_):
    """The reference of the calls is Doxygen's: packaging/site adds it when mkdocs is done."""
    nav.items.append(Link('Reference', 'reference/index.html'))
    return nav


def on_page_markdown(markdown, page, **_):
    """mkdocs takes the title for menus from the markdown as it stands, and its templates escape nothing."""
    text = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', page.title)
    page.title = html.escape(text.replace('`', ''), quote=False)
    return markdown


def on_page_content(html, **_):  # the name is mkdocs's
    """No line ends inside a short command or an option: a browser would break `--json` behind its second letter."""
    def whole(code):
        text = code[1]
        if len(text) > 24:
            return f'<code>{re.sub(SHORT_WORD_WITH_HYPHEN, KEEP, text)}</code>'
        return f'<code>{re.sub(r"(?s).+", KEEP, text)}</code>'
    return re.sub(r'(?s)(?<!<pre>)<code>(.*?)</code>', whole, html)


def on_post_build(config, **_):
    """The sections as a script: a page on the disk may load one, while it may not read a file."""
    folder = pathlib.Path(config['site_dir']) / 'search'
    written = json.loads((folder / 'search_index.json').read_text(encoding='utf-8'))['docs']
    pages = {entry['location']: entry['title'] for entry in written if '#' not in entry['location']}
    sections = [[entry['location'], html.unescape(pages[entry['location'].split('#')[0]]), html.unescape(entry['title']),
                 entry['text']] for entry in written if '#' in entry['location']]
    missing = set(pages) - {section[0].split('#')[0] for section in sections}
    if missing:
        raise SystemExit(f'packaging/site: pages without a heading: {sorted(missing)}')
    (folder / 'index.js').write_text('cplLbSections = ' + json.dumps(sections, ensure_ascii=False) + ';\n', encoding='utf-8')
    for name in ('search_index.json', 'worker.js', 'lunr.js'):
        (folder / name).unlink(missing_ok=True)
