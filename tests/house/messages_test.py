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
auto title = "Too dry";
'''
PAGE = """| it says | it means | do |
| --- | --- | --- |
| `the ocean has no water left` | dry | wait for rain |
| `process ...: came too late for dinner`<br>`too dry` | hungry | eat |
"""


def problems(source=SOURCE, page=PAGE):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in {"libcpl_lb/api/sea.cpp": source, messages.PAGE: page}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return list(messages.problems(root))


def quoting(*phrases):
    return PAGE + "".join(f"| `{phrase}` | dark | go home |\n" for phrase in phrases)


class Messages(unittest.TestCase):
    def nobody_says(self, phrase):
        self.assertEqual(problems(page=quoting(phrase)), [f"{messages.PAGE}:5: nobody says '{phrase}'"])

    def test_all_said(self):
        self.assertEqual(problems(), [])

    def test_a_message_that_is_gone(self):
        self.nobody_says("the moon has fallen down")

    def test_a_message_that_changed(self):
        self.assertEqual(problems(source=SOURCE.replace("dinner", "supper")),
                         [f"{messages.PAGE}:4: nobody says 'process ...: came too late for dinner'"])

    def test_what_a_comment_holds_nobody_says(self):
        self.nobody_says("many words that nobody says")

    def test_parts_of_two_messages(self):
        self.nobody_says("the ocean has ... too late for dinner")

    def test_parts_in_another_order(self):
        self.nobody_says("too late for dinner ... process ...")

    def test_a_part_of_a_word(self):
        self.nobody_says("cess ... came too late")

    def test_few_words_are_a_whole_message(self):
        self.nobody_says("no water")
        self.nobody_says("...")

    def test_a_row_without_a_remedy(self):
        for row in ("| `the ocean has no water left` | dry |", "| the ocean | dry | rain |", "| `too dry` | dry |  |"):
            self.assertEqual(problems(page=PAGE + row + "\n"),
                             [f"{messages.PAGE}:5: not a message, what it means, and what to do"])

    def test_other_tables_quote_no_messages(self):
        self.assertEqual(problems(page=PAGE + "\n| you see | go to |\n| --- | --- |\n| `n/a` | below |\n"), [])

    def test_a_page_without_tables(self):
        self.assertEqual(problems(page="Nothing.\n"), [f"{messages.PAGE}: no table has '| it says |'"])


if __name__ == "__main__":
    unittest.main()
