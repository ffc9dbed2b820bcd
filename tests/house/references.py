#!/usr/bin/env python3
"""Every file that a document or a comment names must exist: references.py REPOSITORY.

Looks at relative links (with their #headings) of *.md, and at names of source files and documents in *.md and in
comments. Papers are named by author and year, never by a number. Every page of docs/ is linked in docs/README.md.
"""
import pathlib
import re
import sys

import checker

COMMENTS = {".hpp": "//", ".cpp": "//", ".h": "//", ".c": "//", ".in": "//", ".js": "//", ".py": "#", ".sh": "#",
            ".cmake": "#", ".txt": "#", ".f90": "!", ".F90": "!"}
FOLDERS = ["libcpl_lb", "include", "fortran_bindings", "examples", "tests", "cmake", "docs"]
SKIPPED = ("tests/data/", "tests/golden/", "tests/fuzz/corpus/")
WITH_MADE_NAMES = {"house_test.py"}
ENDINGS = "hpp|cpp|h|md|py|sh|cmake|f90|F90"
NAME = re.compile(rf"(?<![\w/.<>*$@{{}}:-])((?:\.\./)*(?:[\w.-]+/)*[\w-]+\.(?:{ENDINGS}))(?![\w/*<>])")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Names of other projects, of the user's own files and of files that a build makes.
OTHERS = {"mpi.h", "mpif.h", "netcdf.h", "papi.h", "otf2.h", "otf2/otf2.h", "sys/stat.h", "cpl_lb/version.h",
          "version.h", "FILE.cpp", "SIZE.h", "source.cpp", "share/cpl_lb/cpl_lb.f90", "timeline.py", "ncview.sh", "./run.sh",
          "lib/psmile/src/mod_oasis_load_balancing.F90"}


def files(root):
    for name in sorted(root.glob("*.md")):
        yield name
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not path.relative_to(root).as_posix().startswith(SKIPPED) \
                    and path.name not in WITH_MADE_NAMES and (path.suffix == ".md" or path.suffix in COMMENTS):
                yield path


def prose(path):
    """The lines of a document; of a source the text of its comments."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    mark = COMMENTS.get(path.suffix)
    for number, line in enumerate(lines, 1):
        if mark is None:
            yield number, line
        elif mark in line and not re.match(r"\s*#\s*\w+\(", line):  # a command of CMake that is switched off
            yield number, line.split(mark, 1)[1]


def headings(path):
    """The anchors of a document, as GitHub makes them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.match(r"#+ ", line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
            yield re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def broken_link(path, target):
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, heading = target.partition("#")
    at = (path.parent / name) if name else path
    if not at.exists():
        return "is not there"
    if heading and at.suffix == ".md" and heading not in headings(at):
        return "has no such heading"
    return ""


def exists(root, path, name, names):
    places = [root, path.parent, *(root / folder for folder in FOLDERS), *path.relative_to(root).parents]
    if any((root / place / name).exists() for place in places):
        return True
    return "/" not in name and name in names


def not_in_the_index(root):
    index = root / "docs" / "README.md"
    text = index.read_text(encoding="utf-8") if index.exists() else ""
    for page in sorted((root / "docs").glob("*.md")) if text else []:
        if page != index and f"({page.name}" not in text:
            yield f"docs/README.md: it has no link to {page.name}"


def problems(root):
    yield from not_in_the_index(root)
    every = list(files(root))
    names = {path.name for path in every}
    for path in every:
        shown = path.relative_to(root)
        for number, text in prose(path):
            for target in LINK.findall(text) if path.suffix == ".md" else []:
                wrong = broken_link(path, target)
                if wrong:
                    yield f"{shown}:{number}: the link {target} {wrong}"
            for name in NAME.findall(LINK.sub("]", text)):
                if name not in OTHERS and not exists(root, path, name, names):
                    yield f"{shown}:{number}: there is no {name}"
            for paper in re.findall(r"\b[Pp]apers? 00\d|\bseeds?/", text):
                yield f"{shown}:{number}: '{paper}': name papers by author and year"


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1]).resolve()), "every file that is named is there")


if __name__ == "__main__":
    sys.exit(main())
