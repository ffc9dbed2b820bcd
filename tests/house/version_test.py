#!/usr/bin/env python3
"""What version.py must find and write: version_test.py."""
import pathlib
import tempfile
import unittest

import version

FILES = {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.22)\nproject(cpl_lb VERSION 1.2.3 LANGUAGES C)\n",
         "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n", "codemeta.json": '{"version": "1.2.3"}\n',
         "CHANGELOG.md": "# Changes\n\n## 1.2.3 (not released)\n\n## 1.2.2\n"}


class Version(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name, text in FILES.items():
            (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")

    def test_one_that_differs(self):
        self.assertEqual(list(version.problems(self.folder.name)), [])
        for name in FILES:
            if name == "CMakeLists.txt":
                continue
            path = pathlib.Path(self.folder.name) / name
            path.write_text(FILES[name].replace("1.2.3", "1.2.4"), encoding="utf-8")
            self.assertEqual(list(version.problems(self.folder.name)),
                             [f"{name} says version 1.2.4, CMakeLists.txt 1.2.3"])
            path.write_text(FILES[name], encoding="utf-8")

    def test_written(self):
        version.write(self.folder.name, "2.0.0")
        self.assertEqual(version.versions(self.folder.name), {"CMakeLists.txt": "2.0.0", "CITATION.cff": "2.0.0",
                                                              "codemeta.json": "2.0.0", "CHANGELOG.md": "1.2.3"})
        self.assertIn("VERSION 3.22", (pathlib.Path(self.folder.name) / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.assertIn("cff-version: 1.2.0", (pathlib.Path(self.folder.name) / "CITATION.cff").read_text(encoding="utf-8"))


unittest.main()
