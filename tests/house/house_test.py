#!/usr/bin/env python3
"""Each thing that the checks of this folder must find, and what they must not, in small trees of their own: house_test.py."""
import pathlib
import tempfile
import unittest

import arrows
import data
import environment
import messages
import packages
import presets
import references
import version
import way


def put(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Tree(unittest.TestCase):
    """FILES: a tree without a fault, in which `module` finds nothing. `cut`: goes from the begin of what is found."""
    module, FILES, cut = None, {}, ""

    def problems(self, changed=()):
        with tempfile.TemporaryDirectory() as folder:
            put(pathlib.Path(folder), {**self.FILES, **dict(changed)})
            return [found.removeprefix(self.cut) for found in self.module.problems(pathlib.Path(folder))]

    def finds(self, *cases):
        """Each case: changed files, and what is found then: in this order, all of it."""
        for changed, *expected in cases:
            with self.subTest(changed=changed):
                self.assertEqual(self.problems(changed), expected)


class Arrows(Tree):
    module = arrows
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
        arrows.PAGE: PAGE,
        "libcpl_lb/data/events.hpp": "// Events.\n#pragma once\n#include <vector>\n",
        "libcpl_lb/report/text.cpp": "// Text.\n#include \"data/events.hpp\"\n#include <vector>\n",
        "libcpl_lb/report/text.hpp": "// Text of a run.\n#pragma once\n",
        "libcpl_lb/mpi/wire.cpp": "// Messages.\n#include \"data/events.hpp\"\n#include <mpi.h>\n",
        "libcpl_lb/tools/show/show.cpp": "// The command show.\n#include \"report/text.hpp\"\n",
    }
    IN_DATA, IN_REPORT = "libcpl_lb/data/more.cpp", "libcpl_lb/report/more.cpp"

    def page(self, row, other):
        return {arrows.PAGE: self.PAGE.replace(row, other)}

    def test_includes(self):
        self.finds(
            ({},),
            ({self.IN_DATA: "// More.\n\n#include \"report/text.hpp\"\n"},
             "libcpl_lb/data/more.cpp:3: data -> report is not in the table of docs/architecture.md "
             "(includes report/text.hpp)"),
            ({self.IN_REPORT: "// More.\n#  include <mpi.h>\n"},
             "libcpl_lb/report/more.cpp:2: report -> MPI is not in the table of docs/architecture.md (includes mpi.h)"),
            ({self.IN_REPORT: "// More.\n#include <cpl_lb/cpl_lb.h>\n#include <cpl_lb/version.h>\n"},
             "libcpl_lb/report/more.cpp:2: report -> include/cpl_lb is not in the table of docs/architecture.md "
             "(includes cpl_lb/cpl_lb.h)"),
            (self.page("| messages | `data` |", "| messages | `data`, `report` |"),
             "docs/architecture.md:8: no file uses the arrow mpi -> report"))

    def test_rows(self):
        self.finds(
            ({"libcpl_lb/attic/old.cpp": "// Old.\n"},
             "libcpl_lb/attic/old.cpp: the folder libcpl_lb/attic has no row in docs/architecture.md"),
            ({"libcpl_lb/report/words/more.cpp": "// More.\n"},
             "libcpl_lb/report/words/more.cpp: the folder libcpl_lb/report/words has no row in docs/architecture.md"),
            (self.page("| `libcpl_lb/mpi`", "| `libcpl_lb/empty` | none |  |  |\n| `libcpl_lb/mpi`"),
             "docs/architecture.md:8: there is no file in the room empty"),
            ({**self.page("| plain types |  |", "| plain types | `report` |"),
              self.IN_DATA: "// More.\n#include \"report/text.hpp\"\n"},
             "docs/architecture.md:6: a cycle of rooms: data -> report -> data",
             "docs/architecture.md:7: a cycle of rooms: report -> data -> report"),
            ({**self.page("| text | `data` |", "| text | `data`, `mpi` |"),
              self.IN_REPORT: "// More.\n#include \"mpi/wire.cpp\"\n"},
             "docs/architecture.md:7: a room of the pure half: report -> mpi -> MPI"),
            (self.page("| text | `data` |", "| text | `data`, `dta` |"),
             "docs/architecture.md:7: no file uses the arrow report -> dta",
             "docs/architecture.md:7: report -> dta: there is no row dta"),
            (self.page("The pure half", "Others"), "docs/architecture.md: no paragraph begins with **The pure half**"))

    def test_opening_lines(self):
        self.finds(*(({self.IN_REPORT: text},
                      "libcpl_lb/report/more.cpp:1: the file does not open with a comment on what it is for")
                     for text in ("#include <vector>\n", "", "//\n", "\n// Late.\n", "/* Other. */\n")))


class Data(Tree):
    module = data
    FILES = {"tests/data/sysfs/amd.tree": "amd", "tests/io/tree_test.cpp": 'RecordedTree tree("amd");\n',
             "data/tables/paper_table1.csv": "1", "docs/tables.md": "Installed as `paper_table*.csv`.\n",
             "tests/fuzz/corpus/spool/8f2a": "x", "tests/fuzz/CMakeLists.txt": "cpl_lb_fuzz(spool spool_fuzz.cpp)\n"}
    WRAP = {"tests/data/sysfs/wrap.tree": "w"}

    def test_names(self):
        unnamed = "tests/data/sysfs/wrap.tree: nothing names it"
        self.finds(
            ({},),
            (self.WRAP, unnamed),
            # Neither its folder's own page, nor a longer name, nor prose.
            ({**self.WRAP, "tests/data/sysfs/README.md": "wrap.tree"}, unnamed),
            ({**self.WRAP, "docs/a.md": 'not_wrap.tree, a "rewrap"'}, unnamed),
            ({"tests/io/data/old.nc": "o"}, "tests/io/data/old.nc: nothing names it"),
            ({"tests/fuzz/CMakeLists.txt": ""},
             "tests/fuzz/corpus/spool: tests/fuzz/CMakeLists.txt does not read it any more (cpl_lb_fuzz(spool )"),
            *(({**self.WRAP, "tests/other.cpp": text},)
              for text in ('"wrap"', "sysfs/wrap.tree", "'wrap'", 'tree + "/wrap"')))

    def test_the_same_bytes_twice(self):
        self.finds(
            ({"tests/fuzz/corpus/spool/9a": "x"},
             "tests/fuzz/corpus/spool/9a: the same as tests/fuzz/corpus/spool/8f2a"),
            ({"tests/fuzz/corpus/spool/a": "", "tests/data/sysfs/none.tree": "", "tests/other.cpp": '"none"'},))


class Environment(unittest.TestCase):
    ALL = ["CPL_LB_ENABLED=1", *sorted(environment.WANTED)]

    def problems(self, name, command, folder, variables=()):
        properties = [{"name": "WORKING_DIRECTORY", "value": folder}, {"name": "ENVIRONMENT", "value": list(variables)}]
        return list(environment.problems([{"name": name, "command": command, "properties": properties}]))

    def test_a_launcher_without_it(self):
        said = ["cases: starts MPI without cpl_lb_runs_mpi(cases)"]
        self.assertEqual(self.problems("cases", ["/usr/bin/mpiexec.openmpi", "-n", "2", "cases"], "/b/tests/mpi"), said)
        self.assertEqual(self.problems("cases", ["cases.sh", "mpirun -n"], "/b/tests/mpi", ["A=1"]), said)
        for one in self.ALL[1:]:
            rest = [variable for variable in self.ALL if variable != one]
            self.assertEqual(self.problems("cases", ["mpiexec", "cases"], "/b/tests/mpi", rest), said)

    def test_a_program_that_starts_the_launcher_itself(self):
        for folder in ("functional", "consumer", "adapters"):
            self.assertEqual(len(self.problems("some_test", ["some_test"], f"/b/tests/{folder}")), 1)
            self.assertEqual(self.problems("some_test", ["some_test"], f"/b/tests/{folder}", self.ALL), [])

    def test_what_starts_no_mpi(self):
        self.assertEqual(self.problems("report_text", ["report_text"], "/b/tests/report"), [])
        self.assertEqual(self.problems("names", ["names_test.sh"], "/b/tests/functional"), [])


class Messages(Tree):
    module = messages
    SOURCE = '''// A comment with "many words that nobody says".
const char *why = "the ocean has "
                  "no water left";
auto text = fmt::format("process {} of {}: came too late for dinner", a, b);
auto title = "Too dry";
'''
    PAGE = """| it says | it means | do |
| --- | --- | --- |
| `the ocean has no water left` | dry | wait for rain |
| `process ...: came too late for dinner`<br>`too dry` | hungry | eat |
"""
    FILES = {"libcpl_lb/api/sea.cpp": SOURCE, messages.PAGE: PAGE}

    def test_all_said(self):
        self.finds(({},))

    def test_what_nobody_says(self):
        # Gone, in a comment, of two messages, in another order, a part of a word; few words are a whole message.
        self.finds(
            ({"libcpl_lb/api/sea.cpp": self.SOURCE.replace("dinner", "supper")},
             f"{messages.PAGE}:4: nobody says 'process ...: came too late for dinner'"),
            *(({messages.PAGE: self.PAGE + f"| `{phrase}` | dark | go home |\n"},
               f"{messages.PAGE}:5: nobody says '{phrase}'")
              for phrase in ("the moon has fallen down", "many words that nobody says",
                             "the ocean has ... too late for dinner", "too late for dinner ... process ...",
                             "cess ... came too late", "no water", "...")))

    def test_rows_and_tables(self):
        self.finds(
            *(({messages.PAGE: self.PAGE + row + "\n"}, f"{messages.PAGE}:5: not a message, what it means, and what to do")
              for row in ("| `the ocean has no water left` | dry |", "| the ocean | dry | rain |", "| `too dry` | dry |  |")),
            ({messages.PAGE: self.PAGE + "\n| you see | go to |\n| --- | --- |\n| `n/a` | below |\n"},),
            ({messages.PAGE: "Nothing.\n"}, f"{messages.PAGE}: no table has '| it says |'"))


class Packages(unittest.TestCase):
    LISTS = {"tool.install": "usr/bin/tool\nusr/share/tool\n", "libtool-openmpi0.install": "usr/lib/*/libtool-openmpi.so.*\n",
             "libtool-mpich0.install": "usr/lib/*/libtool-mpich.so.*\n",
             "not-installed": "# why\nusr/share/doc/cpl-lb-doc/LICENSE\n"}
    INSTALLED = ("bin/tool", "share/tool/a", "share/tool/b/c", "lib/libtool-openmpi.so.0", "share/doc/any/LICENSE")

    def finds(self, more, without, lists, *expected):
        with tempfile.TemporaryDirectory() as folder:
            sources, prefix = pathlib.Path(folder) / "sources", pathlib.Path(folder) / "prefix"
            put(sources / "packaging/debian", {**self.LISTS, **lists})
            put(prefix, {name: "" for name in (*self.INSTALLED, *more) if name not in without})
            self.assertEqual(list(packages.problems(sources, prefix, "openmpi")), list(expected))

    def test_in_one_in_none_in_two_and_a_line_for_nothing(self):
        self.finds((), (), {})
        self.finds(("lib/libtool-openmpi.a", "share/tools"), (), {},
                   "usr/lib/any-linux-gnu/libtool-openmpi.a is in no list of packaging/debian",
                   "usr/share/tools is in no list of packaging/debian")
        self.finds((), (), {"more.install": "usr/share/tool/b\n"}, "usr/share/tool/b/c is in more.install and tool.install")
        self.finds((), ("bin/tool",), {}, "tool.install: usr/bin/tool names nothing that is installed")

    def test_renamed(self):
        for path, expected in (("bin/cpl-lb-pingpong", "usr/bin/cpl-lb-pingpong.mpich"),
                               ("lib/x86_64-linux-gnu/libtool.a", "usr/lib/x86_64-linux-gnu/libtool.a"),
                               ("lib/python3/dist-packages/a.py", "usr/lib/python3/dist-packages/a.py")):
            self.assertEqual(packages.debian_path(path, "mpich"), expected)


class Presets(unittest.TestCase):
    def problems(self, pattern, how, name):
        chosen = {"testPresets": [{"name": "dev"}, {"name": name, "filter": {how: {"name": pattern}}}]}
        return list(presets.problems(chosen, ["page", "run_scale", "run_growth"]))

    def test_a_name_that_no_test_has_and_only_that(self):
        self.assertEqual(presets.alternatives("^(page|run_(scale|growth)|a.*)$"), ["page", "run_(scale|growth)", "a.*"])
        self.assertEqual(self.problems("^(page|run_(scale|growth))$", "exclude", "short"), [])
        self.assertEqual(self.problems("^(page|run_scales)$", "include", "mpich-short"),
                         ["CMakePresets.json: mpich-short includes run_scales, and there is no such test"])


class References(Tree):
    module = references
    FILES = {"README.md": "# The project\n", "docs/figures.md": "# Figures\n\n## The loop, and *more*\n",
             "libcpl_lb/report/text.hpp": "// Text (docs/figures.md, see report/text.hpp and text.hpp).\n"}

    def test_links(self):
        self.finds(
            ({},),
            ({"docs/more.md": "[loop](figures.md#the-loop-and-more) [up](../README.md) [far](https://example.org/none.md) "
                              "`timeline_<component>.cpp`\n"},),
            ({"docs/more.md": "# More\n[gone](gone.md)\n"}, "docs/more.md:2: the link gone.md is not there"),
            ({"docs/more.md": "[loop](figures.md#the-end)\n"},
             "docs/more.md:1: the link figures.md#the-end has no such heading"),
            ({"docs/README.md": "[figures](figures.md#figures)\n", "docs/more.md": "# More\n"},
             "docs/README.md: it has no link to more.md"))

    def test_comments(self):
        gone = "// See docs/gone.md.\n"
        self.finds(
            ({"libcpl_lb/report/more.cpp": "// More.\nint i; // docs/gone.md says why\n"},
             "libcpl_lb/report/more.cpp:2: there is no docs/gone.md"),
            ({"libcpl_lb/more.cpp": "// See data/text.hpp.\n"}, "libcpl_lb/more.cpp:1: there is no data/text.hpp"),
            # The room data is looked at, but not the data of tests.
            ({"libcpl_lb/data/time.hpp": gone, "tests/data/kept.hpp": gone},
             "libcpl_lb/data/time.hpp:1: there is no docs/gone.md"),
            ({"libcpl_lb/more.cpp": "#include \"data/text.hpp\"\n"},),
            ({"libcpl_lb/more.cpp": "// As in paper 003, section 2.\n"},
             "libcpl_lb/more.cpp:1: 'paper 003': name papers by author and year"))


class Version(Tree):
    module = version
    FILES = {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.22)\nproject(cpl_lb VERSION 1.2.3 LANGUAGES C)\n",
             "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n", "codemeta.json": '{"version": "1.2.3"}\n',
             "CHANGELOG.md": "# Changes\n\n## 1.2.3 (not released)\n\n## 1.2.2\n"}

    def test_one_that_differs(self):
        self.finds(({},), *(({name: self.FILES[name].replace("1.2.3", "1.2.4")},
                             f"{name} says version 1.2.4, CMakeLists.txt 1.2.3")
                            for name in ("CITATION.cff", "codemeta.json", "CHANGELOG.md")))

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            put(pathlib.Path(folder), self.FILES)
            version.write(folder, "2.0.0")
            self.assertEqual(version.versions(folder), {"CMakeLists.txt": "2.0.0", "CITATION.cff": "2.0.0",
                                                        "codemeta.json": "2.0.0", "CHANGELOG.md": "1.2.3"})
            for name, kept in (("CMakeLists.txt", "VERSION 3.22"), ("CITATION.cff", "cff-version: 1.2.0")):
                self.assertIn(kept, (pathlib.Path(folder) / name).read_text(encoding="utf-8"))


class Way(Tree):
    module, cut = way, way.PAGE + ": "
    WAY = """- recorded: `include/cpl_lb/cpl_lb.h`, `api/c_api.cpp`, `events/marks.hpp`, `run/live/terminate.cpp`
- decoded: `run/live/steps/decode.cpp` (1)
- waited for: `run/live/steps/gather.cpp`, `analysis/window.cpp` (2)
"""
    BESIDE = "Beside the way: `events/numbers.hpp`."
    FILES = {
        way.PAGE: f"# Rooms\n\n## An event's way\n\nIn order:\n\n{WAY}\n{BESIDE}\n",
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

    def page(self, *replaced):
        text = self.FILES[way.PAGE]
        for one, other in replaced:
            text = text.replace(one, other)
        return {way.PAGE: text}

    def test_the_list(self):
        many = ", ".join(f"`analysis/more_{n}.cpp`" for n in range(29))
        more = {f"libcpl_lb/analysis/more_{n}.cpp": '#include "analysis/balance.hpp"\n' for n in range(29)}
        self.assertIn("analysis/loop.cpp is not there", self.problems(self.page(("window", "loop"))))
        self.finds(
            ({},),
            (self.page((self.WAY, ""), (self.BESIDE, "")), "no list in the section \"An event's way\""),
            (self.page((self.BESIDE, "Beside the way: `events/numbers.hpp`, `events/marks.hpp`.")),
             "events/marks.hpp stands there twice"),
            ({**more, **self.page((self.WAY, self.WAY + f"- and more: {many}\n"))}, "the way has 36 files, more than 35"),
            (self.page(("(2)", "(2) (3) (4)")), "the way comes back 4 times, more than 3"),
            (self.page(("(2)", "(3)")), "the marks are not (1), (2), ... in this order"))

    def test_steps(self):
        self.finds(
            ({"libcpl_lb/run/live/steps/gather.hpp": ""},
             "no file of the way before analysis/window.cpp includes analysis/balance.hpp"),
            (self.page((" (1)", ""), ("(2)", "(1)")),
             "no file of the way before run/live/steps/gather.cpp includes run/live/steps/gather.hpp; "
             "run/live/terminate.cpp does: a mark is missing"))

    def test_what_is_left_out(self):
        alone = self.page((self.BESIDE, ""))
        self.finds(
            (alone, "events/numbers.hpp is neither on the way nor beside it; see run/live/steps/decode.cpp"),
            ({"libcpl_lb/analysis/share.cpp": self.FILES["libcpl_lb/analysis/window.cpp"]},
             "analysis/share.cpp is neither on the way nor beside it; see analysis/window.cpp"),
            ({**alone, "libcpl_lb/events/numbers.hpp": "int number(); // not of a Mark\n"},),
            ({"libcpl_lb/run/live/steps/decode.cpp": '#include "run/live/steps/decode.hpp"\n'},
             "events/numbers.hpp is beside the way, but no file of the way includes it"))


del Tree  # it is no test of its own
unittest.main()
