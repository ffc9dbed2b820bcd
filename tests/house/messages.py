#!/usr/bin/env python3
"""Every message of a run has an entry in docs/troubleshooting.md: messages.py REPOSITORY.

Looks at the texts of at least four words in the sources that speak while a model runs and in its summary: reasons
for n/a, remarks, warnings; reasons ("why_... = ") also of two words. The first column of the page's tables quotes them in backticks, with three dots for what
differs from run to run. A text is explained when a quoted phrase is a part of it, or a part of it is a part of a quoted
phrase. What is no message (titles, descriptions in files) stands in messages_not_explained.txt. A phrase that no source
prints any more is wrong, too, and so is a line of that list.
"""
import pathlib
import re
import sys

import checker

SPEAK = ["adapters", "analysis", "api", "events", "meters", "mpi", "profiling", "record", "run/assemble.cpp", "run/live",
         "run/loaded", "run/recovered", "run/united", "io/files/folder_claim.cpp", "io/files/output_target.cpp",
         "io/files/result_file.cpp", "io/settings", "io/timeline/classic_file.cpp", "io/timeline/classic_rows.cpp",
         "io/timeline/timeline.cpp", "io/timeline/timeline_reader.cpp", "prediction/coupling_graph.cpp", "prediction/cycle.cpp",
         "prediction/graph_loop.cpp", "prediction/measured_graph.cpp", "prediction/predictor.cpp", "prediction/run_balance.cpp", "prediction/graph_parts.cpp",
         "assertions/expression.cpp",
         "assertions/process_annotations.cpp", "assertions/quantities.cpp", "report/cpmip_table.cpp",
         "support/sentences.inc", "report/text_sections.cpp", "report/words.cpp"]
# Answers of commands that say all themselves.
DO_NOT_SPEAK = {"analysis/job_log.cpp", "analysis/model_rows.cpp", "analysis/energy.cpp",
                "api/c_api_manager.cpp", "io/settings/settings_table.cpp"}
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|R\"(\w*)\((.*?)\)\1\"|\"((?:[^\"\\\n]|\\.)*)\"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
FEWEST_WORDS = 4
TABLE = "sentences.inc"  # rows of id, condition, text: the texts speak
SOURCES = (".cpp", ".hpp", ".sh")  # of a script: what it gives to unrecorded()
REASON = re.compile(r"\bwhy\w*\s*=[^=]")
PAGE = "docs/troubleshooting.md"
LIST = "tests/house/messages_not_explained.txt"


def source_of(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".sh":
        return text
    return "\n".join(line if 'unrecorded "' in line else "" for line in text.splitlines())


def texts(source):
    """(line, text) of the strings of a source; strings that follow each other are one."""
    found, end = [], None
    for token in TOKEN.finditer(source):
        text = token.group(2) if token.group(2) is not None else token.group(3)
        if text is None:
            continue
        if end is not None and not source[end:token.start()].strip() and found:
            found[-1][1] += text
        else:
            found.append([source.count("\n", 0, token.start()) + 1, text])
        end = token.end()
    return found


def texts_of(file):
    found = texts(source_of(file))
    return found[1::2] if file.name == TABLE else found


def is_source(file):
    return file.suffix in SOURCES or file.name == TABLE


def plain(text):
    """The words of a text in small letters; what differs from run to run is "...". """
    text = re.sub(r"\{[^{}]*\}|\$\w+|%[-.\d]*[a-z](?![a-z])", " ... ", text.replace("\\n", " ").replace('\\"', '"'))
    return re.sub(r"\s+", " ", re.sub(r"\.\.\.", " ... ", text.replace("…", "..."))).strip().lower()


def parts(text):
    """What stands between the dots, where it is more than a word."""
    return [part for part in (p.strip(" :;,.()'") for p in text.split("...")) if len(part.split()) > 1]


def words(text):
    return len(re.findall(r"[A-Za-z_/][\w./-]*", text.replace("...", " ")))


def spoken(root):
    for place in SPEAK:
        path = root / "libcpl_lb" / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(root / "libcpl_lb").as_posix()
            if is_source(file) and name not in DO_NOT_SPEAK:
                source = source_of(file)
                lines = source.splitlines()
                for line, text in texts_of(file):
                    if words(plain(text)) >= (2 if REASON.search(lines[line - 1]) else FEWEST_WORDS):
                        yield f"libcpl_lb/{name}:{line}", plain(text)


def phrases(root):
    """(line, phrase) of the first column of the page's tables."""
    for number, line in enumerate((root / PAGE).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("| `"):
            for phrase in re.findall(r"`([^`]+)`", line.replace("\\|", "/").split(" | ")[0]):
                yield number, plain(phrase)


def explains(phrase, text):
    return phrase == text or any(part in text for part in parts(phrase)
                                 if words(part) >= FEWEST_WORDS - 1) or \
        any(part in phrase for part in parts(text) if words(part) >= min(FEWEST_WORDS, words(text)))


def all_texts(root):
    """What any source may say, however short."""
    files = [file for file in sorted((root / "libcpl_lb").rglob("*")) if is_source(file)]
    return "\n".join(plain(text) for file in files for _, text in texts_of(file))


def problems(root):
    said = list(spoken(root))
    quoted = list(phrases(root))
    listed = [plain(line) for line in (root / LIST).read_text(encoding="utf-8").splitlines()
              if line and not line.startswith("#")]
    for where, text in said:
        if text not in listed and not any(explains(phrase, text) for _, phrase in quoted):
            yield f"{where}: {PAGE} does not explain '{text}'"
    everything = all_texts(root)
    for line, phrase in quoted:
        for part in parts(phrase):
            if part not in everything:
                yield f"{PAGE}:{line}: nobody says '{part}'"
    for text in listed:
        if text not in {t for _, t in said}:
            yield f"{LIST}: nobody says '{text}'"


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1]).resolve()), "each message has an entry")


if __name__ == "__main__":
    sys.exit(main())
