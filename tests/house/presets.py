#!/usr/bin/env python3
"""What ./run-tests chooses by name is there: presets.py CTEST BUILD REPOSITORY.

The test presets short and mpich-short (CMakePresets.json) hold a list of names. A test that was renamed would quietly move
from one side to the other.
"""
import json
import pathlib
import re
import subprocess
import sys

import checker


def alternatives(pattern):
    """The parts of ^(a|b(c|d)|e)$: a, b(c|d), e."""
    inside = re.fullmatch(r"\^\((.*)\)\$", pattern)[1]
    parts, depth = [""], 0
    for character in inside:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def problems(presets, tests):
    for preset in presets["testPresets"]:
        if preset["name"] not in ("short", "mpich-short"):
            continue
        (how, chosen), = preset["filter"].items()
        for part in alternatives(chosen["name"]):
            if not any(re.fullmatch(part, test) for test in tests):
                yield f"CMakePresets.json: {preset['name']} {how}s {part}, and there is no such test"


def main():
    ctest, build, root = sys.argv[1:]
    said = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    tests = [test["name"] for test in json.loads(said.stdout)["tests"]]
    presets = json.loads((pathlib.Path(root) / "CMakePresets.json").read_text(encoding="utf-8"))
    return checker.report(problems(presets, tests), "the names in the presets of run-tests are tests")


if __name__ == "__main__":
    sys.exit(main())
