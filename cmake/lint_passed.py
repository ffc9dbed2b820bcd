#!/usr/bin/env python3
"""Which files clang-tidy need not look at again: lint_passed.py todo|record FILE...

cmake/lint_passed.txt holds a hash for each file that passed: over the file, all headers of the project that it includes
(directly or not), .clang-tidy and clang-tidy's version. `todo` prints the FILEs whose hash is not there; `record` puts
the hashes of the FILEs there, and drops those that no longer stand for a file. A stale list costs time, nothing else.
"""
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "cmake", "lint_passed.txt")
FOLDERS = [os.path.join(ROOT, "libcpl_lb"), os.path.join(ROOT, "include")]
INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
contents = {}


def content(path):
    if path not in contents:
        with open(path, "rb") as file:
            contents[path] = file.read()
    return contents[path]


def included(path, seen):
    """All files of the project that path stands on, itself too."""
    if path in seen:
        return
    seen.add(path)
    for name in INCLUDE.findall(content(path)):
        for folder in [os.path.dirname(path)] + FOLDERS:
            header = os.path.normpath(os.path.join(folder, name.decode()))
            if header.startswith(ROOT) and os.path.isfile(header):
                included(header, seen)
                break


def hash_of(path, common):
    seen = set()
    included(path, seen)
    digest = hashlib.sha256(common)
    for part in sorted(seen):
        digest.update(os.path.relpath(part, ROOT).encode() + b"\0" + content(part) + b"\0")
    return digest.hexdigest()[:32]


def main():
    what, files = sys.argv[1], [os.path.abspath(f) for f in sys.argv[2:]]
    tidy = os.environ.get("CLANG_TIDY", "clang-tidy")
    version = re.search(rb"version [0-9.]+", subprocess.run([tidy, "--version"], capture_output=True, check=True).stdout)
    common = version.group() + content(os.path.join(ROOT, ".clang-tidy"))
    passed = {}
    if os.path.exists(LIST):
        with open(LIST, encoding="utf-8") as file:
            passed = {name: value for value, name in (line.split(None, 1) for line in file.read().splitlines())}
    if what == "todo":
        for path in files:
            if passed.get(os.path.relpath(path, ROOT)) != hash_of(path, common):
                print(path)
        return
    passed.update({os.path.relpath(path, ROOT): hash_of(path, common) for path in files})
    with open(LIST, "w", encoding="utf-8") as file:
        for name in sorted(passed):
            if os.path.exists(os.path.join(ROOT, name)):
                file.write(f"{passed[name]} {name}\n")


main()
