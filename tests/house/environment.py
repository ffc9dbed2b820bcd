#!/usr/bin/env python3
"""Every test that starts MPI has the environment of cpl_lb_runs_mpi (tests/CMakeLists.txt): environment.py CTEST BUILD.

A developer's shell often has these variables, a fresh machine has not: without this a test that lacks them fails only
there. A test starts MPI if its command names the launcher, or if it stands in a folder whose programs are models.
"""
import json
import pathlib
import re
import subprocess
import sys

import checker

WANTED = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
          "PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe", "PMIX_MCA_mca_base_param_files=none"}
FOLDERS = {"adapters", "consumer", "functional"}
START_NONE = {"adapters_oasis_part", "adapters_unknown_version", "copied_meter_is_compiled", "names"}


def starts_mpi(test, properties):
    if any(re.search(r"(^|/)mpi(exec|run)\b", argument) for argument in test.get("command", [])):
        return True
    folder = pathlib.PurePath(properties.get("WORKING_DIRECTORY", ""))
    return test["name"] not in START_NONE and bool(FOLDERS & set(folder.parts[-2:]))


def problems(tests):
    for test in tests:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if starts_mpi(test, properties) and not WANTED <= set(properties.get("ENVIRONMENT", [])):
            yield f"{test['name']}: starts MPI without cpl_lb_runs_mpi({test['name']})"


def main():
    ctest, build = sys.argv[1:]
    said = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    tests = json.loads(said.stdout)["tests"]
    return checker.report(problems(tests), "every test that starts MPI has its environment")


if __name__ == "__main__":
    sys.exit(main())
