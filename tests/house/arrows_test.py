#!/usr/bin/env python3
"""Each thing that arrows.py must find, put into a small tree of its own: arrows_test.py."""
import pathlib
import tempfile
import unittest

import arrows

PAGE = """# Rooms

| room | holds | may include | libraries |
| --- | --- | --- | --- |
| `include/cpl_lb` | the interface |  | MPI |
| `libcpl_lb/data` | plain types |  |  |
| `libcpl_lb/report` | text | `data` |  |
| `libcpl_lb/mpi` | messages | `data` | MPI |
| `libcpl_lb/tools`, `libcpl_lb/tools/*` | commands | `report` |  |

**The pure half** is `data` and `report`: no MPI.
"""
FILES = {
    "data/events.hpp": "// Events.\n#pragma once\n#include <vector>\n",
    "report/text.cpp": "// Text.\n#include \"data/events.hpp\"\n#include <vector>\n",
    "report/text.hpp": "// Text of a run.\n#pragma once\n",
    "mpi/wire.cpp": "// Messages.\n#include \"data/events.hpp\"\n#include <mpi.h>\n",
    "tools/show/show.cpp": "// The command show.\n#include \"report/text.hpp\"\n",
}


def problems(page=PAGE, **changed):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / arrows.PAGE).write_text(page, encoding="utf-8")
        files = FILES | {name.replace("__", "/") + ".cpp": text for name, text in changed.items()}
        for name, text in files.items():
            path = root / "libcpl_lb" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return arrows.problems(root)


class Arrows(unittest.TestCase):
    def test_nothing_wrong(self):
        self.assertEqual(problems(), [])

    def test_an_include_that_is_not_in_the_table(self):
        found = problems(data__more="// More.\n\n#include \"report/text.hpp\"\n")
        self.assertEqual(found, ["libcpl_lb/data/more.cpp:3: data -> report is not in the table of docs/architecture.md "
                                 "(includes report/text.hpp)"])

    def test_a_library_that_is_not_in_the_table(self):
        found = problems(report__more="// More.\n#  include <mpi.h>\n")
        self.assertEqual(found, ["libcpl_lb/report/more.cpp:2: report -> MPI is not in the table of docs/architecture.md "
                                 "(includes mpi.h)"])

    def test_the_public_header_is_a_room(self):
        found = problems(report__more="// More.\n#include <cpl_lb/cpl_lb.h>\n#include <cpl_lb/version.h>\n")
        self.assertEqual(len(found), 1)
        self.assertIn("report -> include/cpl_lb is not", found[0])

    def test_an_arrow_that_no_file_uses(self):
        found = problems(PAGE.replace("| messages | `data` |", "| messages | `data`, `report` |"))
        self.assertEqual(found, ["docs/architecture.md:8: no file uses the arrow mpi -> report"])

    def test_a_folder_without_a_row(self):
        found = problems(attic__old="// Old.\n")
        self.assertEqual(found, ["libcpl_lb/attic/old.cpp: the folder libcpl_lb/attic has no row in "
                                 "docs/architecture.md"])

    def test_a_folder_inside_a_room_needs_its_own_row(self):
        found = problems(report__words__more="// More.\n")
        self.assertEqual(len(found), 1)
        self.assertIn("libcpl_lb/report/words has no row", found[0])

    def test_a_row_without_a_file(self):
        found = problems(PAGE.replace("| `libcpl_lb/mpi`", "| `libcpl_lb/empty` | none |  |  |\n| `libcpl_lb/mpi`"))
        self.assertEqual(found, ["docs/architecture.md:8: there is no file in the room empty"])

    def test_a_cycle_of_rooms(self):
        found = problems(PAGE.replace("| plain types |  |", "| plain types | `report` |"),
                         data__more="// More.\n#include \"report/text.hpp\"\n")
        self.assertEqual(found, ["docs/architecture.md:6: a cycle of rooms: data -> report -> data",
                                 "docs/architecture.md:7: a cycle of rooms: report -> data -> report"])

    def test_a_pure_room_that_reaches_mpi_through_another(self):
        found = problems(PAGE.replace("| text | `data` |", "| text | `data`, `mpi` |"),
                         report__more="// More.\n#include \"mpi/wire.cpp\"\n")
        self.assertEqual(found, ["docs/architecture.md:7: a room of the pure half: report -> mpi -> MPI"])

    def test_an_arrow_to_a_room_that_is_not(self):
        found = problems(PAGE.replace("| text | `data` |", "| text | `data`, `dta` |"))
        self.assertEqual(found, ["docs/architecture.md:7: no file uses the arrow report -> dta",
                                 "docs/architecture.md:7: report -> dta: there is no row dta"])

    def test_no_pure_half(self):
        self.assertEqual(len(problems(PAGE.replace("The pure half", "Others"))), 1)

    def test_a_file_without_an_opening_line(self):
        for text in ("#include <vector>\n", "", "//\n", "\n// Late.\n", "/* Other. */\n"):
            found = problems(report__more=text)
            self.assertEqual(found, ["libcpl_lb/report/more.cpp:1: the file does not open with a comment on what it is "
                                     "for"])


if __name__ == "__main__":
    unittest.main()
