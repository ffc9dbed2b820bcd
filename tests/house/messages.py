#!/usr/bin/env python3
"""Whoever searches docs/troubleshooting.md for a line finds it as it is printed: messages.py REPOSITORY.

In the tables whose first column is "it says", this column quotes messages in backticks, with three dots for words that differ or are
left out. Each quoted message stands in one string of the sources of libcpl_lb, its parts in this order; one of fewer than three words
is a whole string. Such a table's rows have a quotation, what it means, and what to do. Which messages need a row is for people to
judge: a message that says its cause and its remedy needs none.
"""
import pathlib
import re
import sys

import checker

PAGE = "docs/troubleshooting.md"
SOURCES = "libcpl_lb"
TABLE = "sentences.inc"  # rows of id, condition, text: the texts are printed
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|R\"(\w*)\((.*?)\)\1\"|\"((?:[^\"\\\n]|\\.)*)\"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
FEWEST_WORDS = 3
HEADER = "| it says |"


def source_of(file):
    """What may hold messages: of a script, what it gives to unrecorded()."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".sh":
        return text
    return "\n".join(line if 'unrecorded "' in line else "" for line in text.splitlines())


def texts(source):
    """The strings of a source; strings that follow each other are one."""
    found, end = [], None
    for token in TOKEN.finditer(source):
        text = token.group(2) if token.group(2) is not None else token.group(3)
        if text is None:
            continue
        if end is not None and not source[end:token.start()].strip():
            found[-1] += text
        else:
            found.append(text)
        end = token.end()
    return found


def plain(text):
    """The words of a text in small letters; what differs from run to run is "...". """
    text = re.sub(r"\{[^{}]*\}|\$\w+|%[-.\d]*[a-z](?![a-z])", " ... ", text.replace("\\n", " ").replace('\\"', '"'))
    return re.sub(r"\s+", " ", text.replace("...", " ... ")).strip().lower()


def parts(phrase):
    """What stands between the dots."""
    return [part for part in (p.strip(" :;,.()'") for p in phrase.split("...")) if part]


def said(root):
    """What the sources print, one text a line."""
    files = [file for file in sorted((root / SOURCES).rglob("*")) if file.suffix in (".cpp", ".hpp", ".sh") or file.name == TABLE]
    found = []
    for file in files:
        strings = texts(source_of(file))
        found += strings[1::2] if file.name == TABLE else strings
    return "\n".join(plain(text) for text in found)


def prints(everything, phrase):
    """Whether one text holds the phrase."""
    words = [r"(?<!\w)" * part[0].isalnum() + re.escape(part) + r"(?!\w)" * part[-1].isalnum() for part in parts(phrase)]
    if not words:
        return False
    if len(" ".join(parts(phrase)).split()) < FEWEST_WORDS:
        return re.search(r"^\W*" + ".*".join(words) + r"\W*$", everything, re.MULTILINE) is not None
    return re.search(".*".join(words), everything) is not None


def rows(page):
    """(line, cells) of the tables of messages."""
    inside = False
    for number, line in enumerate(page.splitlines(), 1):
        inside = line.startswith(HEADER) or inside and line.startswith("|")
        if inside and not line.startswith((HEADER, "| ---")):
            yield number, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def problems(root):
    everything = said(root)
    found = list(rows((root / PAGE).read_text(encoding="utf-8")))
    if not found:
        yield f"{PAGE}: no table has '{HEADER}'"
    for line, cells in found:
        phrases = re.findall(r"`([^`]+)`", cells[0])
        if len(cells) != 3 or not all(cells) or not phrases:
            yield f"{PAGE}:{line}: not a message, what it means, and what to do"
        for phrase in phrases:
            if not prints(everything, plain(phrase)):
                yield f"{PAGE}:{line}: nobody says '{phrase}'"


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1]).resolve()), "each message of the page is said")


if __name__ == "__main__":
    sys.exit(main())
