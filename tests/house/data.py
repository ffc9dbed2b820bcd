#!/usr/bin/env python3
"""No data without a use: data.py REPOSITORY.

Every file of the data folders is named by a source, a CMake file or a document ("amd" or amd.tree for amd.tree, or a
pattern as table*.csv), or lies in a folder that is read as a whole. No two of them are the same byte for byte; empty ones
may be, because each is for another reader.
"""
import fnmatch
import hashlib
import pathlib
import re
import sys

import checker

FOLDERS = ["data", "tests/data", "tests/golden", "tests/fuzz/corpus", "tests/*/data"]
# Folder: who reads all of it, and what is written there.
READ_WHOLE = {
    "data/machines": ("libcpl_lb/projection/CMakeLists.txt", "data/machines/*.toml"),
    "tests/data/namelists/valid": ("tests/io/namelist_oracle_test.cpp", '"valid"'),
    "tests/data/namelists/invalid": ("tests/io/namelist_oracle_test.cpp", '"invalid"'),
    "tests/data/namelists/differs": ("tests/io/namelist_oracle_test.cpp", '"differs"'),
    **{f"tests/fuzz/corpus/{name}": ("tests/fuzz/CMakeLists.txt", f"cpl_lb_fuzz({name} ")
       for name in ("expression", "info_json", "namelist", "spool", "timeline", "gpu_profiles", "job_logs", "tables",
                    "template", "timers", "toml", "vector_report", "wire")},
}
NEED_NO_NAME = {"README.md", ".gitattributes"}
READERS = {".cpp", ".hpp", ".c", ".h", ".f90", ".F90", ".py", ".sh", ".js", ".cmake", ".txt", ".md", ".inc", ".in"}
PLACES = ["CMakeLists.txt", "*.md", "cmake/**/*", "docs/**/*", "libcpl_lb/**/*", "examples/**/*", "tests/**/*"]
OWN = {"data.py", "house_test.py"}


def data_files(root):
    found = {path for folder in FOLDERS for path in root.glob(folder + "/**/*") if path.is_file()}
    return sorted(found)


def text_of_readers(root, data):
    without = set(data)
    readers = {path for place in PLACES for path in root.glob(place)
               if path.is_file() and path.suffix in READERS and path not in without and path.name not in OWN}
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(readers))


def patterns(text):
    """Names with a star and at least four letters before it."""
    return set(re.findall(r"(?<![\w.-])[\w-]{4,}\*[\w.-]*\.\w+", text))


def is_named(path, text, stars):
    if any(fnmatch.fnmatch(path.name, star) for star in stars):
        return True
    stem = path.name.split(".")[0]
    name = rf"(?<![\w.-]){re.escape(path.name)}(?![\w-])"
    in_quotes = rf"[\"'/]{re.escape(stem)}[\"']"
    # Plain text is looked for a hundred times as fast.
    if path.name in text and re.search(name, text):
        return True
    return (stem + '"' in text or stem + "'" in text) and re.search(in_quotes, text)


def unused(root, data):
    text = text_of_readers(root, data)
    stars = patterns(text)
    for path in data:
        shown = path.relative_to(root).as_posix()
        folder = path.parent.relative_to(root).as_posix()
        if folder not in READ_WHOLE and path.name not in NEED_NO_NAME and not is_named(path, text, stars):
            yield f"{shown}: nothing names it"
    for folder, (reader, words) in sorted(READ_WHOLE.items()):
        there = (root / reader).is_file() and words in (root / reader).read_text(encoding="utf-8")
        if any(path.parent == root / folder for path in data) and not there:
            yield f"{folder}: {reader} does not read it any more ({words})"


def twice(root, data):
    first = {}
    for path in data:
        if path.name in NEED_NO_NAME or path.stat().st_size == 0:
            continue
        digest = hashlib.sha256(path.read_bytes()).digest()
        if digest in first:
            yield f"{path.relative_to(root).as_posix()}: the same as {first[digest].relative_to(root).as_posix()}"
        first.setdefault(digest, path)


def problems(root):
    data = data_files(root)
    return [*unused(root, data), *twice(root, data)]


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1]).resolve()), "all data have a use, and none stand twice")


if __name__ == "__main__":
    sys.exit(main())
