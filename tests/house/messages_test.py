#!/usr/bin/env python3
"""What messages.py must find, in a small tree of its own: messages_test.py."""
import pathlib
import tempfile
import unittest

import messages

SOURCE = '''// A comment with "many words that nobody says".
const char *why = "the ocean has "
                  "no water left";
auto text = fmt::format("process {} of {}: came too late for dinner", a, b);
auto title = "Names of all oceans";
'''
PAGE = "| it says |\n| --- |\n| `the ocean has no water left` | dry |\n| `... came too late for dinner` | hungry |\n"


def problems(source=SOURCE, page=PAGE, listed="# Titles.\nnames of all oceans\n"):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in {"libcpl_lb/api/sea.cpp": source, messages.PAGE: page, messages.LIST: listed}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return list(messages.problems(root))


class Messages(unittest.TestCase):
    def test_all_explained(self):
        self.assertEqual(problems(), [])

    def test_a_message_without_an_entry(self):
        self.assertEqual(problems(page=PAGE.splitlines()[0] + "\n| `... came too late for dinner` | hungry |\n"),
                         ["libcpl_lb/api/sea.cpp:2: docs/troubleshooting.md does not explain "
                          "'the ocean has no water left'"])

    def test_an_entry_of_a_message_that_is_gone(self):
        self.assertEqual(problems(page=PAGE + "| `the moon has fallen down` | dark |\n"),
                         ["docs/troubleshooting.md:5: nobody says 'the moon has fallen down'"])

    def test_a_message_that_changed(self):
        self.assertEqual(len(problems(source=SOURCE.replace("dinner", "supper"))), 2)

    def test_two_common_words_explain_nothing(self):
        self.assertEqual(len(problems(page=PAGE.replace("the ocean has no water left", "... has no ..."))), 1)

    def test_a_short_reason(self):
        short = SOURCE + 'b.why_no_path = "too dry";\nauto other = "too wet";\n'
        self.assertEqual(problems(source=short),
                         ["libcpl_lb/api/sea.cpp:6: docs/troubleshooting.md does not explain 'too dry'"])
        self.assertEqual(problems(source=short, page=PAGE + "| `too dry` | rain |\n"), [])

    def test_a_listed_text_that_is_gone(self):
        self.assertEqual(problems(listed="names of all oceans\nnames of all lakes and rivers\n"),
                         ["tests/house/messages_not_explained.txt: nobody says 'names of all lakes and rivers'"])


if __name__ == "__main__":
    unittest.main()
