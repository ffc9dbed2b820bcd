#!/usr/bin/env python3
"""What packages.py must find: packages_test.py."""
import pathlib
import tempfile
import unittest

import packages


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.sources, self.prefix = pathlib.Path(folder.name) / "sources", pathlib.Path(folder.name) / "prefix"
        self.put(self.sources / "packaging/debian/tool.install", "usr/bin/tool\nusr/share/tool\n")
        self.put(self.sources / "packaging/debian/libtool-openmpi0.install", "usr/lib/*/libtool-openmpi.so.*\n")
        self.put(self.sources / "packaging/debian/libtool-mpich0.install", "usr/lib/*/libtool-mpich.so.*\n")
        self.put(self.sources / "packaging/debian/not-installed", "# why\nusr/share/doc/cpl-lb-doc/LICENSE\n")
        for name in ("bin/tool", "share/tool/a", "share/tool/b/c", "lib/libtool-openmpi.so.0", "share/doc/any/LICENSE"):
            self.put(self.prefix / name, "")

    @staticmethod
    def put(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def told(self):
        return list(packages.problems(self.sources, self.prefix, "openmpi"))

    def test_all_in_one_package(self):
        self.assertEqual(self.told(), [])

    def test_in_none(self):
        self.put(self.prefix / "lib/libtool-openmpi.a", "")
        self.put(self.prefix / "share/tools", "")
        self.assertEqual(self.told(), ["usr/lib/any-linux-gnu/libtool-openmpi.a is in no list of packaging/debian",
                                       "usr/share/tools is in no list of packaging/debian"])

    def test_in_two(self):
        self.put(self.sources / "packaging/debian/more.install", "usr/share/tool/b\n")
        self.assertEqual(self.told(), ["usr/share/tool/b/c is in more.install and tool.install"])

    def test_line_for_nothing(self):
        (self.prefix / "bin/tool").unlink()
        self.assertEqual(self.told(), ["tool.install: usr/bin/tool names nothing that is installed"])

    def test_renamed(self):
        self.assertEqual(packages.debian_path("bin/cpl-lb-pingpong", "mpich"), "usr/bin/cpl-lb-pingpong.mpich")
        self.assertEqual(packages.debian_path("lib/x86_64-linux-gnu/libtool.a", "mpich"), "usr/lib/x86_64-linux-gnu/libtool.a")
        self.assertEqual(packages.debian_path("lib/python3/dist-packages/a.py", "mpich"), "usr/lib/python3/dist-packages/a.py")


unittest.main()
