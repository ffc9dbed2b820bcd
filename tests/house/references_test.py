#!/usr/bin/env python3
"""Each thing that references.py must find, put into a small tree of its own: references_test.py."""
import pathlib
import tempfile
import unittest

import references


def problems(**files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        written = {"README.md": "# The project\n", "docs/figures.md": "# Figures\n\n## The loop, and *more*\n",
                   "libcpl_lb/report/text.hpp": "// Text (docs/figures.md, see report/text.hpp and text.hpp).\n"}
        written |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
        for name, text in written.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(references.problems(root))


class References(unittest.TestCase):
    def test_nothing_wrong(self):
        self.assertEqual(problems(docs__more_dot_md="[loop](figures.md#the-loop-and-more) [up](../README.md) "
                                                    "[far](https://example.org/none.md) `timeline_<component>.cpp`\n"),
                         [])

    def test_a_link_to_nothing(self):
        self.assertEqual(problems(docs__more_dot_md="# More\n[gone](gone.md)\n"),
                         ["docs/more.md:2: the link gone.md is not there"])

    def test_a_heading_that_is_not_there(self):
        self.assertEqual(problems(docs__more_dot_md="[loop](figures.md#the-end)\n"),
                         ["docs/more.md:1: the link figures.md#the-end has no such heading"])

    def test_a_comment_that_names_a_page_that_is_gone(self):
        self.assertEqual(problems(libcpl_lb__report__more_dot_cpp="// More.\nint i; // docs/gone.md says why\n"),
                         ["libcpl_lb/report/more.cpp:2: there is no docs/gone.md"])

    def test_a_comment_that_names_a_header_that_was_moved(self):
        self.assertEqual(problems(libcpl_lb__more_dot_cpp="// See data/text.hpp.\n"),
                         ["libcpl_lb/more.cpp:1: there is no data/text.hpp"])

    def test_the_room_data_is_looked_at_but_not_the_data_of_tests(self):
        text = "// See docs/gone.md.\n"
        self.assertEqual(problems(libcpl_lb__data__time_dot_hpp=text, tests__data__kept_dot_hpp=text),
                         ["libcpl_lb/data/time.hpp:1: there is no docs/gone.md"])

    def test_code_is_no_comment(self):
        self.assertEqual(problems(libcpl_lb__more_dot_cpp="#include \"data/text.hpp\"\n"), [])

    def test_a_page_that_the_index_lacks(self):
        self.assertEqual(problems(docs__README_dot_md="[figures](figures.md#figures)\n", docs__more_dot_md="# More\n"),
                         ["docs/README.md: it has no link to more.md"])

    def test_a_paper_by_number(self):
        found = problems(libcpl_lb__more_dot_cpp="// As in paper 003, section 2.\n")
        self.assertEqual(found, ["libcpl_lb/more.cpp:1: 'paper 003': name papers by author and year"])


if __name__ == "__main__":
    unittest.main()
