#!/usr/bin/env python3
"""Each thing that documents.py must find, with a command of its own in the place of cpl-lb: documents_test.py."""
import pathlib
import tempfile
import unittest

import documents

COMMAND = """#!/bin/sh
case "$*" in
  --help) echo "cpl-lb" ;;
  "say --help") printf '%s\\n' "  --loud   louder" "Subcommands:" "  twice    says it twice" ;;
  "say twice --help") echo "  --fast" ;;
  say*) printf '%s\\n' "$2" "between" "the end" ;;
  *) echo "no such command" >&2; exit 2 ;;
esac
"""


def problems(page):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "README.md").write_text(page, encoding="utf-8")
        program = root / "bin" / "cpl-lb"
        program.parent.mkdir()
        program.write_text(COMMAND, encoding="utf-8")
        program.chmod(0o755)
        return [p.splitlines()[0] for p in documents.problems(root, str(program), documents.Help(str(program)))]


class Documents(unittest.TestCase):
    def test_what_is_printed(self):
        self.assertEqual(problems("```text\n$ cpl-lb say hello\nhello\nbetween\nthe end\n```\n"), [])

    def test_lines_left_out(self):
        self.assertEqual(problems("```\n$ cpl-lb say hello\nhello\n...\n$ cpl-lb say x\n...\nthe end\n```\n"), [])

    def test_another_line(self):
        self.assertEqual(problems("# P\n```text\n$ cpl-lb say hello\nhallo\n...\n```\n"),
                         ["README.md:2: 'cpl-lb say hello' prints something else:"])

    def test_a_line_too_few_and_one_too_many(self):
        self.assertEqual(len(problems("```text\n$ cpl-lb say hello\nhello\nbetween\n```\n")), 1)
        self.assertEqual(len(problems("```text\n$ cpl-lb say hello\n...\nthe end\nmore\n```\n")), 1)

    def test_a_file_of_the_page_is_there_for_the_next_block(self):
        self.assertEqual(problems("```text\n$ cat a.csv\n1,2\n```\n\n```text\n$ cat a.csv | tr 12 34\n3,4\n```\n"), [])

    def test_output_without_a_command(self):
        self.assertEqual(problems("```text\nhello\n```\n"),
                         ["README.md:1: begins with no '$ command', and no <!-- not run: reason --> stands above it"])

    def test_output_that_is_not_run_needs_a_reason(self):
        self.assertEqual(problems("<!-- not run: times of one machine -->\n```text\nhello\n```\n"), [])
        self.assertEqual(len(problems("<!-- not run: -->\n```text\nhello\n```\n")), 1)

    def test_other_languages_are_no_output(self):
        self.assertEqual(problems("```toml\na = 1\n```\n"), [])

    def test_options(self):
        self.assertEqual(problems("`cpl-lb say x --loud`, `cpl-lb say twice --fast`\n"), [])
        self.assertEqual(problems("`cpl-lb say twice --loud`\n"), ["README.md:1: cpl-lb say twice has no option --loud"])
        self.assertEqual(problems("A\n\n    cpl-lb say --fast   more --soft words\n"),
                         ["README.md:3: cpl-lb say has no option --fast"])
        self.assertEqual(problems("```sh\ncpl-lb say a \\\n  --soft\n```\n"),
                         ["README.md:2: cpl-lb say has no option --soft"])

    def test_a_command_that_is_not_there(self):
        self.assertEqual(problems("`cpl-lb sing`\n"), ["README.md:1: there is no command cpl-lb sing"])


if __name__ == "__main__":
    unittest.main()
