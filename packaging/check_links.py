#!/usr/bin/env python3
"""Looks for links in the pages of a folder that lead to no file there, or to no place in it: check_links.py FOLDER.

A link to a folder is one of these: from the disk a browser shows a list of files for it, and no page.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links of a page, and the names of its places."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8", errors="replace"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places.update(value for key, value in attrs if key in ("id", "name") and value)
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in ("img", "script") and attributes.get("src"):
            self.links.append(attributes["src"])


def broken(folder):
    """(page, link) of each link inside the folder that leads nowhere."""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    for path, page in sorted(pages.items()):
        if path.name == "404.html":  # its links are those of a server
            continue
        is_reference = "reference" in path.relative_to(folder).parts
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if is_reference and not parts.path:  # Doxygen 1.9 names places of Fortran's modules that it does not write
                continue
            if parts.scheme or parts.netloc or link.startswith(("javascript:", "#!")):
                continue
            target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            place = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or (place and target in pages and place not in pages[target].places):
                yield path.relative_to(folder), link


if __name__ == "__main__":
    found = sorted(set(broken(sys.argv[1])))
    for page, link in found:
        print(f"{page}: the link {link} leads nowhere", file=sys.stderr)
    sys.exit(1 if found else 0)
