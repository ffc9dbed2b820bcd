#!/usr/bin/env python3
"""What the documents print is what the command prints: documents.py CPL-LB REPOSITORY
[COMMAND...]. This build is without these commands: what stands about them is left out.

Looks at README.md and the pages of docs/ and examples/.

- A fenced block without a language, or "text", either begins with a line "$ COMMAND" or has <!-- not run: REASON -->
  on the line above it. The first kind is run, in a folder of the page's own, in which data, docs, examples and tests of the
  repository lie. What stands below a command is compared with what it prints; a line "..." stands for
  any lines. "$ cat FILE" makes the file, where there is none.
- Every "cpl-lb NAME --option" in code, also in text, is a command that exists with an option that it has.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"(\s*)```(\S*)")
NOT_RUN = re.compile(r"\s*<!-- not run: \S.* -->$")
COMMAND = re.compile(r"(?<![\w/.-])cpl-lb ([a-z]+)([^`]*)")
OPTION = re.compile(r"(?<![\w-])(--[a-z][A-Za-z-]*)")


def pages(root):
    return [root / "README.md", *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("examples/**/*.md"))]


def blocks(lines):
    """(line number of the fence, language, lines inside, the line above the fence)."""
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        if fence:
            end = number + 1
            while not lines[end].strip().startswith("```"):
                end += 1
            inside = [line.removeprefix(fence.group(1)) for line in lines[number + 1:end]]
            yield number + 1, fence.group(2), inside, lines[number - 1]
            number = end
        number += 1


def commands_of(inside):
    """(command, the lines below it) of a block that begins with "$ "."""
    found = []
    for line in inside:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def strip_empty(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return [line.rstrip() for line in lines]


def fits(expected, printed):
    """Whether the printed lines are the expected ones, in which "..." stands for any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(fits(expected[1:], printed[at:]) for at in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and fits(expected[1:], printed[1:])


def run(command, folder, program):
    path = f"{pathlib.Path(program).parent}:/usr/bin:/bin"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={"PATH": path, "HOME": str(folder), "LC_ALL": "C"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                          check=False)
    return done.stdout.decode("utf-8", errors="replace").splitlines()


def wrong_output(command, expected, folder, program):
    made = re.fullmatch(r"cat ([\w.-]+)", command)
    if made and not (folder / made.group(1)).exists():
        (folder / made.group(1)).write_text("\n".join(expected) + "\n", encoding="utf-8")
        return ""
    printed = strip_empty(run(command, folder, program))
    if fits(strip_empty(expected), printed):
        return ""
    return f"'{command}' prints something else:\n" + "\n".join("    " + line for line in printed)


def is_about(text, commands):
    """Whether text calls one of these commands, or gives a page the roofline."""
    return any(re.search(rf"cpl-lb {name}\b", text) for name in commands) or (
        "machine" in commands and re.search(r"cpl-lb report .*--machine", text))


def block_problems(root, lines, program, without=()):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shared in ("data", "examples", "docs", "tests"):
            if (root / shared).exists():
                (folder / shared).symlink_to(root / shared)
        for number, language, inside, above in blocks(lines):
            if language not in ("", "text") or NOT_RUN.match(above) or is_about("\n".join(inside), without):
                continue
            if not inside or not inside[0].startswith("$ "):
                yield number, "begins with no '$ command', and no <!-- not run: reason --> stands above it"
                continue
            for command, expected in commands_of(inside):
                wrong = wrong_output(command, expected, folder, program)
                if wrong:
                    yield number, wrong


def code(lines):
    """(line number, text) of all code: blocks of any language, indented blocks, and `code` in text."""
    in_block, text, first = False, "", 0
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            in_block = not in_block
        elif in_block or line.startswith("    "):
            first = first or number
            text += line.lstrip() if text else line
            if text.endswith("\\"):
                text = text[:-1].rstrip() + " "
            else:
                yield first, text
                text, first = "", 0
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span


def option_problems(lines, help_of, without=()):
    for number, text in code(lines):
        if is_about(text, without):
            continue
        for name, arguments in COMMAND.findall(text):
            arguments = re.split(r"[|;&#]|\s{3,}| cpl-lb", arguments)[0]
            text_of_help = help_of(name)
            if text_of_help is None:
                yield number, f"there is no command cpl-lb {name}"
                continue
            for below in re.match(r"(?: [a-z-]+)*", arguments).group().split():
                if not re.search(rf"^Subcommands:.*^  {below} ", text_of_help, re.MULTILINE | re.DOTALL):
                    break
                name += f" {below}"
                text_of_help = help_of(name)
            for option in OPTION.findall(re.sub(r"'[^']*'|\"[^\"]*\"", "", arguments)):
                if not re.search(rf"(?<![\w-]){option}(?![\w-])", text_of_help):
                    yield number, f"cpl-lb {name} has no option {option}"


class Help:
    """The help texts of the command, each asked for once."""

    def __init__(self, program):
        self.program, self.texts = program, {}

    def __call__(self, name):
        if name not in self.texts:
            done = subprocess.run([self.program, *name.split(), "--help"], capture_output=True, text=True, check=False)
            self.texts[name] = done.stdout if done.returncode == 0 else None
        return self.texts[name]


def problems(root, program, help_of, without=()):
    for page in pages(root):
        lines = page.read_text(encoding="utf-8").splitlines()
        for number, what in [*block_problems(root, lines, program, without),
                             *option_problems(lines, help_of, without)]:
            yield f"{page.relative_to(root)}:{number}: {what}"


def main():
    program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    found = list(problems(root, program, Help(program), sys.argv[3:]))
    for problem in found:
        print(problem)
    print(f"{len(found)} wrong" if found else "the documents print what the command prints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
