#!/usr/bin/env python3
"""The version stands in CMakeLists.txt; these files repeat it for readers that do not build: version.py FOLDER."""
import json
import pathlib
import re
import sys

PLACES = {"CMakeLists.txt": r"^project\(cpl_lb VERSION (\S+)", "CITATION.cff": r"^version: (\S+)",
          "codemeta.json": r'"version": "([^"]+)"', "CHANGELOG.md": r"^## (\d\S*)"}


def versions(folder):
    """file -> the version in it, None where it has none."""
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (pathlib.Path(folder) / name).read_text(encoding="utf-8"), re.M)
        found[name] = match.group(1) if match else None
    return found


def problems(folder):
    """One line for each file that says something else than CMakeLists.txt."""
    found = versions(folder)
    for name, version in found.items():
        if version != found["CMakeLists.txt"]:
            yield f"{name} says version {version}, CMakeLists.txt {found['CMakeLists.txt']}"
    json.loads((pathlib.Path(folder) / "codemeta.json").read_text(encoding="utf-8"))


def write(folder, version):
    """Puts the version into all of them but the heading of CHANGELOG.md, which a person writes."""
    for name, pattern in PLACES.items():
        if name == "CHANGELOG.md":
            continue
        path = pathlib.Path(folder) / name
        text = path.read_text(encoding="utf-8")
        match = re.search(pattern, text, re.M)
        path.write_text(text[:match.start(1)] + version + text[match.end(1):], encoding="utf-8")


if __name__ == "__main__":
    lines = list(problems(sys.argv[1]))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
