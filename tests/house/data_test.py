#!/usr/bin/env python3
"""Each thing that data.py must find, put into a small tree of its own: data_test.py."""
import pathlib
import tempfile
import unittest

import data


def problems(**more):
    files = {"tests/data/sysfs/amd.tree": "amd", "tests/io/tree_test.cpp": 'RecordedTree tree("amd");\n',
             "data/tables/paper_table1.csv": "1", "docs/tables.md": "Installed as `paper_table*.csv`.\n",
             "tests/fuzz/corpus/spool/8f2a": "x", "tests/fuzz/CMakeLists.txt": "cpl_lb_fuzz(spool spool_fuzz.cpp)\n"}
    files |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in more.items()}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return data.problems(root)


class Data(unittest.TestCase):
    def test_nothing_wrong(self):
        self.assertEqual(problems(), [])

    def test_a_file_that_nothing_names(self):
        found = ["tests/data/sysfs/wrap.tree: nothing names it"]
        self.assertEqual(problems(tests__data__sysfs__wrap_dot_tree="w"), found)
        # Neither its folder's own page, nor a longer name, nor prose.
        self.assertEqual(problems(tests__data__sysfs__wrap_dot_tree="w", tests__data__sysfs__README_dot_md="wrap.tree"),
                         found)
        self.assertEqual(problems(tests__data__sysfs__wrap_dot_tree="w", docs__a_dot_md='not_wrap.tree, a "rewrap"'),
                         found)

    def test_a_name_with_and_without_its_ending(self):
        for text in ('"wrap"', "sysfs/wrap.tree", "'wrap'", 'tree + "/wrap"'):
            self.assertEqual(problems(tests__data__sysfs__wrap_dot_tree="w", tests__other_dot_cpp=text), [])

    def test_data_of_a_folder_of_tests(self):
        self.assertEqual(problems(tests__io__data__old_dot_nc="o"), ["tests/io/data/old.nc: nothing names it"])

    def test_a_folder_that_is_no_longer_read(self):
        found = problems(tests__fuzz__CMakeLists_dot_txt="")
        self.assertEqual(found, ["tests/fuzz/corpus/spool: tests/fuzz/CMakeLists.txt does not read it any more "
                                 "(cpl_lb_fuzz(spool )"])

    def test_the_same_bytes_twice(self):
        self.assertEqual(problems(tests__fuzz__corpus__spool__9a="x"),
                         ["tests/fuzz/corpus/spool/9a: the same as tests/fuzz/corpus/spool/8f2a"])
        self.assertEqual(problems(tests__fuzz__corpus__spool__a="", tests__data__sysfs__none_dot_tree="",
                                  tests__other_dot_cpp='"none"'), [])


if __name__ == "__main__":
    unittest.main()
