#!/usr/bin/env python3
"""Each thing that way.py must find, put into a small tree of its own: way_test.py."""
import pathlib
import tempfile
import unittest

import way

WAY = """- recorded: `include/cpl_lb/cpl_lb.h`, `api/c_api.cpp`, `events/marks.hpp`, `run/live/terminate.cpp`
- decoded: `run/live/steps/decode.cpp` (1)
- waited for: `run/live/steps/gather.cpp`, `analysis/window.cpp` (2)
"""
BESIDE = "Beside the way: `events/numbers.hpp`."
FILES = {
    "include/cpl_lb/cpl_lb.h": "void cpl_lb_begin(int kind);\n",
    "libcpl_lb/api/c_api.cpp": '#include "cpl_lb/cpl_lb.h"\n\n#include "events/marks.hpp"\n'
                                '#include "run/live/terminate.hpp"\n',
    "libcpl_lb/events/marks.hpp": "using Mark = unsigned long;\n",
    "libcpl_lb/events/numbers.hpp": "void number(LocalEvents &events);\n",
    "libcpl_lb/run/live/terminate.hpp": "int terminate();\n",
    "libcpl_lb/run/live/terminate.cpp": '#include "run/live/terminate.hpp"\n\n#include "run/live/steps/decode.hpp"\n'
                                        '#include "run/live/steps/gather.hpp"\n',
    "libcpl_lb/run/live/steps/decode.hpp": "LocalEvents decode();\n",
    "libcpl_lb/run/live/steps/decode.cpp": '#include "run/live/steps/decode.hpp"\n\n#include "events/numbers.hpp"\n',
    "libcpl_lb/run/live/steps/gather.hpp": '#include "analysis/balance.hpp"\n',
    "libcpl_lb/run/live/steps/gather.cpp": '#include "run/live/steps/gather.hpp"\n',
    "libcpl_lb/analysis/balance.hpp": "// The window, too.\n",
    "libcpl_lb/analysis/window.cpp": '#include "analysis/balance.hpp"\n',
}


def problems(listed=WAY, beside=BESIDE, **changed):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        page = f"# Rooms\n\n## An event's way\n\nIn order:\n\n{listed}\n{beside}\n"
        for name, text in {**FILES, way.PAGE: page, **{n.replace("__", "/"): t for n, t in changed.items()}}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [found.removeprefix(way.PAGE + ": ") for found in way.problems(root)]


class Way(unittest.TestCase):
    def test_nothing_wrong(self):
        self.assertEqual(problems(), [])

    def test_no_list(self):
        self.assertEqual(problems(listed="", beside=""), ["no list in the section \"An event's way\""])

    def test_a_file_that_is_not_there(self):
        self.assertIn("analysis/loop.cpp is not there", problems(WAY.replace("window", "loop")))

    def test_a_file_that_stands_there_twice(self):
        self.assertEqual(problems(beside="Beside the way: `events/numbers.hpp`, `events/marks.hpp`."),
                         ["events/marks.hpp stands there twice"])

    def test_too_many_files(self):
        many = ", ".join(f"`analysis/more_{n}.cpp`" for n in range(29))
        more = {f"libcpl_lb__analysis__more_{n}.cpp": '#include "analysis/balance.hpp"\n' for n in range(29)}
        self.assertEqual(problems(WAY + f"- and more: {many}\n", **more), ["the way has 36 files, more than 35"])

    def test_too_many_returns(self):
        self.assertEqual(problems(WAY.replace("(2)", "(2) (3) (4)")), ["the way comes back 4 times, more than 3"])

    def test_marks_out_of_order(self):
        self.assertEqual(problems(WAY.replace("(2)", "(3)")), ["the marks are not (1), (2), ... in this order"])

    def test_a_file_that_none_before_it_includes(self):
        self.assertEqual(problems(**{"libcpl_lb__run__live__steps__gather.hpp": ""}),
                         ["no file of the way before analysis/window.cpp includes analysis/balance.hpp"])

    def test_a_return_without_a_mark(self):
        self.assertEqual(problems(WAY.replace(" (1)", "").replace("(2)", "(1)")),
                         ["no file of the way before run/live/steps/gather.cpp includes run/live/steps/gather.hpp; "
                          "run/live/terminate.cpp does: a mark is missing"])

    def test_a_file_that_is_left_out(self):
        self.assertEqual(problems(beside=""), ["events/numbers.hpp is neither on the way nor beside it; see "
                                               "run/live/steps/decode.cpp"])

    def test_another_source_of_a_header(self):
        self.assertEqual(problems(**{"libcpl_lb__analysis__share.cpp": FILES["libcpl_lb/analysis/window.cpp"]}),
                         ["analysis/share.cpp is neither on the way nor beside it; see analysis/window.cpp"])

    def test_a_comment_does_not_name_events(self):
        changed = {"libcpl_lb__events__numbers.hpp": "int number(); // not of a Mark\n"}
        self.assertEqual(problems(beside="", **changed), [])

    def test_a_file_beside_that_nobody_includes(self):
        changed = {"libcpl_lb__run__live__steps__decode.cpp": '#include "run/live/steps/decode.hpp"\n'}
        self.assertEqual(problems(**changed),
                         ["events/numbers.hpp is beside the way, but no file of the way includes it"])


if __name__ == "__main__":
    unittest.main()
