#!/usr/bin/env python3
"""Follows an event's way as docs/architecture.md lists it, from include to include: way.py REPOSITORY.

The list is in the section "An event's way": file after file in backticks, a mark (1), (2), ... where the way comes back
to terminate.cpp, and after them all that follows "Beside the way". Fails for more than 35 files or 3 marks, for a file
that is not there or stands there twice, for one that none before it includes, and for one that is left out:
- A file's header is the one of its name, or what it includes first. One of the files before has to include it. Right
  after a mark, and only there, that may be terminate.cpp.
- If a file of the list in run/live, events or analysis includes a header of these rooms that names a type of EVENTS,
  then that file is on the list or beside the way. If the header has no .cpp of its name, so are all that it belongs to.
"""
import pathlib
import re
import sys

import checker

PAGE = "docs/architecture.md"
HUB = "run/live/terminate.cpp"
MOST_FILES, MOST_RETURNS = 35, 3
ROOMS = re.compile(r"(run/live|events|analysis)/")
EVENTS = re.compile(r"\b(Mark|LocalTimeline|DecodedProcess|DecodedRecord|LocalEvents|OccurrenceKey|EventKeys|"
                    r"EventTable|EventSpan|Row|OwnRow|Share)\b")


class Files:
    """The files of the list by the names that it gives them, and what they include."""

    def __init__(self, root):
        self.root = root

    def path(self, name):
        return self.root / name if name.startswith("include/") else self.root / "libcpl_lb" / name

    def there(self, name):
        return self.path(name).is_file()

    def text(self, name):
        return self.path(name).read_text(encoding="utf-8") if self.there(name) else ""

    def includes(self, name):
        return re.findall(r'^#include "([^"]+)"', self.text(name), re.M)

    def header(self, name):
        if not name.endswith(".cpp"):
            return name.removeprefix("include/")
        own = name.removesuffix(".cpp") + ".hpp"
        return own if self.there(own) else (self.includes(name) or [""])[0]

    def around(self, name):
        """What the file and its header include."""
        return {*self.includes(name), *self.includes(self.header(name))}

    def sources(self, header):
        """The .cpp that make what a header without a .cpp of its name offers."""
        if self.there(header.removesuffix(".hpp") + ".cpp"):
            return []
        beside = sorted(self.path(header).parent.glob("*.cpp"))
        names = [path.relative_to(self.root / "libcpl_lb").as_posix() for path in beside]
        return [name for name in names if self.header(name) == header]


def read_list(page):
    """The files and marks in their order, and the files beside the way."""
    section = re.search(r"^## An event's way\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    text = section[1] if section else ""
    listed = re.search(r"^- .*?(?=\n\n|\Z)", text, re.M | re.S)
    beside = re.search(r"^Beside the way.*", text, re.M | re.S)
    way = re.findall(r"`([\w/.]+)`|\((\d+)\)", listed[0] if listed else "")
    return way, re.findall(r"`([\w/.]+)`", beside[0] if beside else "")


def check_size(files, names, marks, beside):
    if not names:
        yield f"{PAGE}: no list in the section \"An event's way\""
    if len(names) > MOST_FILES:
        yield f"{PAGE}: the way has {len(names)} files, more than {MOST_FILES}"
    if len(marks) > MOST_RETURNS:
        yield f"{PAGE}: the way comes back {len(marks)} times, more than {MOST_RETURNS}"
    if marks != [str(n) for n in range(1, len(marks) + 1)]:
        yield f"{PAGE}: the marks are not (1), (2), ... in this order"
    together = names + beside
    for name in sorted({name for name in together if together.count(name) > 1}):
        yield f"{PAGE}: {name} stands there twice"
    for name in together:
        if not files.there(name):
            yield f"{PAGE}: {name} is not there"


def check_steps(files, way):
    """Each file is included by one before it, or after a mark by terminate.cpp."""
    met, after_mark = set(), False
    for at, (name, mark) in enumerate(way):
        if mark:
            after_mark = True
            continue
        header = files.header(name)
        by_hub = header in files.around(HUB)
        if at > 0 and header not in met and not (by_hub and (after_mark or (way[at - 1][0] == HUB))):
            yield f"{PAGE}: no file of the way before {name} includes {header}" + \
                  (f"; {HUB} does: a mark is missing" if by_hub else "")
        after_mark = False
        met.add(name.removeprefix("include/"))
        if name != HUB:
            met |= files.around(name)


def check_complete(files, names, beside):
    known = {files.header(name) for name in names + beside if files.there(name)}
    left_out = {}
    for name in names:
        if not ROOMS.match(name):
            continue
        for header in files.around(name):
            if ROOMS.match(header) and header not in known and EVENTS.search(re.sub("//.*", "", files.text(header))):
                left_out.setdefault(header, name)
        for source in files.sources(files.header(name)):
            if source not in names + beside:
                left_out.setdefault(source, name)
    for header, name in sorted(left_out.items()):
        yield f"{PAGE}: {header} is neither on the way nor beside it; see {name}"
    for name in beside:
        if ROOMS.match(name) and not any(files.header(name) in files.around(other) for other in names):
            yield f"{PAGE}: {name} is beside the way, but no file of the way includes it"


def problems(root):
    files = Files(root)
    way, beside = read_list((root / PAGE).read_text(encoding="utf-8"))
    names = [name for name, _ in way if name]
    marks = [mark for _, mark in way if mark]
    return [*check_size(files, names, marks, beside), *check_steps(files, way),
            *check_complete(files, names, beside)]


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1])), "an event's way is as the page says")


if __name__ == "__main__":
    sys.exit(main())
