#!/usr/bin/env python3
"""presets.py finds a name that no test has, and only that."""
import presets


def chosen(pattern, how="exclude", name="short"):
    return {"testPresets": [{"name": "dev"}, {"name": name, "filter": {how: {"name": pattern}}}]}


tests = ["page", "run_scale", "run_growth"]
assert presets.alternatives("^(page|run_(scale|growth)|a.*)$") == ["page", "run_(scale|growth)", "a.*"]
assert not list(presets.problems(chosen("^(page|run_(scale|growth))$"), tests))
found = list(presets.problems(chosen("^(page|run_scales)$", "include", "mpich-short"), tests))
assert len(found) == 1 and "run_scales" in found[0], found
print("presets.py finds what is not there")
