#!/usr/bin/env python3
"""Each thing that documents.py must find, with a command of its own in the place of cpl-lb: documents_test.py."""
import pathlib
import tempfile

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


OTHER = "README.md:1: 'cpl-lb say hello' prints something else:"
# What it is about, a page, and what is found in it.
CASES = [
    ("what is printed", "```text\n$ cpl-lb say hello\nhello\nbetween\nthe end\n```\n"),
    ("lines left out", "```\n$ cpl-lb say hello\nhello\n...\n$ cpl-lb say x\n...\nthe end\n```\n"),
    ("another line", "# P\n```text\n$ cpl-lb say hello\nhallo\n...\n```\n",
     "README.md:2: 'cpl-lb say hello' prints something else:"),
    ("a line too few", "```text\n$ cpl-lb say hello\nhello\nbetween\n```\n", OTHER),
    ("a line too many", "```text\n$ cpl-lb say hello\n...\nthe end\nmore\n```\n", OTHER),
    ("a file of the page is there for the next block",
     "```text\n$ cat a.csv\n1,2\n```\n\n```text\n$ cat a.csv | tr 12 34\n3,4\n```\n"),
    ("output without a command", "```text\nhello\n```\n",
     "README.md:1: begins with no '$ command', and no <!-- not run: reason --> stands above it"),
    ("output that is not run", "<!-- not run: times of one machine -->\n```text\nhello\n```\n"),
    ("not run without a reason", "<!-- not run: -->\n```text\nhello\n```\n",
     "README.md:2: begins with no '$ command', and no <!-- not run: reason --> stands above it"),
    ("other languages are no output", "```toml\na = 1\n```\n"),
    ("options", "`cpl-lb say x --loud`, `cpl-lb say twice --fast`\n"),
    ("an option of another command", "`cpl-lb say twice --loud`\n", "README.md:1: cpl-lb say twice has no option --loud"),
    ("words behind the command", "A\n\n    cpl-lb say --fast   more --soft words\n",
     "README.md:3: cpl-lb say has no option --fast"),
    ("a command of two lines", "```sh\ncpl-lb say a \\\n  --soft\n```\n", "README.md:2: cpl-lb say has no option --soft"),
    ("a command that is not there", "`cpl-lb sing`\n", "README.md:1: there is no command cpl-lb sing"),
]
for about, page, *expected in CASES:
    found = problems(page)
    assert found == expected, (about, found)
print("documents.py finds what is wrong")
