#!/usr/bin/env python3
"""Each thing that environment.py must find, and what it must not: environment_test.py."""
import unittest

import environment

ALL = ["CPL_LB_ENABLED=1", *sorted(environment.WANTED)]


def problems(name, command, folder, variables=None):
    properties = [{"name": "WORKING_DIRECTORY", "value": folder}]
    if variables is not None:
        properties.append({"name": "ENVIRONMENT", "value": variables})
    return list(environment.problems([{"name": name, "command": command, "properties": properties}]))


class Environment(unittest.TestCase):
    def test_a_launcher_without_it(self):
        said = ["cases: starts MPI without cpl_lb_runs_mpi(cases)"]
        self.assertEqual(problems("cases", ["/usr/bin/mpiexec.openmpi", "-n", "2", "cases"], "/b/tests/mpi"), said)
        self.assertEqual(problems("cases", ["cases.sh", "mpirun -n"], "/b/tests/mpi", ["A=1"]), said)
        for one in ALL[1:]:
            rest = [variable for variable in ALL if variable != one]
            self.assertEqual(problems("cases", ["mpiexec", "cases"], "/b/tests/mpi", rest), said)

    def test_a_program_that_starts_the_launcher_itself(self):
        for folder in ("functional", "consumer", "adapters"):
            self.assertEqual(len(problems("some_test", ["some_test"], f"/b/tests/{folder}")), 1)
            self.assertEqual(problems("some_test", ["some_test"], f"/b/tests/{folder}", ALL), [])

    def test_what_starts_no_mpi(self):
        self.assertEqual(problems("report_text", ["report_text"], "/b/tests/report"), [])
        self.assertEqual(problems("names", ["names_test.sh"], "/b/tests/functional"), [])


if __name__ == "__main__":
    unittest.main()
